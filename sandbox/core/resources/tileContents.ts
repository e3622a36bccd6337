import type { DashboardParts } from "./dashboardParts";
import type { BodyFailure, Tile, TileBody, TileSeries } from "./dashboardRecords";
import { formulaFailures } from "./formulas";

type Config = Record<string, unknown>;

/** Checks the tiles of a dashboard by rules across several properties, and returns the violations. */
export function failuresInTiles(
  tiles: readonly TileBody[],
  has: Pick<DashboardParts, "metricSeries">,
): BodyFailure[] {
  return tiles.flatMap((tile, index) => {
    const path = `tiles.${index}`;
    const { id, series, config, asRatio } = tile;
    const failures: BodyFailure[] = [];
    if (series && config) failures.push({ path, message: "Tile cannot have both series and config" });
    if (!series && !config) failures.push({ path, message: "Tile must have either series or config" });
    if (config && asRatio !== undefined)
      failures.push({
        path,
        message:
          "asRatio property is not supported when using config property. Specify config.asRatio instead.",
      });
    if (series?.some(({ type }) => type !== series[0]?.type))
      failures.push({ path: `${path}.series`, message: "All series must have the same type" });
    if (id !== undefined && tiles.findIndex((tile) => tile.id === id) !== index)
      failures.push({
        path: `${path}.id`,
        message: `Duplicate tile ID ${id}. Omit the ID to generate a unique one.`,
      });
    return config ? [...failures, ...failuresInConfig(config, `${path}.config`, has)] : failures;
  });
}

function failuresInConfig(
  config: Config,
  path: string,
  has: Pick<DashboardParts, "metricSeries">,
): BodyFailure[] {
  if (config.configType === "promql") return [];
  const {
    displayType,
    select,
    asRatio,
    formulas = [],
  } = config as {
    formulas?: { expression: string }[];
  } & Config;
  const failures: BodyFailure[] = [];
  if (asRatio === true && !(Array.isArray(select) && select.length === 2))
    failures.push({ path, message: "asRatio can only be used with exactly two select items" });
  if (asRatio === true && formulas.length > 0)
    failures.push({ path, message: "formulas cannot be used with asRatio" });
  const isDistribution = displayType === "heatmap" && config.heatmapMode !== "series";
  if (Array.isArray(select)) {
    const most = ["pie", "bar", "heatmap"].includes(String(displayType)) ? 1 : 20;
    if (select.length === 0 || select.length > most)
      failures.push({ path: `${path}.select`, message: `must have 1 to ${most} items` });
  }
  if (!Array.isArray(select) || isDistribution) return failures;
  failures.push(...failuresInFormulas(formulas, select.length, `${path}.formulas`));
  if (displayType === "number" && formulas.length > 1)
    failures.push({ path, message: "Number tiles support a single formula" });
  if (displayType === "number" && formulas.length === 0 && select.length > 1)
    failures.push({ path: `${path}.select`, message: "Number tiles support a single select item" });
  select.forEach((item: Config, index) => {
    const { aggFn, level, valueExpression, metricName, metricType } = item;
    const at = `${path}.select.${index}`;
    const isMetric = has.metricSeries && Boolean(metricName && metricType);
    if (has.metricSeries && metricType === "summary")
      failures.push({ path: at, message: "No query support for metric type 'summary'" });
    if (has.metricSeries && aggFn === "increase" && metricType !== "sum")
      failures.push({
        path: at,
        message: "Aggregation function 'increase' is only supported for Sum (counter) metrics",
      });
    if (level !== undefined && ![0.5, 0.9, 0.95, 0.99].includes(Number(level)))
      failures.push({ path: at, message: "Level must be one of 0.5, 0.9, 0.95, 0.99" });
    if (level && aggFn !== "quantile")
      failures.push({ path: at, message: "Level can only be used with quantile aggregation function" });
    if (aggFn === "count" && valueExpression)
      failures.push({ path: at, message: "Value expression cannot be used with count aggregation function" });
    if (aggFn !== "count" && !valueExpression && !isMetric)
      failures.push({
        path: at,
        message: "Value expression is required for non-count aggregation functions",
      });
  });
  return failures;
}

