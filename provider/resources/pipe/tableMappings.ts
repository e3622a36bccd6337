import {
  type Difference,
  differences,
  equal,
  equalByDefault,
  isAbsent,
  leavesOf,
} from "../../values/compare";
import { isObject, type PropertyMap, pick } from "../../values/data";
import { valueAt } from "../../values/pairing";
import { schemaAt } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import { schemaOfSource } from "./pipeInputs";

/** The members of a table mapping that name the source table which the pipe reads. */
const sourceNames = [
  ...["sourceSchemaName", "sourceDatabaseName", "sourceDatasetName"],
  ...["sourceTable", "sourceCollection"],
];

export const mappingsIn = ({ tableMappings }: PropertyMap): readonly PropertyMap[] =>
  Array.isArray(tableMappings) ? tableMappings.filter(isObject) : [];

/**
 * The key of a table mapping: its source table, of which a pipe has at most one; undefined if a preview does not know the
 * table.
 */
export function mappingKey(mapping: PropertyMap): string | undefined {
  const names = sourceNames.filter((name) => mapping[name] !== undefined);
  const texts = names.map((name) => mapping[name]);
  return texts.length > 0 && texts.every((text) => typeof text === "string")
    ? JSON.stringify(texts)
    : undefined;
}

/** The name of a source table for messages, from its {@link mappingKey}: `public.orders`. */
export const tableName = (key: string): string => (JSON.parse(key) as string[]).join(".");

/**
 * The table mappings on the service, as a program declares them. Undeclared members are left out, since the service fills in
 * engines and empty lists of columns.
 */
export function declaredForm(
  live: readonly PropertyMap[],
  declared: readonly PropertyMap[],
): readonly PropertyMap[] {
  const byKey = new Map(declared.map((mapping) => [mappingKey(mapping), mapping]));
  return live.map((mapping) => {
    const known = byKey.get(mappingKey(mapping));
    return known ? pick(mapping, Object.keys(known)) : mapping;
  });
}

/** The schema of a table mapping of a kind of source, such as `postgres`. */
const mappingSchema = (kind: string): TSchema => schemaAt(schemaAt(schemaOfSource(kind), "tableMappings"), 0);

/** The members by which a request names a table mapping that it removes. */
const namesOfRemoved = [
  ...["sourceSchemaName", "sourceTable", "sourceDatabaseName", "sourceCollection", "targetTable"],
  "tableEngine",
];

/** Whether a table mapping on the service equals the declared one, and has no value that the program has stopped declaring. */
function isAsDeclared(
  kind: string,
  wanted: PropertyMap,
  live: PropertyMap,
  before: PropertyMap = {},
): boolean {
  const schema = mappingSchema(kind);
  const isLeft = ({ keys, schema: ownSchema, left, right }: Difference) => {
    const now = valueAt(live, keys);
    return (
      isAbsent(right) &&
      !isAbsent(left) &&
      equal(ownSchema, now, left) &&
      !equalByDefault(ownSchema, now, undefined)
    );
  };
  return (
    differences(schema, wanted, live, "left").length === 0 &&
    !differences(schema, before, wanted).flatMap(leavesOf).some(isLeft)
  );
}

/** The keys of the tables whose mappings change, so that an update removes each and adds it again: the pipe loads it anew. */
export function reloadedTables(
  kind: string,
  wanted: readonly PropertyMap[],
  before: readonly PropertyMap[],
): readonly string[] {
  const formerly = new Map(before.map((mapping) => [mappingKey(mapping), mapping]));
  return wanted.flatMap((mapping) => {
    const key = mappingKey(mapping);
    const former = formerly.get(key);
    return key === undefined || !former || isAsDeclared(kind, mapping, former, former) ? [] : [key];
  });
}

/**
 * The bodies of the requests that change the tables of a database pipe, in their order. Mappings that are no longer declared,
 * or declared differently, are removed first, since one request cannot remove a table and add it again.
 *
 * @param kind the kind of source, such as `postgres`
 * @param before the mappings that the program declared before
 * @returns undefined if no requests can do it: a pipe always keeps at least one table, so its only one cannot be removed and
 * added again
 */
export function editsOf(
  kind: string,
  wanted: readonly PropertyMap[],
  live: readonly PropertyMap[],
  before: readonly PropertyMap[],
): readonly PropertyMap[] | undefined {
  const [byKey, formerly] = [live, before].map(
    (list) => new Map(list.map((mapping) => [mappingKey(mapping), mapping])),
  );
  const isKept = (mapping: PropertyMap) => {
    const found = byKey?.get(mappingKey(mapping));
    return found !== undefined && isAsDeclared(kind, mapping, found, formerly?.get(mappingKey(mapping)));
  };
  const kept = new Set(wanted.filter(isKept).map(mappingKey));
  const isIn = (list: readonly PropertyMap[]) => (mapping: PropertyMap) =>
    list.some((other) => mappingKey(other) === mappingKey(mapping));
  const added = wanted.filter((mapping) => !kept.has(mappingKey(mapping)));
  const removed = live.filter((mapping) => !kept.has(mappingKey(mapping)));
  const repeated = added.filter(isIn(removed));
  const fresh = added.filter((mapping) => !repeated.includes(mapping));
  if (kept.size > 0 || fresh.length > 0 || removed.length === 0)
    return [edit(fresh, removed), edit(repeated, [])].flat();
  // The service refuses to remove the last table of a pipe, so one former table mapping stays until a new one is added.
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

/** Whether the source of a pipe shows that a change of its tables was carried out. */
export function areEdited(
  source: PropertyMap,
  { tableMappingsToAdd, tableMappingsToRemove }: PropertyMap,
): boolean {
  const keys = new Set(mappingsIn(source).map(mappingKey));
  const keysIn = (tableMappings: unknown) => mappingsIn({ tableMappings }).map(mappingKey);
  return (
    keysIn(tableMappingsToAdd).every((key) => keys.has(key)) &&
    keysIn(tableMappingsToRemove).every((key) => !keys.has(key))
  );
}

function edit(added: readonly PropertyMap[], removed: readonly PropertyMap[]): readonly PropertyMap[] {
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
