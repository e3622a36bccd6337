import { drawSearchAlert, drawSet } from "./drawnProgram";
import type { History, StackStep } from "./history";
import { add, type Declared } from "./program";
import { Random } from "./random";
import { plain } from "./world/behaviour";

/**
 * Kinds of simulated histories about one AlertSet: many creates with an unknown outcome, a killed create, and a destroy that
 * fails in part.
 */
const troubles = { large, killed, leftInPart } as const;

/** Replaces three of a hundred random histories by simulated histories about a single AlertSet. */
export function withSetTroubles(history: History): History {
  const random = new Random(history.seed, "set troubles");
  if (!random.chance(0.03)) return history;
  const trouble = random.pick(Object.keys(troubles) as (keyof typeof troubles)[]);
  const { dialect } = history.behaviour;
  const behaviour = { ...plain, dialect, via: "both", skew: random.pick([0, 0, 5000, -5000]) } as const;
  const draw = () => drawSearchAlert(random, dialect).args;
  return { ...history, world: [], behaviour, ...troubles[trouble](random, draw) };
}

type Trouble = Pick<History, "steps" | "faults" | "maxRetries">;
type Draw = () => Declared["args"];

const own = { actor: "a", edits: [], pause: 0, command: "up" } as const;
const first = (declared: Declared): StackStep => ({
  ...own,
  number: 0,
  edits: [add("all", declared)],
});

/** Generates an AlertSet of so many alerts that their requests wait for each other at the provider's rate limiter. */
function drawLargeSet(random: Random, draw: Draw): Declared {
  const names = Array.from({ length: random.integer(200, 230) }, (_, at) => `e${at}`);
  // Alerts may be generated without names, so each alert of the set gets a threshold of its own, by which it differs from all
  // others of the set.
  const alerts = names.map((key, at) => [key, { ...draw(), threshold: 1000 + at }] as const);
  return { type: "AlertSet", args: { alerts: Object.fromEntries(alerts) } };
}

/**
 * Generates a simulated history in which some answers to the creates of over 200 alerts are lost, so the next update may create
 * these alerts a second time.
 */
function large(random: Random, draw: Draw): Trouble {
  return {
    steps: [first(drawLargeSet(random, draw)), { ...own, number: 1, pause: 30_000 }],
    faults: { rate: random.pick([0.01, 0.03]), families: ["failed"] },
    maxRetries: random.pick([0, 1]),
  };
}

/**
 * Generates a simulated history in which the CLI is killed while it creates an AlertSet, before any Pulumi state contains it.
 * The next update creates the whole set.
 */
function killed(random: Random, draw: Draw): Trouble {
  const created = { ...first(drawSet(random, draw)), killedAfter: random.integer(200, 2500) };
  return {
    steps: [created, { ...own, number: 1, pause: random.pick([1000, 60_000]) }],
    faults: { rate: 0, families: [] },
    maxRetries: 1,
  };
}

/** Generates a simulated history in which a destroy deletes some alerts of an AlertSet and fails at the others. */
function leftInPart(random: Random, draw: Draw): Trouble {
  return {
    steps: [first(drawSet(random, draw)), { ...own, number: 1, pause: 200_000, command: "destroy" }],
    faults: { rate: 0.3, families: ["failed"] },
    maxRetries: 0,
  };
}
