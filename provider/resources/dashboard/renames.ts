import { isEmpty } from "../../values/compare";
import { type Data, isObject } from "../../values/data";
import { containsUnknown } from "../../values/unknown";
import { kindOfTile } from "./tileConfig";

/** Tells whether a declared tile or filter is a former one under a new name. */
export type IsRename = (declared: Data, former: Data) => boolean;

/**
 * The members of a tile that determine what it shows: its kind, source and series. All other members determine its appearance.
 */
const ofTiles: ReadonlySet<string> = new Set([
  ...["displayType", "configType", "heatmapMode", "type"],
  ...["sourceId", "dataSource", "connectionId"],
  ...["select", "formulas", "asRatio", "sqlTemplate", "where", "whereLanguage", "markdown"],
  ...["aggFn", "valueExpression", "field", "level", "expression", "fields", "content"],
  ...["metricName", "metricType", "metricDataType", "periodAggFn"],
]);

/** Whether two dashboard tiles are of the same kind, and show the same series of the same source. */
export const isRenamedTile: IsRename = (declared, former) => isSame(contentOf(declared), contentOf(former));

/**
 * The content of a dashboard tile, by which a renamed tile is recognized. A tile of a kind that this version does not know is
 * compared as a whole.
 */
function contentOf({ config, series, asRatio }: Data): unknown {
  const isKnown = !isObject(config) || kindOfTile(config) !== undefined;
  return tellingPart({ config, series, asRatio }, isKnown ? ofTiles : undefined, ["config", "series"]);
}

const ofFilters: ReadonlySet<string> = new Set([
  ...["type", "sourceId", "sourceMetricType", "expression", "options", "label"],
]);

/** Whether two dashboard filters offer the same values. */
export const isRenamedFilter: IsRename = (declared, former) => {
  const [one, other] = [declared, former].map((filter) =>
    tellingPart({ type: "QUERY_EXPRESSION", ...filter }, ofFilters),
  );
  return isSame(one, other);
};

/** Whether two tiles or filters have the same content. Content with values that a preview does not know equals nothing. */
function isSame(one: unknown, other: unknown): boolean {
  return !containsUnknown(one) && !containsUnknown(other) && JSON.stringify(one) === JSON.stringify(other);
}

/** The members of a tile or filter by which a renamed one is recognized, sorted, and without empty ones. */
function tellingPart(
  value: unknown,
  telling: ReadonlySet<string> | undefined,
  further: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((entry) => tellingPart(entry, telling));
  if (!isObject(value)) return value;
  const isTelling = ([name, member]: [string, unknown]) =>
    !isEmpty(member) &&
    (telling === undefined || telling.has(name) || further.includes(name)) &&
    // A filter expression without a language is in Lucene, so `lucene` is left out before tiles are compared.
    !(name === "whereLanguage" && member === "lucene");
  return Object.entries(value)
    .filter(isTelling)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, tellingPart(member, telling)]);
}
