import { dialects } from "../../api/dialect";
import { isOlder } from "../../api/serverVersion";
import type { Session } from "../../lifecycle/session";
import { labelOf } from "../../values/compare";
import { isObject, type PropertyMap } from "../../values/data";
import { tilesIn } from "./tiles";

/**
 * Removes members that the console leaves behind when somebody edits a series, and that servers refuse in every request: a
 * `level` without a quantile, and a `valueExpression` beside `count`.
 */
export function withoutLeftovers(tile: PropertyMap): PropertyMap {
  return withSeries(tile, (series) => {
    const left = leftoversOf(series);
    return Object.fromEntries(Object.entries(series).filter(([name]) => !left.includes(name)));
  });
}

/**
 * The paths of members in the series of tiles that servers refuse, and that the console leaves behind when somebody edits a
 * series.
 */
export function leftoversIn(dashboard: PropertyMap): string[] {
  return tilesIn(dashboard.tiles).flatMap((tile, at) =>
    seriesIn(tile).flatMap((series, index) =>
      leftoversOf(series).map((name) => labelOf(dashboard, ["tiles", at, "config", "select", index, name])),
    ),
  );
}

function leftoversOf({ aggFn, level, valueExpression }: PropertyMap): string[] {
  if (typeof aggFn !== "string") return [];
  return [
    ...(level !== undefined && aggFn !== "quantile" ? ["level"] : []),
    ...((valueExpression ?? "") !== "" && aggFn === "count" ? ["valueExpression"] : []),
  ];
}

/** The first version of ClickStack that accepts the series of a metric without an expression. */
const metricsSince = "2.38";

/**
 * Adds the expression `Value` to series of metrics without one. Servers of an old or unknown version require it, although
 * HyperDX's own console and templates leave it out.
 */
export async function withMetricValues(body: PropertyMap, session: Session): Promise<PropertyMap> {
  const tiles = tilesIn(body.tiles);
  const { hasTileConfig } = dialects[session.settings.dialect];
  if (!hasTileConfig || !tiles.some((tile) => seriesIn(tile).some(isMetricAlone))) return body;
  const version = await session.serverVersion();
  if (version !== undefined && !isOlder(version, metricsSince)) return body;
  const named = (series: PropertyMap) =>
    isMetricAlone(series) ? { ...series, valueExpression: "Value" } : series;
  return { ...body, tiles: tiles.map((tile) => withSeries(tile, named)) };
}

function isMetricAlone({ aggFn, metricName, metricType, valueExpression }: PropertyMap): boolean {
  const isMetric = [metricName, metricType].every((part) => typeof part === "string" && part !== "");
  return isMetric && aggFn !== "count" && (valueExpression ?? "") === "";
}

/** The series of a tile for which the server builds the query; none for a query in SQL. */
function seriesIn({ config }: PropertyMap): readonly PropertyMap[] {
  if (!isObject(config) || config.configType !== undefined || !Array.isArray(config.select)) return [];
  return config.select.map((series) => (isObject(series) ? series : {}));
}

function withSeries(tile: PropertyMap, changed: (series: PropertyMap) => PropertyMap): PropertyMap {
  const { config } = tile;
  if (seriesIn(tile).length === 0 || !isObject(config)) return tile;
  const select = (config.select as unknown[]).map((series) => (isObject(series) ? changed(series) : series));
  return { ...tile, config: { ...config, select } };
}
