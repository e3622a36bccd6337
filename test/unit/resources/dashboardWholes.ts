import type { PropertyMap } from "../../../provider/values/data";
import type { Dialect } from "../../../sandbox/index";
import type { JsonObject } from "./example";
import { cloudConfigs, configs, formulas, numberFormat } from "./tileConfigs";

const id = "65f1c0a2b3d4e5f607182911";

export const prometheus = "aaaaaaaaaaaaaaaaaaaaaa10";

const place = { x: 0, y: 0, w: 6, h: 4 };
const value = { sourceId: id, aggFn: "quantile", level: 0.5, field: "Duration", where: "a", alias: "a" };
const metric = { metricName: "a", metricDataType: "gauge", whereLanguage: "sql" };

const series: readonly JsonObject[] = [
  { type: "time", ...value, ...metric, groupBy: ["a"] },
  { type: "table", ...value, groupBy: ["a"] },
  { type: "number", ...value },
  { type: "search", sourceId: id, where: "", fields: ["Body"] },
  { type: "markdown", content: "# Title" },
];

const tiled = (contents: readonly JsonObject[]): JsonObject => ({
  name: "Board",
  tiles: contents.map((content, at) => ({ name: `Tile ${at}`, ...place, y: 4 * at, ...content })),
});

const board = {
  name: "Board",
  tags: ["b", "a"],
  tiles: [{ name: "Tile", ...place, config: configs.markdown, containerId: "top", tabId: "first" }],
  filters: [
    {
      ...{ name: "Service", expression: "ServiceName", sourceId: id, where: "a", whereLanguage: "sql" },
      ...{ type: "QUERY_EXPRESSION", sourceMetricType: "sum", appliesToSourceIds: [id] },
      isBroadcastEnabled: true,
    },
  ],
  savedQuery: "a",
  savedQueryLanguage: "sql",
  savedFilterValues: [{ type: "sql", condition: "ServiceName IN ('a')" }],
  containers: [
    {
      ...{ id: "top", title: "Top", collapsed: true, collapsible: true, bordered: false },
      tabs: [{ id: "first", title: "First" }],
    },
  ],
};

/** Example dashboards that together have every property of the resource type `Dashboard`. */
export const dashboardWholes: { readonly [title: string]: JsonObject } = {
  "with all": board,
  "with a variable": {
    ...board,
    filters: [{ ...board.filters[0], isVariableEnabled: true, variableName: "service" }],
  } as JsonObject,
  "with filters of newer servers": {
    ...{ name: "Board", tiles: [] },
    filters: [
      {
        ...board.filters[0],
        ...{ isVariableEnabled: true, variableName: "service" },
        ...{ minSelections: 1, maxSelections: 1, isGlobalRequirement: true },
      },
      {
        ...{ type: "STATIC_LIST", name: "Region", options: ["eu", "us"], variableName: "region" },
        ...{ isBroadcastEnabled: false, isVariableEnabled: true, minSelections: 0 },
      },
      {
        ...{ type: "PROMETHEUS_LABEL", name: "Job", sourceId: prometheus, label: "job", match: "up" },
        ...{ isBroadcastEnabled: false, isVariableEnabled: true },
      },
    ],
    savedFilterValues: [
      { type: "variable", name: "region", values: ["eu"] },
      { type: "adhoc", name: "own", conditions: [{ key: "job", operator: "=~", value: "a.*" }] },
    ],
  } as JsonObject,
  "with what ClickHouse Cloud has besides": {
    ...tiled(Object.values(cloudConfigs).map((config) => ({ config, description: "What it shows" }))),
    filters: [
      {
        ...{ type: "SOURCE_FILTER", name: "Service", expression: "ServiceName", sourceId: id },
        ...{ variableName: "service", isVariableEnabled: true, isBroadcastEnabled: true },
        ...{ appliesToSourceIds: [id], minSelections: 1, maxSelections: 1, isGlobalRequirement: true },
      },
    ],
    savedFilterValues: [{ type: "variable", name: "service", values: [], all: true }],
  } as JsonObject,
  "with a heatmap of series": tiled([{ config: configs["heatmap of series"] }]),
  "with a tile of each kind": tiled([
    ...Object.values(configs)
      .filter(({ heatmapMode }) => heatmapMode === undefined)
      .map((config) => ({ config })),
    { config: { ...configs.number, select: configs.line.select ?? [], formulas } },
    { config: { ...configs.line, asRatio: false } },
  ]),
  "with series of each type": tiled(series.map((item) => ({ series: [item] }))),
  "with series of newer servers": tiled([
    { series: [{ ...series[0], displayType: "line" }] },
    { series: [{ ...series[1], sortOrder: "asc" }] },
    { series: [{ ...series[2], numberFormat }] },
  ]),
};

/** Makes the request body for a dashboard, with the properties that servers require and programs may leave out. */
export function dashboardSent(
  { tiles, filters, containers, ...program }: PropertyMap,
  dialect: Dialect,
): PropertyMap {
  const withLanguage = (entry: PropertyMap) => ({ whereLanguage: "lucene", ...entry });
  const sentTile = ({ series, config, ...tile }: PropertyMap) => ({
    ...tile,
    ...(series !== undefined && {
      series:
        dialect === "neutral"
          ? series
          : listOf(series).map((item) =>
              item.type === "markdown" ? item : { where: "", ...withLanguage(item) },
            ),
    }),
    ...(config !== undefined && { config: sentConfig(config as PropertyMap) }),
  });
  const sentConfig = (config: PropertyMap) => ({
    ...config,
    ...(dialect === "clickhouse" &&
    Array.isArray(config.select) &&
    (config.displayType !== "heatmap" || config.heatmapMode === "series")
      ? { select: listOf(config.select).map(withLanguage) }
      : {}),
  });
  return {
    ...program,
    tiles: listOf(tiles).map(sentTile),
    ...(filters !== undefined && {
      filters: listOf(filters).map((filter) => ({ type: "QUERY_EXPRESSION", ...filter })),
    }),
    ...(containers !== undefined && {
      containers: listOf(containers).map((container) => ({ collapsed: false, ...container })),
    }),
  };
}

const listOf = (value: unknown) => value as readonly PropertyMap[];
