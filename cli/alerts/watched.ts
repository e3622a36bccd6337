import { milliseconds, readTile, type Series, type Tile } from "../../drawing";
import { enums } from "../../provider/api/enums.golden";
import { isEmpty } from "../../provider/values/compare";
import { isObject, isSameId, type PropertyMap, pick } from "../../provider/values/data";
import { containsUnknown } from "../../provider/values/unknown";
import { type Granularity, type Question, queryOf } from "../shared/chartData";
import { isHidden } from "../shared/secrets";
import type { FiringRule } from "./firings";

/** The queries for the values of an alert, and a function that computes the compared value from the results of the queries. */
export interface Watched {
  readonly questions: readonly Question[];
  readonly rule: FiringRule;
  /** The value that the alert compares with its threshold, from one bucket's query results; undefined if there is none. */
  readonly value: (answers: readonly (number | undefined)[]) => number | undefined;
}

/** The reason why the firings of an alert cannot be computed. */
export interface Unknowable {
  readonly reason: string;
}

/** The objects that an alert may refer to: dashboards, saved searches and sources. */
export interface Surroundings {
  readonly dashboards: readonly unknown[];
  readonly searches: readonly unknown[];
  readonly sourceOf: (name: string | undefined) => string | undefined;
}

/** The aggregate functions of the API's operation for chart series. */
const aggregations = ["count", "count_distinct", "sum", "avg", "min", "max", "quantile", "last_value"];

/** The types of dashboard tiles that can have alerts. */
const kinds = ["line", "time", "stacked_bar", "stacked_line", "number"];

/** The queries for the values that an alert compares, in the form of the API's operation for chart series. */
export function watchedBy(alert: PropertyMap, surroundings: Surroundings): Watched | Unknowable {
  const rule = ruleOf(alert);
  if ("reason" in rule) return rule;
  const granularity = enums.granularity.find((candidate) => milliseconds(candidate) === rule.interval);
  if (granularity === undefined) return { reason: `no chart has buckets of its interval, ${alert.interval}` };
  if (alert.source === "search" || alert.source === "saved_search")
    return ofSearch(alert, rule, granularity, surroundings);
  const tile = tileOf(alert, surroundings.dashboards);
  if ("reason" in tile) return tile;
  const { name: _, ...content } = tile.members;
  const reason = openIn({ chart: content }, "a part of its chart");
  return reason === undefined ? ofTile(tile, rule, granularity, surroundings) : { reason };
}

/** The reason why a part of an alert cannot be used: it is secret, or a preview does not know it yet. */
function openIn(value: PropertyMap, what: string): string | undefined {
  if (isHidden(value)) return `${what} is secret`;
  return containsUnknown(value) ? `${what} is not known yet` : undefined;
}

/** The properties of an alert that decide when it fires. */
const decisive = [
  ...["threshold", "thresholdMax", "thresholdType", "interval", "numConsecutiveWindows"],
  ...["detectionMode", "scheduleOffsetMinutes", "scheduleStartAt", "groupBy"],
];

function ruleOf({
  threshold,
  thresholdMax,
  thresholdType,
  interval,
  ...alert
}: PropertyMap): FiringRule | Unknowable {
  const members = pick({ threshold, thresholdMax, thresholdType, interval, ...alert }, decisive);
  for (const [name, value] of Object.entries(members)) {
    const reason = openIn({ [name]: value }, `its ${name}`);
    if (reason !== undefined) return { reason };
  }
  const length = typeof interval === "string" ? milliseconds(interval) : undefined;
  if (typeof threshold !== "number") return { reason: "its threshold is not known yet" };
  if (length === undefined) return { reason: "its interval is not known yet" };
  if (alert.detectionMode === "anomaly")
    return { reason: "it compares with what was usual, not with its threshold" };
  if (alert.scheduleOffsetMinutes) return { reason: "its windows are shifted by scheduleOffsetMinutes" };
  if (alert.scheduleStartAt) return { reason: "its windows begin at scheduleStartAt" };
  const runs = typeof alert.numConsecutiveWindows === "number" ? alert.numConsecutiveWindows : 1;
  return {
    ...{ threshold, thresholdType: String(thresholdType), interval: length, runs },
    ...(typeof thresholdMax === "number" && { thresholdMax }),
  };
}

/** The query for an alert on a saved search, which counts records. */
function ofSearch(
  alert: PropertyMap,
  rule: FiringRule,
  granularity: Granularity,
  { searches, sourceOf }: Surroundings,
): Watched | Unknowable {
  const wanted = alert.savedSearch ?? alert.savedSearchId;
  const search = searches.filter(isObject).find(({ id }) => id === wanted);
  if (!search) return { reason: "its saved search is not known yet, or is gone" };
  if (alert.groupBy) return { reason: `it fires for each value of ${alert.groupBy}` };
  if (!isEmpty(search.filters)) return { reason: "its saved search has filters, which no chart takes" };
  const { where = "", whereLanguage = "lucene" } = search;
  const asked = { where, whereLanguage, source: search.sourceId ?? search.source };
  const reason = openIn(asked, "a part of its saved search");
  if (reason !== undefined) return { reason };
  const sourceId = sourceOf(textOf(search.sourceId ?? search.source));
  if (sourceId === undefined) return { reason: "the source of its saved search is not there" };
  const series = { aggFn: "count", where: String(where), whereLanguage: String(whereLanguage), groupBy: [] };
  return {
    ...{ rule, questions: [{ query: queryOf(series, sourceId), granularity }] },
    value: ([count]) => count,
  };
}