function failuresInFormulas(
  formulas: readonly { readonly expression: string }[],
  seriesCount: number,
  path: string,
): BodyFailure[] {
  return formulas.flatMap(({ expression }, index) =>
    formulaFailures(expression, seriesCount).map((message) => ({
      path: `${path}.${index}.expression`,
      message,
    })),
  );
}

/** Converts a dashboard tile to the form of HyperDX's responses: with `config`, and with the values that the server adds. */
export function shownTile({ series, asRatio, config, ...tile }: Tile): Tile {
  return { ...tile, config: config ? shownConfig(config) : configOf(series ?? [], asRatio === true) };
}

/**
 * Converts a tile's `config` to the form of responses: with the values that newer servers add, and without an empty list of
 * color rules, which they drop.
 */
export function shownConfig(config: Config): Config {
  if (config.configType === "promql") return config;
  const { displayType, configType, colorRules, ...members } = config;
  const isOverTime = ["line", "stacked_bar", "stacked_line"].includes(String(displayType));
  const isBuilder = configType !== "sql";
  const content = {
    ...(configType !== undefined && { configType }),
    displayType,
    ...members,
    ...(Array.isArray(colorRules) && colorRules.length > 0 && { colorRules }),
    ...(isOverTime && { fillNulls: config.fillNulls !== false }),
  };
  if (!isBuilder) return content;
  if (displayType === "markdown") return content;
  const isDistribution = displayType === "heatmap" && config.heatmapMode !== "series";
  if (isDistribution || displayType === "search" || displayType === "event_patterns") {
    const byDefault = { where: "", whereLanguage: "lucene" };
    return { ...(displayType === "event_patterns" && { select: "" }), ...byDefault, ...content };
  }
  return {
    ...((isOverTime || displayType === "table") && { asRatio: false }),
    ...content,
    ...(Array.isArray(config.select) && {
      select: config.select.map((item) => ({
        valueExpression: "",
        where: "",
        whereLanguage: "lucene",
        ...item,
      })),
    }),
  };
}

/** Makes the `config` that HyperDX's server makes of a tile's `series`. The sort order and some quantiles are lost. */
function configOf(series: readonly TileSeries[], asRatio: boolean): Config {
  const [first] = series;
  if (!first) return { displayType: "markdown" };
  const { type, sourceId, where = "", whereLanguage = "lucene" } = first;
  if (type === "markdown")
    return { displayType: "markdown", ...(first.content && { markdown: first.content }) };
  if (type === "search")
    return { displayType: "search", sourceId, select: (first.fields ?? []).join(", "), where, whereLanguage };
  const numberFormat = (type === "number" ? [first] : series).find((item) => item.numberFormat)?.numberFormat;
  const displayType = type === "time" ? (first.displayType ?? "line") : type;
  const groupBy = first.groupBy?.join(",");
  return shownConfig({
    displayType,
    sourceId,
    ...(type !== "number" && { asRatio: asRatio && series.length === 2, ...(groupBy && { groupBy }) }),
    ...(numberFormat && { numberFormat }),
    select: (type === "number" ? [first] : series).map(selectItem),
  });
}

function selectItem(series: TileSeries): Config {
  const { aggFn = "none", level, alias, metricName, metricDataType, field = "" } = series;
  return {
    ...(alias && { alias }),
    ...(metricDataType && { metricType: metricDataType }),
    ...(metricName && { metricName }),
    // A chart series that counts events needs no expression, so HyperDX's server drops the expression.
    valueExpression: aggFn === "count" ? "" : field,
    aggFn,
    where: series.where ?? "",
    whereLanguage: series.whereLanguage ?? "lucene",
    ...(aggFn === "quantile" && [0.5, 0.9, 0.95, 0.99].includes(level ?? -1) && { level }),
  };
}
