import type { Data } from "../promises/store";
import type { Declared, Edit, Program } from "./program";
import type { Random } from "./random";

const keys = ["one", "two", "three", "four"] as const;

/** @param draw draws the arguments of an alert */
export function drawSet(random: Random, draw: () => Data): Declared {
  const alerts = keys.filter(() => random.chance(0.6)).map((key) => [key, draw()] as const);
  return { type: "AlertSet", args: { alerts: Object.fromEntries(alerts) } };
}

/** A change of a set: of one entry, or of the place where a program declares an alert. */
export function drawSetEdit(
  random: Random,
  name: string,
  program: Program,
  freshName: () => string,
  draw: () => Data,
): Edit | undefined {
  const key = random.pick(keys);
  const alerts = program.get(name)?.args.alerts as { readonly [key: string]: Data };
  const entry = alerts[key];
  const singles = [...program].filter(([, { type }]) => type === "Alert");
  if (random.chance(0.3)) {
    if (entry) return { edit: "moveOut", name, key, single: freshName() };
    const [single] = singles.length > 0 ? random.pick(singles) : [];
    return single === undefined ? undefined : { edit: "moveIn", name, key, single };
  }
  if (entry && random.chance(0.3)) return { edit: "setEntry", name, key };
  const { threshold, ...others } = draw();
  const old = entry && random.chance(0.6) ? entry : { ...others, adoptId: entry?.adoptId };
  return { edit: "setEntry", name, key, args: { ...old, threshold } };
}
