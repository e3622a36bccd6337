import type { Data } from "../../values/data";

/**
 * The API's names for names in a dashboard file that the console exports. They serve the errors about tiles that somebody
 * copies from such a file into a program, and `pipestack import --json`.
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

/** The API's name for a property of an exported file, such as `where` for `aggCondition`, if it is one of the given names. */
export function wordOfApi(name: string, names: readonly string[]): string | undefined {
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
export function inWordsOfApi(
  members: Data,
  names: readonly string[],
): { readonly held: Data; readonly lost: readonly string[] } {
  const held: Record<string, unknown> = {};
  const lost: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    const word = names.includes(name) ? name : wordOfApi(name, names);
    // An entry such as `asRatio: true` stands for a property of the API and its value. The value in the exported file then does
    // not matter.
    const [member, fixed] = word?.split(": ") ?? [];
    if (member === undefined) lost.push(name);
    else held[member] = fixed === undefined ? value : JSON.parse(fixed);
  }
  return { held, lost };
}
