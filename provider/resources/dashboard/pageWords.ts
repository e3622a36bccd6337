/**
 * The words of dashboards that the product's page exports, where the API has others for the same. Somebody who copies a
 * tile from such a file is told the word of the API.
 */
const pageWords: Readonly<Record<string, string>> = {
  aggCondition: "where",
  aggConditionLanguage: "whereLanguage",
  isDelta: 'periodAggFn: "delta"',
  source: "sourceId",
  connection: "connectionId",
};

/** What the API calls a member of the page, such as `where` for `aggCondition`, if that is one of the known names. */
export function wordOfApi(name: string, names: readonly string[]): string | undefined {
  const word = Object.hasOwn(pageWords, name) ? pageWords[name] : undefined;
  const [member] = word?.split(":") ?? [];
  return member !== undefined && names.includes(member) ? word : undefined;
}
