import { type Data, isObject, pick } from "../../values/data";

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
