import type { Data } from "../../promises/store";
import type { Random } from "../random";

/**
 * Lines of a program that say what a pipe has anyway, since they declare defaults. Paths lead through lists to each of their
 * entries.
 */
const lines: { readonly [name: string]: readonly (readonly [path: string, value: unknown])[] } = {
  orders: [
    ["source.kafka.exactlyOnce", false],
    ["destination.managedTable", true],
    ["destination.tableDefinition.sortingKey", []],
  ],
  files: [
    ["source.objectStorage.compression", "auto"],
    ["destination.managedTable", true],
  ],
  shop: [
    ["source.postgres.type", "postgres"],
    ["source.postgres.settings.allowNullableColumns", false],
    ["source.postgres.tableMappings.sortingKeys", []],
    ["source.postgres.tableMappings.useCustomSortingKey", false],
  ],
};

function changedAt(
  value: unknown,
  keys: readonly string[],
  change: (members: Data, key: string) => Data,
): unknown {
  if (Array.isArray(value)) return value.map((entry) => changedAt(entry, keys, change));
  const [key = "", ...further] = keys;
  const members = value as Data;
  if (further.length === 0) return change(members, key);
  return members[key] === undefined
    ? members
    : { ...members, [key]: changedAt(members[key], further, change) };
}

/** Adds some of the true lines to the inputs of a pipe. */
export function withTrueLines(name: string, inputs: Data, random: Random): Data {
  return (lines[name] ?? []).reduce<Data>(
    (changed, [path, value]) =>
      random.chance(0.3)
        ? (changedAt(changed, path.split("."), (members, key) => ({ ...members, [key]: value })) as Data)
        : changed,
    inputs,
  );
}

export function withoutTrueLines(name: string, inputs: Data): Data {
  return (lines[name] ?? []).reduce<Data>(
    (changed, [path]) =>
      changedAt(changed, path.split("."), ({ ...members }, key) => {
        delete (members as Record<string, unknown>)[key];
        return members;
      }) as Data,
    inputs,
  );
}
