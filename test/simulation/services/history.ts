import type { Replacing } from "../history";
import type { Program } from "../program";
import { Random } from "../random";
import type { Fault } from "../world/faults";

/** The names of all resources in the simulated program. Each is a service with this name. */
export const names = ["lake", "pond"] as const;

export type Name = (typeof names)[number];

/** The faults of a request that creates a service, by name. */
const courses: { readonly [course: string]: Fault | undefined } = {
  answered: undefined,
  "lost before": { kind: "broken", carriedOut: "no" },
  "lost after": { kind: "broken", carriedOut: "yes" },
  "page after": { kind: "foreign", answer: "gatewayTimeout", carriedOut: "yes" },
};

/**
 * How the service treats the entries of lists in the updates of a step: it carries them out, or ignores those to add or to
 * remove.
 */
export type Lists = "carried out" | "ignores add" | "ignores remove";

/** An act of somebody on the addresses of a service, while an update of the stack writes to it. */
export interface Meddling {
  readonly act: "adds an address" | "removes an address";
  readonly when: "before" | "after";
  readonly name: Name;
}

export type Step =
  | {
      readonly kind: "up";
      readonly declared: Program;
      /** The fault of the first request that creates a service. */
      readonly fault?: Fault;
      /** How the service provisions the services that this update creates. */
      readonly outcome: "works" | "fails" | "hangs";
      readonly lists: Lists;
      readonly meddling?: Meddling;
      /** Milliseconds after which the simulated provider process is killed; absent if it is not killed. */
      readonly killedAfter?: number;
      /** Milliseconds for which reads lack the services that this update creates. */
      readonly lag: number;
    }
  | { readonly kind: "refresh" }
  /** The engine asks for a create in the place of a service that goes on existing. */
  | { readonly kind: "replace"; readonly declared: Program; readonly name: string; readonly by: Replacing }
  | { readonly kind: "destroy"; readonly name: Name }
  | { readonly kind: "somebody"; readonly act: Act; readonly name: Name }
  | { readonly kind: "time"; readonly milliseconds: number };

export type Act = "stops" | "starts" | "renames" | "idles" | Meddling["act"];

/** Addresses that the simulated programs declare, each with the form in which the service shows it. */
export const shownForms: { readonly [source: string]: string } = {
  "192.0.2.1": "192.0.2.1",
  "198.51.100.7/24": "198.51.100.0/24",
  "2001:DB8:0::1": "2001:db8::1/128",
};

export function drawnProgram(random: Random): Program {
  const drawn = names
    .filter(() => random.chance(0.8))
    .map(
      (name) =>
        [
          name,
          {
            type: "Service",
            args: {
              ...{ name, provider: "aws", region: "eu-west-1", waitMinutes: 4 },
              ipAccessList: Object.keys(shownForms)
                .filter(() => random.chance(0.6))
                .map((source) => ({
                  source,
                  ...(random.chance(0.4) && { description: random.pick(["", "office"]) }),
                })),
              ...(random.chance(0.5) && { desiredState: random.pick(["running", "stopped"]) }),
              // Lines that say what each service is anyway.
              ...(random.chance(0.3) && { isReadonly: false }),
              ...(random.chance(0.3) && { hasTransparentDataEncryption: false }),
              ...(random.chance(0.4) && {
                tags: ["team", "cost"]
                  .filter(() => random.chance(0.6))
                  .map((key) => ({ key, value: random.pick(["a", "b"]) })),
              }),
              ...(random.chance(0.2) && { password: random.pick(["first", "second"]) }),
              ...(random.chance(0.3) && { deletionProtection: false }),
            },
          },
        ] as const,
    );
  return new Map(drawn);
}

const meddlings = ["adds an address", "removes an address"] as const;

export function drawnHistory(seed: number): readonly Step[] {
  const random = new Random("services", seed);
  return Array.from({ length: random.integer(2, 6) }, (): Step => {
    const kind = random.weighted({ up: 6, refresh: 1, destroy: 2, somebody: 2, time: 1, replace: 1 });
    const name = random.pick(names);
    if (kind === "destroy") return { kind, name };
    if (kind === "replace") {
      const declared = drawnProgram(random);
      const [first] = declared.keys();
      if (first === undefined) return { kind: "refresh" };
      return { kind, declared, name: first, by: random.pick(["--replace", "replaceOnChanges"] as const) };
    }
    if (kind === "somebody")
      return { kind, act: random.pick(["stops", "starts", "renames", "idles", ...meddlings] as const), name };
    if (kind === "time") return { kind, milliseconds: random.integer(1, 600) * 1000 };
    if (kind === "refresh") return { kind };
    // A killed process records nothing, so if reads lag as well, nothing tells the next update about the service.
    const isKilled = random.chance(0.3);
    return {
      kind,
      declared: drawnProgram(random),
      fault: courses[random.weighted({ answered: 6, "lost before": 1, "lost after": 2, "page after": 1 })],
      outcome: random.weighted({ works: 6, fails: 1, hangs: 1 }),
      lists: random.weighted({ "carried out": 6, "ignores add": 2, "ignores remove": 2 }),
      ...(random.chance(0.3) && {
        meddling: { act: random.pick(meddlings), when: random.pick(["before", "after"]), name },
      }),
      lag: !isKilled && random.chance(0.3) ? random.integer(1000, 150_000) : 0,
      ...(isKilled && { killedAfter: random.integer(0, 120_000) }),
    };
  });
}
