import { valueAt } from "../../lifecycle/listEntries";
import { keysOf, type NamedTile } from "../../resources/tiles";
import { differences } from "../../values/compare";
import { type Data, isObject } from "../../values/data";
import { schemaAt } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";

/** One change of a declared property. */
export interface ChangedPlace {
  /** A member with another value, or an entry that a list has lost or gained. */
  readonly kind: "member" | "lost" | "gained";
  /** Leads to the place among the declared values; to one among the live values for a gained entry. */
  readonly keys: readonly (string | number)[];
  /** The live value; absent where there is none. */
  readonly value?: unknown;
}

/**
 * The smallest changes from a declared property to its live value. Entries of a list with names are the same by their names,
 * else by their positions; a list of plain values changes as a whole.
 */
export function changedPlaces(schema: TSchema, name: string, declared: Data, live: Data): ChangedPlace[] {
  const property = schemaAt(schema, name);
  const [old, now] = [declared[name], live[name]];
  if (!hasNames(old) || !hasNames(now)) return membersIn(property, old, now, [name]);
  const [oldNames, names] = [keysOf(old), keysOf(now)];
  const partners = names.map((entry, at) => {
    const isRenamed = at < old.length && !names.includes(oldNames[at] ?? "");
    return !oldNames.includes(entry) && isRenamed ? at : oldNames.indexOf(entry);
  });
  const lost = [...old.keys()].filter((at) => !partners.includes(at));
  return [
    ...lost.map((at) => ({ kind: "lost" as const, keys: [name, at] })),
    ...now.flatMap((value, at): ChangedPlace[] => {
      const partner = partners[at] ?? -1;
      if (partner < 0) return [{ kind: "gained", keys: [name, at], value }];
      return membersIn(schemaAt(property, 0), old[partner], value, [name, partner]);
    }),
  ];
}

/** The innermost members that differ, each once. */
function membersIn(
  schema: TSchema,
  old: unknown,
  now: unknown,
  around: ChangedPlace["keys"],
): ChangedPlace[] {
  const members = differences(schema, old, now).map(({ keys }) => {
    return keys.slice(0, keys.map((key) => typeof key).lastIndexOf("string") + 1);
  });
  const distinct = new Map(members.map((keys) => [JSON.stringify(keys), keys]));
  return [...distinct.values()].map((keys) => ({
    kind: "member",
    keys: [...around, ...keys],
    value: valueAt(now, keys),
  }));
}

function hasNames(value: unknown): value is readonly NamedTile[] {
  return Array.isArray(value) && value.every((entry) => isObject(entry) && typeof entry.name === "string");
}