function tileOf(alert: PropertyMap, dashboards: readonly unknown[]): Tile | Unknowable {
  if (alert.source === "inline")
    return isObject(alert.chartConfig)
      ? readTile({ config: alert.chartConfig })
      : { reason: "the service does not show its chart" };
  const tiles = dashboardsOf(alert, dashboards).flatMap(({ tiles }) => (Array.isArray(tiles) ? tiles : []));
  const tile = tiles.filter(isObject).find(({ id }) => id !== undefined && id === alert.tileId);
  return tile ? readTile(tile) : { reason: "its tile is not known yet, or is gone" };
}

/** The dashboards that may have the tile of an alert: the alert's own, or all if that is not known. */
export function dashboardsOf(
  { dashboardId, dashboard = dashboardId }: PropertyMap,
  dashboards: readonly unknown[],
): readonly PropertyMap[] {
  const all = dashboards.filter(isObject);
  const own = all.filter(({ id }) => isSameId(id, dashboard));
  return own.length > 0 ? own : all;
}

/** The queries for an alert on a tile, which compares the value of the tile's last column. */
function ofTile(
  tile: Tile,
  rule: FiringRule,
  granularity: Granularity,
  { sourceOf }: Surroundings,
): Watched | Unknowable {
  const config = (isObject(tile.members.config) ? tile.members.config : tile.members) as PropertyMap;
  const reason = unknowableIn(tile, config);
  if (reason !== undefined) return { reason };
  const compared = <Entry>(entries: readonly Entry[]) =>
    tile.asRatio ? entries.slice(0, 2) : entries.slice(-1);
  const selected = compared(selectedIn(config));
  const questions: Question[] = [];
  for (const [index, series] of compared(tile.series).entries()) {
    const sourceId = sourceOf(series.source);
    if (sourceId === undefined) return { reason: "its source is not known yet, or is gone" };
    const filter = selected[index] ? bothFilters(config, selected[index]) : filterOf(series);
    if (filter === undefined) return { reason: "its chart has filters in two languages" };
    questions.push({ query: queryOf({ ...series, ...filter }, sourceId), granularity });
  }
  return {
    ...{ rule, questions },
    // For a ratio, a division by zero gives no number. The alert then counts the value as 0.
    value: ([first, second]) =>
      tile.asRatio ? (first !== undefined && second ? first / second : undefined) : first,
  };
}

function unknowableIn({ kindName, series, query, asRatio }: Tile, config: PropertyMap): string | undefined {
  if (query !== undefined) return "it runs SQL of its own, which no chart takes";
  if (!kinds.includes(kindName)) return `no chart shows a tile of the kind ${kindName}`;
  if (Array.isArray(config.formulas) && config.formulas.length > 0) return "it compares a formula";
  const watched = asRatio ? series.slice(0, 2) : series.slice(-1);
  if (watched.length < (asRatio ? 2 : 1)) return "its tile has no series";
  const grouping = watched.find(({ groupBy }) => groupBy.length > 0)?.groupBy;
  if (grouping) return `it fires for each value of ${grouping.join(", ")}`;
  const unknown = watched.find(({ aggFn = "count" }) => !aggregations.includes(aggFn))?.aggFn;
  if (unknown !== undefined) return `no chart aggregates by ${unknown}`;
  return selectedIn(config).some(({ periodAggFn }) => periodAggFn) ? "no chart takes periodAggFn" : undefined;
}

function selectedIn({ select }: PropertyMap): readonly PropertyMap[] {
  return Array.isArray(select) ? select.filter(isObject) : [];
}

type Filter = Pick<Series, "where" | "whereLanguage">;

const filterOf = ({ where, whereLanguage }: Series): Filter => ({ where, whereLanguage });

/** The filters of one series and of the whole chart combined; undefined if one is in SQL and the other in Lucene. */
function bothFilters(chart: PropertyMap, series: PropertyMap): Filter | undefined {
  const [whole, ofSeries] = [chart, series].map(({ where, whereLanguage }) => ({
    where: textOf(where)?.trim() ?? "",
    whereLanguage: textOf(whereLanguage) ?? "lucene",
  })) as [Required<Filter>, Required<Filter>];
  if (whole.where === "" || ofSeries.where === "") return whole.where === "" ? ofSeries : whole;
  if (ofSeries.whereLanguage !== whole.whereLanguage) return undefined;
  return { ...ofSeries, where: `(${whole.where}) AND (${ofSeries.where})` };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
