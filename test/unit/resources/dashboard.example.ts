import type { PropertyMap } from "../../../provider/values/data";
import type { Dashboard, Sandbox, Tile } from "../../../sandbox/index";
import { dashboardSent, dashboardWholes, prometheus } from "./dashboardWholes";
import { type Example, type JsonObject, placed } from "./example";
import { home } from "./home";
import { addSource } from "./source.example";
import { configs, numberFormat } from "./tileConfigs";

const tile: Omit<Tile, "id"> = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "number", aggFn: "count", where: "" }],
};

const ingestion = { name: "Ingestion", tags: ["a"], tiles: [tile] };

export const dashboardExample: Example = {
  valid: placed("66f0c2d8a1b2c3d4e5f60702", {
    name: "Ingestion",
    tiles: [
      {
        ...{ id: "66f0c2d8a1b2c3d4e5f60703", name: "Errors", x: 0, y: 0, w: 12, h: 4, asRatio: true },
        series: [
          {
            type: "time",
            dataSource: "logs",
            aggFn: "count",
            where: "level:error",
            groupBy: ["service", "host"],
          },
          {
            ...{ type: "time", sourceId: "66f0c2d8a1b2c3d4e5f60704", aggFn: "quantile", level: 0.95 },
            ...{ field: "Duration", where: "", whereLanguage: "lucene", alias: "slowest", numberFormat },
            ...{ metricName: "http.server.duration", metricDataType: "gauge", displayType: "stacked_bar" },
            ...{ sortOrder: "asc", fields: ["Body"], content: "# Title", groupBy: [] },
          },
        ],
      },
      { name: "Rows", x: 12, y: 0, w: 6, h: 4, series: [{ type: "number", aggFn: "sum", where: "" }] },
      { name: "By service", x: 0, y: 4, w: 6, h: 4, config: configs.table },
      { name: "Load", x: 6, y: 4, w: 6, h: 4, config: configs.number },
      { name: "Durations", x: 12, y: 4, w: 6, h: 4, config: configs.heatmap },
    ],
    tags: ["production", "ingestion"],
  } as JsonObject),
  wholes: dashboardWholes,
  alternatives: {
    ...{
      displayType: [],
      configType: [],
      heatmapMode: [],
      type: [],
      connectionId: [],
      containerId: [],
      tabId: [],
      // Servers in the dialect `clickhouse` do not keep the sort order of a tile, so the tests do not change it.
      sortOrder: [],
      // Only a quantile has a level, and a count has no expression, so a change of the aggregate function would change two
      // properties.
      aggFn: [],
      name: ["Another name"],
      expression: ["A * 100"],
      // The general tests have no other value for the source of a PromQL tile: it must be a source in PromQL, and the sandbox
      // has only one.
      [prometheus]: [],
    },
    ...{ sourceId: ["65f1c0a2b3d4e5f607182912"], appliesToSourceIds: [["65f1c0a2b3d4e5f607182912"]], id: [] },
  },
  // Servers in the dialect `clickhouse` convert a tile's series into a config, so their answers show a changed series only as a
  // whole.
  shownAt(path, _program, dialect) {
    if (/series\[\d+\]\.(sortOrder|displayType)$/.test(path)) return undefined;
    return dialect === "clickhouse" ? path.replace(/\.series\[.*/, ".series") : path;
  },
  equivalents: { "with all": { tags: ["a", "b"] } },
  bodyOf: dashboardSent,
  needs: {
    "with series of each type": { dialect: "clickhouse" },
    "with series of newer servers": { dialect: "clickhouse" },
    "with filters of newer servers": { dialect: "clickhouse", apis: "observability" },
    "with what ClickHouse Cloud has besides": { dialect: "clickhouse", apis: "management" },
    "with a heatmap of series": { dialect: "clickhouse", apis: "observability" },
  },
  programs: () => [
    ingestion,
    {
      ...ingestion,
      tiles: [
        { ...tile, x: 12 },
        { ...tile, name: "Rows" },
      ],
    },
  ],
  find: ({ store }, id) => store.dashboards.get(id),
  asDeclared: ({ tiles, ...dashboard }) => ({
    ...dashboard,
    tiles: (tiles as PropertyMap[]).map(({ id: _, ...members }) => members),
  }),
  furnish({ sandbox }) {
    addSource(sandbox, { id: prometheus, name: "Prometheus", kind: "promql" });
    addDashboard(sandbox, { id: home.id, name: "Home", tiles: [{ ...tile, id: home.tileId }] });
    addDashboard(sandbox, { id: "aaaaaaaaaaaaaaaaaaaaaaa3" });
  },
  home: home.id,
  creatable: {
    id: "bbbbbbbbbbbbbbbbbbbbbbb3",
    add: ({ sandbox }, id) => addDashboard(sandbox, { id, name: "Old" }),
  },
};

export function addDashboard({ store, credentials }: Sandbox, changed: Partial<Dashboard>): void {
  const tiles = [{ ...tile, id: `${changed.id?.slice(0, -1)}f` }];
  const record = {
    id: "",
    serviceId: credentials.serviceId,
    name: "Ingestion",
    tiles,
    tags: ["a"],
    ...changed,
  };
  store.dashboards.set(record.id, record);
}
