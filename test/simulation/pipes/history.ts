import { Random } from "../random";
import { type Declared, drawnProgram, type Name, names } from "./program";

/**
 * The fault of one write of an update: the request or its answer is lost, a gateway answers 504 after the service has carried
 * the request out, the service answers without carrying it out, or the process is killed.
 */
export type Trouble =
  | "lost before"
  | "lost after"
  | "page after"
  | "ignored"
  | "killed before"
  | "killed after";

/** The acts of the simulated person on pipes in the web console. */
export type Act =
  | ("renames" | "stops" | "starts" | "tunes" | "sets" | "scales" | "maps" | "deletes")
  | ("idles" | "wakes");

export interface Meddling {
  readonly act: Act;
  readonly name: Name;
}

export type Step =
  | {
      readonly kind: "up";
      readonly declared: readonly Declared[];
      /** How the simulated service provisions new pipes during this update. */
      readonly outcome: "works" | "fails" | "hangs";
      /** The fault of the simulated update, and which of its writes has the fault, counted from 1. */
      readonly trouble?: { readonly write: number; readonly course: Trouble };
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
    ...{ idles: 1, wakes: 1 },
  });
  return { act, name: random.weighted({ orders: 4, files: 4, shop: 4, gate: 1 }) };
}

export function drawnHistory(seed: number): readonly Step[] {
  const random = new Random("pipes", seed);
  return Array.from({ length: random.integer(2, 7) }, (_, index): Step => {
    const kind =
      index === 0 ? "up" : random.weighted({ up: 8, refresh: 1, destroy: 1, somebody: 6, time: 1 });
    if (kind === "destroy") return { kind, name: random.pick(names) };
    if (kind === "somebody") return { kind, ...drawnMeddling(random) };
    if (kind === "time") return { kind, milliseconds: random.integer(1, 600) * 1000 };
    if (kind === "refresh") return { kind };
    return {
      kind,
      declared: drawnProgram(random),
      outcome: random.weighted({ works: 10, fails: 1, hangs: 1 }),
      ...(random.chance(0.5) && {
        trouble: {
          write: random.integer(1, 8),
          course: random.weighted<Trouble>({
            ...{ "lost before": 1, "lost after": 2, "page after": 1, ignored: 1 },
            ...{ "killed before": 2, "killed after": 2 },
          }),
        },
      }),
      ...(random.chance(0.2) && {
        meddling: { ...drawnMeddling(random), after: random.integer(1, 120_000) },
      }),
    };
  });
}
