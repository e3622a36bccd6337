import type { Program } from "../program";
import { Random } from "../random";
import type { Fault } from "../world/faults";
import { drawnProgram, type Name, names } from "./program";

/**
 * The fault of one write of an update: the request or its answer is lost, a gateway answers 504 after the service has carried
 * the request out, the service answers without carrying it out, it refuses the request, or the process is killed.
 */
const troubles = {
  "lost before": { kind: "broken", carriedOut: "no" },
  "lost after": { kind: "broken", carriedOut: "yes" },
  "page after": { kind: "foreign", answer: "gatewayTimeout", carriedOut: "yes" },
  ignored: { kind: "swallowed", shows: "old" },
  refused: { kind: "conflict" },
  "killed before": { kind: "killed", carriedOut: "no" },
  "killed after": { kind: "killed", carriedOut: "yes" },
} as const satisfies { readonly [trouble: string]: Fault };

/** What happens to pipes outside of the stack, most of it by a simulated person in the web console. */
export type Act =
  | ("renames" | "stops" | "starts" | "tunes" | "sets" | "scales" | "maps" | "deletes")
  | ("idles" | "wakes")
  /** The source of a streaming pipe cannot be reached, and the pipe fails. */
  | "fails";

export interface Meddling {
  readonly act: Act;
  readonly name: Name;
}

export type Step =
  | {
      readonly kind: "up";
      readonly declared: Program;
      /** How the simulated service provisions new pipes during this update. */
      readonly outcome: "works" | "fails" | "hangs";
      /** The fault of the simulated update, and which of its writes has the fault, counted from 1. */
      readonly trouble?: { readonly write: number; readonly fault: Fault };
      /** The acts of a person in the console while the simulated update runs. */
      readonly meddling?: Meddling & { readonly after: number };
    }
  | { readonly kind: "refresh" }
  | { readonly kind: "destroy"; readonly name: Name }
  | ({ readonly kind: "somebody" } & Meddling)
  | { readonly kind: "time"; readonly milliseconds: number };

function drawnMeddling(random: Random): Meddling {
  const act = random.weighted<Act>({
    ...{ renames: 2, stops: 3, starts: 1, tunes: 3, sets: 2, scales: 2, maps: 3, deletes: 1 },
    ...{ idles: 1, wakes: 1, fails: 3 },
  });
  return { act, name: random.weighted({ orders: 4, files: 4, shop: 4, gate: 1 }) };
}

export function drawnHistory(seed: number): readonly Step[] {
  const random = new Random("pipes", seed);
  if (random.chance(0.5)) return drawnRepair(random);
  let program = drawnProgram(random);
  return Array.from({ length: random.integer(2, 7) }, (_, index): Step => {
    const kind =
      index === 0 ? "up" : random.weighted({ up: 8, refresh: 1, destroy: 1, somebody: 6, time: 1 });
    if (kind === "destroy") return { kind, name: random.pick(names) };
    if (kind === "somebody") return { kind, ...drawnMeddling(random) };
    if (kind === "time") return { kind, milliseconds: random.integer(1, 600) * 1000 };
    if (kind === "refresh") return { kind };
    // A user often runs an update again that has failed or was killed.
    program = random.chance(0.3) ? program : drawnProgram(random);
    return {
      kind,
      declared: program,
      outcome: random.weighted({ works: 10, fails: 1, hangs: 1 }),
      ...(random.chance(0.5) && {
        trouble: {
          write: random.integer(1, 8),
          fault:
            troubles[
              random.weighted({
                ...{ "lost before": 1, "lost after": 2, "page after": 1, ignored: 1, refused: 1 },
                ...{ "killed before": 2, "killed after": 2 },
              })
            ],
        },
      }),
      ...(random.chance(0.2) && {
        meddling: { ...drawnMeddling(random), after: random.integer(1, 120_000) },
      }),
    };
  });
}

/**
 * Generates a simulated history of one pipe: a stream whose source fails, or a database whose tables are to be loaded anew. One of
 * the first writes of the update that repairs or reloads the pipe has a fault, and the same program is run again.
 */
function drawnRepair(random: Random): readonly Step[] {
  const name = random.pick(["orders", "files", "shop"] as const);
  const before = drawnAlone(name, random, "a");
  const isReloadedAlone = name === "shop" && random.chance(0.7);
  const after = isReloadedAlone
    ? new Map([...before].map(([, one]) => [name, { ...one, args: { ...one.args, resyncTrigger: "b" } }]))
    : drawnAlone(name, random, "b");
  const up = (declared: Program): Step => ({ kind: "up", declared, outcome: "works" });
  const fault = troubles[random.pick(["lost after", "refused", "killed before", "killed after"] as const)];
  return [
    up(before),
    // A pipe that has just been created still loads its tables, and then takes no resync.
    { kind: "time", milliseconds: 200_000 },
    ...(name === "shop" ? [] : [{ kind: "somebody", act: "fails", name } as const]),
    ...(random.chance(0.5) ? [{ kind: "refresh" } as const] : []),
    { ...up(after), trouble: { write: isReloadedAlone ? 1 : random.integer(1, 3), fault } } as Step,
    ...(random.chance(0.5) ? [{ kind: "refresh" } as const] : []),
    up(random.chance(0.5) ? after : before),
  ];
}

/** Generates a simulated program of one pipe, which declares neither its state nor, unless it is a database, anything to load. */
function drawnAlone(name: Name, random: Random, resyncTrigger: string): Program {
  for (;;) {
    const declared = drawnProgram(random).get(name);
    if (!declared) continue;
    const { state: _, resyncTrigger: _trigger, ...args } = declared.args;
    const own = { ...args, name, ...(name === "shop" && { resyncTrigger }) };
    return new Map([[name, { ...declared, args: own }]]);
  }
}
