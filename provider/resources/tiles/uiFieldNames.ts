import type { PropertyMap } from "../../values/data";

/**
 * Names of properties in a dashboard file that the console exports, and the API's names for them. `pipestack import --json`
 * translates the properties, and errors about tiles that were copied into a program mention the API's names.
 */
const pageWords: Readonly<Record<string, string>> = {
  aggCondition: "where",
  aggConditionLanguage: "whereLanguage",
  isDelta: 'periodAggFn: "delta"',
  source: "sourceId",
  connection: "connectionId",
  seriesReturnType: "asRatio: true",
  seriesLimit: "limit",
};

/**
 * The API's name for a property of an exported dashboard file, such as `where` for `aggCondition`; undefined if `names`, the
 * properties that are possible in this place, lacks it.
 */
export function apiFieldName(name: string, names: readonly string[]): string | undefined {
  const word = Object.hasOwn(pageWords, name) ? pageWords[name] : undefined;
  const [member] = word?.split(":") ?? [];
  return member !== undefined && names.includes(member) ? word : undefined;
}

/**
 * Translates properties of an exported dashboard file to the names of the API.
 *
 * @param names the properties that the API has in the same place of a dashboard
 * @returns the translated properties, and the names of those that the API lacks
 */
export function withApiFieldNames(
  members: PropertyMap,
  names: readonly string[],
): { readonly held: PropertyMap; readonly lost: readonly string[] } {
  const held: Record<string, unknown> = {};
  const lost: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    const word = names.includes(name) ? name : apiFieldName(name, names);
    // Some names in an exported file stand for a property of the API with a fixed value, such as `asRatio: true`. The value in
    // the file is then ignored.
    const [member, fixed] = word?.split(": ") ?? [];
    if (member === undefined) lost.push(name);
    else held[member] = fixed === undefined ? value : JSON.parse(fixed);
  }
  return { held, lost };
}
