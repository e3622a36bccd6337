import type { Data } from "../promises/store";
import type { Declared, Edit, Program } from "./program";
import type { Random } from "./random";

const keys = ["one", "two", "three", "four"] as const;

export function drawSet(random: Random, draw: () => Data): Declared {
  const alerts = keys.filter(() => random.chance(0.6)).map((key) => [key, draw()] as const);
  return { type: "AlertSet", args: { alerts: Object.fromEntries(alerts) } };
}

/** Generates an AlertSet of so many alerts that their requests wait for each other at the provider's rate limiter. */
export function drawLargeSet(random: Random, draw: () => Data): Declared {
  const names = Array.from({ length: random.integer(200, 230) }, (_, at) => `e${at}`);
  // Alerts may be generated without names, so each alert of the set gets a threshold of its own, by which it differs from all
  // others of the set.
  const alerts = names.map((key, at) => [key, { ...draw(), threshold: 1000 + at }] as const);
  return { type: "AlertSet", args: { alerts: Object.fromEntries(alerts) } };
}

export function drawSetEdit(random: Random, name: string, program: Program, draw: () => Data): Edit {
  const key = random.pick(keys);
  const alerts = program.get(name)?.args.alerts as { readonly [key: string]: Data };
  const entry = alerts[key];
  if (entry && random.chance(0.3)) return { edit: "setEntry", name, key };
  const { threshold, ...others } = draw();
  const old = entry && random.chance(0.6) ? entry : others;
  return { edit: "setEntry", name, key, args: { ...old, threshold } };
}
