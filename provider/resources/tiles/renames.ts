import { isEmpty } from "../../values/compare";
import { isObject, type PropertyMap } from "../../values/data";
import { containsUnknown } from "../../values/unknown";
import { kindOfTile } from "./tileConfig";

/** Tells whether a declared tile or filter is a former one under a new name. */
export type IsRename = (declared: PropertyMap, former: PropertyMap) => boolean;

/** The members of a tile that determine what it shows, as opposed to its appearance. */
const ofTiles: ReadonlySet<string> = new Set([
  ...["displayType", "configType", "heatmapMode", "type"],
  ...["sourceId", "dataSource", "connectionId"],
  ...["select", "formulas", "asRatio", "sqlTemplate", "where", "whereLanguage", "markdown"],
  ...["aggFn", "valueExpression", "field", "level", "expression", "fields", "content"],
  ...["metricName", "metricType", "metricDataType", "periodAggFn"],
]);

export const isRenamedTile: IsRename = (declared, former) => isSame(contentOf(declared), contentOf(former));

/** The content of a tile, by which a renamed one is recognized. A tile of an unknown kind is compared as a whole. */
function contentOf({ config, series, asRatio }: PropertyMap): unknown {
  const isKnown = !isObject(config) || kindOfTile(config) !== undefined;
  return tellingPart({ config, series, asRatio }, isKnown ? ofTiles : undefined, ["config", "series"]);
}

const ofFilters: ReadonlySet<string> = new Set([
  ...["type", "sourceId", "sourceMetricType", "expression", "options", "label"],
]);

export const isRenamedFilter: IsRename = (declared, former) => {
  const [one, other] = [declared, former].map((filter) =>
    tellingPart({ type: "QUERY_EXPRESSION", ...filter }, ofFilters),
  );
  return isSame(one, other);
};

/** Whether two tiles or filters have the same content. Content with unknown values equals nothing. */
function isSame(one: unknown, other: unknown): boolean {
  return !containsUnknown(one) && !containsUnknown(other) && JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The members of a tile or filter by which a renamed one is recognized: sorted by name, and without those that have an empty
 * value.
 */
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
    // A filter expression without a language is in Lucene.
    !(name === "whereLanguage" && member === "lucene");
  return Object.entries(value)
    .filter(isTelling)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, tellingPart(member, telling)]);
}
