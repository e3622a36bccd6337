import type { Data } from "../../values/data";

/**
 * The words of dashboards that the product's page exports, where the API has others for the same. Somebody who copies a
 * tile from such a file is told the word of the API, and `pipestack import --json` writes it.
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

/** What the API calls a member of the page, such as `where` for `aggCondition`, if that is one of the known names. */
export function wordOfApi(name: string, names: readonly string[]): string | undefined {
  const word = Object.hasOwn(pageWords, name) ? pageWords[name] : undefined;
  const [member] = word?.split(":") ?? [];
  return member !== undefined && names.includes(member) ? word : undefined;
}

/**
 * Members of the page by the words of the API.
 *
 * @param names the members that the API has there
 * @returns the members that it has, and the names of those that it lacks
 */
export function inWordsOfApi(
  members: Data,
  names: readonly string[],
): { readonly held: Data; readonly lost: readonly string[] } {
  const held: Record<string, unknown> = {};
  const lost: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    const word = names.includes(name) ? name : wordOfApi(name, names);
    // A word with a value, such as `asRatio: true`, says all that the page's member says.
    const [member, fixed] = word?.split(": ") ?? [];
    if (member === undefined) lost.push(name);
    else held[member] = fixed === undefined ? value : JSON.parse(fixed);
  }
  return { held, lost };
}
