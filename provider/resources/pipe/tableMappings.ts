import { equal } from "../../values/compare";
import { type Data, isObject, pick } from "../../values/data";
import { schemaAt } from "../../values/schema";
import { postgresSchema } from "./databaseSources";

/** The members that name what a mapping reads. */
const sourceNames = [
  ...["sourceSchemaName", "sourceDatabaseName", "sourceDatasetName"],
  ...["sourceTable", "sourceCollection"],
];

/** The mappings of a database, as far as they are known. */
export const mappingsIn = ({ tableMappings }: Data): readonly Data[] =>
  Array.isArray(tableMappings) ? tableMappings.filter(isObject) : [];

/** What a mapping reads, which a pipe reads once; undefined where that is not known yet. */
export function mappingKey(mapping: Data): string | undefined {
  const names = sourceNames.filter((name) => mapping[name] !== undefined);
  const texts = names.map((name) => mapping[name]);
  return texts.length > 0 && texts.every((text) => typeof text === "string")
    ? JSON.stringify(texts)
    : undefined;
}

/**
 * Live mappings in the form in which a program declares them: without what it does not declare, since the service fills in engines,
 * and empty lists of columns.
 */
export function declaredForm(live: readonly Data[], declared: readonly Data[]): readonly Data[] {
  const byKey = new Map(declared.map((mapping) => [mappingKey(mapping), mapping]));
  return live.map((mapping) => {
    const known = byKey.get(mappingKey(mapping));
    return known ? pick(mapping, Object.keys(known)) : mapping;
  });
}

const mappingSchema = schemaAt(schemaAt(postgresSchema, "tableMappings"), 0);

/** What the service makes of members that a mapping does not have. */
const defaults: Data = {
  ...{ tableEngine: "ReplacingMergeTree", excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] },
};

/** The members by which a request names a mapping that is to be removed. */
const namesOfRemoved = [
  ...["sourceSchemaName", "sourceTable", "sourceDatabaseName", "sourceCollection", "targetTable"],
  "tableEngine",
];

/** Whether a live mapping is as a program declares it, and has nothing that the program declared of it before. */
function isAsDeclared(wanted: Data, live: Data, before: Data = {}): boolean {
  const whole = { ...defaults, ...live };
  const isSame = (name: string, value: unknown) => equal(schemaAt(mappingSchema, name), whole[name], value);
  const dropped = Object.keys(before).filter((name) => !(name in wanted));
  return (
    Object.entries(wanted).every(([name, value]) => isSame(name, value)) &&
    dropped.every((name) => !isSame(name, before[name]) || isSame(name, defaults[name]))
  );
}

/**
 * The requests that change the tables of a database, in their order. Those that are there no longer, and those that are otherwise now,
 * are removed first, since no request removes a table and adds it again.
 *
 * @param before the mappings that the program declared before
 * @returns undefined if no requests do it: a pipe has at least one table at any time, so its only one cannot be removed and added
 */
export function editsOf(
  wanted: readonly Data[],
  live: readonly Data[],
  before: readonly Data[],
): readonly Data[] | undefined {
  const [byKey, formerly] = [live, before].map(
    (list) => new Map(list.map((mapping) => [mappingKey(mapping), mapping])),
  );
  const isKept = (mapping: Data) => {
    const found = byKey?.get(mappingKey(mapping));
    return found !== undefined && isAsDeclared(mapping, found, formerly?.get(mappingKey(mapping)));
  };
  const kept = new Set(wanted.filter(isKept).map(mappingKey));
  const isIn = (list: readonly Data[]) => (mapping: Data) =>
    list.some((other) => mappingKey(other) === mappingKey(mapping));
  const added = wanted.filter((mapping) => !kept.has(mappingKey(mapping)));
  const removed = live.filter((mapping) => !kept.has(mappingKey(mapping)));
  const repeated = added.filter(isIn(removed));
  const fresh = added.filter((mapping) => !repeated.includes(mapping));
  if (kept.size > 0 || fresh.length > 0 || removed.length === 0)
    return [edit(fresh, removed), edit(repeated, [])].flat();
  // One stays until another one is there.
  const [last] = [...removed].sort(
    (one, other) => Number(isIn(repeated)(one)) - Number(isIn(repeated)(other)),
  );
  if (!last || removed.length === 1) return undefined;
  const others = removed.filter((mapping) => mapping !== last);
  const again = repeated.filter(isIn([last]));
  return [
    edit([], others),
    edit(
      repeated.filter((mapping) => !again.includes(mapping)),
      [last],
    ),
    edit(again, []),
  ].flat();
}

/** One request, unless it would do nothing. */
function edit(added: readonly Data[], removed: readonly Data[]): readonly Data[] {
  if (added.length === 0 && removed.length === 0) return [];
  return [
    {
      ...(added.length > 0 && { tableMappingsToAdd: added }),
      ...(removed.length > 0 && {
        tableMappingsToRemove: removed.map((mapping) => pick(mapping, namesOfRemoved)),
      }),
    },
  ];
}
