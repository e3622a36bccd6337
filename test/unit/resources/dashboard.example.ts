import fc from "fast-check";
import type { Data } from "../../../provider/values/data";
import type { Dashboard, Sandbox, Tile } from "../../../sandbox/index";
import { list, number, paths, strict, text, words } from "./contract";
import { dashboardSent, dashboardWholes, prometheus } from "./dashboardWholes";
import { changeOf, type Example, type OutsideChange, organizationId, serviceId, word } from "./example";
import { home } from "./home";
import { addSource } from "./source.example";
import { configs, numberFormat } from "./tileConfigs";

type Stored = { [name: string]: unknown };

const tile: Omit<Tile, "id"> = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "number", aggFn: "count", where: "" }],
};

const ingestion = { name: "Ingestion", tags: ["a"], tiles: [tile] };

const series = fc.record(
  {
    type: fc.constantFrom("time", "table", "number"),
    groupBy: fc.array(word, { maxLength: 2 }),
    aggFn: fc.constantFrom("count", "sum", "max"),
    where: fc.constantFrom("", "level:error", 'service:"a b"'),
    sourceId: fc.constantFrom("65f1c0a2b3d4e5f607182911", "65f1c0a2b3d4e5f607182912"),
    field: fc.constantFrom("", "Duration"),
    level: fc.constantFrom(0, 0.5, 0.95),
    whereLanguage: fc.constantFrom("lucene", "sql"),
    alias: word,
    metricName: word,
    metricDataType: fc.constantFrom("sum", "gauge"),
  },
  { requiredKeys: ["type", "groupBy"] },
);

const anyTile = fc.record(
  {
    name: word,
    x: fc.nat(12),
    y: fc.nat(20),
    w: fc.integer({ min: 1, max: 11 }),
    h: fc.integer({ min: 1, max: 9 }),
    asRatio: fc.boolean(),
    series: fc.array(series, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ["name", "x", "y", "w", "h", "series"] },
);

/** Not in the document: what newer servers have in the series of a tile and of a chart. */
export const newerSeries = {
  field: text,
  level: { ...number, minimum: 0, maximum: 1 },
  whereLanguage: text,
  metricName: text,
  metricDataType: text,
  sortOrder: words("asc", "desc"),
};
/** The same: what they have in the series of a tile alone. */
const newerTileSeries = {
  ...newerSeries,
  sourceId: text,
  whereLanguage: words("lucene", "sql"),
  alias: text,
  displayType: words("line", "stacked_bar"),
  numberFormat: { type: "object", properties: { output: text }, required: ["output"] },
  fields: list(text),
  content: text,
};
const documentedSeries = { type: text, dataSource: text, aggFn: text, where: text, groupBy: list(text) };
const dashboardBody = strict({
  name: text,
  tags: list(text),
  tiles: list(
    strict({
      id: text,
      name: text,
      ...{ x: number, y: number, w: number, h: number },
      asRatio: { type: "boolean" },
      series: list(strict({ ...documentedSeries, ...newerTileSeries })),
      // Not in the document: what newer servers take in place of series.
      config: { type: "object" },
    }),
  ),
});

export const dashboardExample: Example = {
  valid: {
    organizationId,
    serviceId,
    adoptId: "66f0c2d8a1b2c3d4e5f60702",
    name: "Ingestion",
    tiles: [
      {
        id: "66f0c2d8a1b2c3d4e5f60703",
        name: "Errors",
        x: 0,
        y: 0,
        w: 12,
        h: 4,
        asRatio: true,
        series: [
          {
            type: "time",
            dataSource: "logs",
            aggFn: "count",
            where: "level:error",
            groupBy: ["service", "host"],
          },
          {
            type: "time",
            sourceId: "66f0c2d8a1b2c3d4e5f60704",
            aggFn: "quantile",
            level: 0.95,
            field: "Duration",
            where: "",
            whereLanguage: "lucene",
            alias: "slowest",
            metricName: "http.server.duration",
            metricDataType: "gauge",
            displayType: "stacked_bar",
            sortOrder: "asc",
            numberFormat,
            fields: ["Body"],
            content: "# Title",
            groupBy: [],
          },
        ],
      },
      { name: "Rows", x: 12, y: 0, w: 6, h: 4, series: [{ type: "number", aggFn: "sum", where: "" }] },
      { name: "By service", x: 0, y: 4, w: 6, h: 4, config: configs.table },
      { name: "Load", x: 6, y: 4, w: 6, h: 4, config: configs.number },
      { name: "Durations", x: 12, y: 4, w: 6, h: 4, config: configs.heatmap },
    ],
    tags: ["production", "ingestion"],
  },
  wholes: dashboardWholes,
  others: {
    ...{
      displayType: [],
      configType: [],
      heatmapMode: [],
      type: [],
      connectionId: [],
      containerId: [],
      tabId: [],
    },
    ...{ sourceId: ["65f1c0a2b3d4e5f607182912"], appliesToSourceIds: [["65f1c0a2b3d4e5f607182912"]], id: [] },
  },
  // Newer servers turn series into a config.
  shownAt(path, _program, dialect) {
    if (/series\[\d+\]\.(sortOrder|displayType)$/.test(path)) return undefined;
    return dialect === "clickhouse" ? path.replace(/\.series\[.*/, ".series") : path;
  },
  equivalents: { "with all": { tags: ["a", "b"] } },
  sent: dashboardSent,
  needs: {
    "with series of newer servers": { dialect: "clickhouse" },
    "with filters of newer servers": { dialect: "clickhouse", apis: "observability" },
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
  randomPrograms: () =>
    fc.record(
      {
        name: word,
        tags: fc.uniqueArray(word, { maxLength: 3 }),
        tiles: fc.array(anyTile, { maxLength: 4 }),
      },
      { requiredKeys: ["name", "tiles"] },
    ),
  outsideChanges: ({ tiles = [] }) => [
    changeOf("name", (old: string) => `${old} 2`),
    changeOf("tags", (old: string[]) => [...old, "somebody's"]),
    ...tileChanges(tiles as Data[]),
  ],
  find: ({ store }, id) => store.dashboards.get(id),
  asDeclared: ({ tiles, ...dashboard }) => ({
    ...dashboard,
    tiles: (tiles as Data[]).map(({ id: _, ...own }) => own),
  }),
  furnish({ sandbox }) {
    addSource(sandbox, { id: prometheus, name: "Prometheus", kind: "promql" });
    addDashboard(sandbox, { id: home.id, name: "Home", tiles: [{ ...tile, id: home.tileId }] });
    addDashboard(sandbox, { id: "aaaaaaaaaaaaaaaaaaaaaaa3" });
  },
  requests: () => ({
    createDashboard: [{}, ingestion],
    getDashboard: [{ id: home.id }],
    updateDashboard: [{ id: home.id }, ingestion],
    deleteDashboard: [{ id: home.id }],
  }),
  contract: [
    [`GET ${paths.stack}/dashboards(?:${paths.id})?`],
    [`POST ${paths.stack}/dashboards`, dashboardBody],
    [`PUT ${paths.observability}/dashboards${paths.id}`, dashboardBody],
    [`DELETE ${paths.stack}/dashboards${paths.id}`],
  ],
  creatable: {
    operation: "createDashboard",
    list: "listDashboards",
    id: "bbbbbbbbbbbbbbbbbbbbbbb3",
    add: ({ sandbox }, id) => addDashboard(sandbox, { id, name: "Old" }),
  },
};

function tileChanges(tiles: readonly Data[]): OutsideChange[] {
  const changes: OutsideChange[] = tiles.flatMap((tile, at) => {
    const inTile = (name: string, change: (old: never) => unknown): OutsideChange => ({
      path: `tiles[${at}].${name}`,
      apply: (record) => {
        const stored = (record.tiles as Stored[])[at] as Stored;
        stored[name] = change(stored[name] as never);
      },
    });
    return [
      inTile("name", (old: string) => `${old} 2`),
      ...["x", "y", "w", "h"].map((side) => inTile(side, (old: number) => old + 1)),
      ...("asRatio" in tile ? [inTile("asRatio", (old: boolean) => !old)] : []),
      ...(tile.series as Data[]).flatMap((_, index) => seriesChanges(at, index, tile)),
    ];
  });
  if (tiles.length > 0) {
    changes.push({ path: "tiles", apply: (record) => void (record.tiles as unknown[]).pop() });
    changes.push({
      path: "tiles",
      apply: (record) =>
        void (record.tiles as unknown[]).push({
          ...(record.tiles as object[])[0],
          id: "ffffffffffffffffffffffff",
        }),
    });
  }
  return changes;
}

function seriesChanges(at: number, index: number, tile: Data): OutsideChange[] {
  const declared = (tile.series as Data[])[index] as Data;
  const changed: { readonly [name: string]: (old: never) => unknown } = {
    aggFn: (old: string) => (old === "avg" ? "min" : "avg"),
    where: () => "level:warning",
    groupBy: (old: string[]) => [...old, "host"],
    sourceId: () => "65f1c0a2b3d4e5f607182913",
    field: (old: string) => `${old}2`,
    level: (old: number) => old + 0.01,
    whereLanguage: (old: string) => (old === "sql" ? "lucene" : "sql"),
    ...Object.fromEntries(
      ["alias", "metricName", "metricDataType"].map((name) => [name, (old: string) => `${old} 2`]),
    ),
  };
  return Object.entries(changed)
    .filter(([name]) => name in declared)
    .map(([name, change]) => ({
      path: `tiles[${at}].series[${index}].${name}`,
      apply: (record) => {
        const ofTile = ((record.tiles as Stored[])[at] as Stored).series as Stored[];
        const stored = ofTile[index] as Stored;
        stored[name] = change(stored[name] as never);
      },
    }));
}

export function addDashboard({ store, credentials }: Sandbox, changed: Partial<Dashboard>): void {
  const tiles = [{ ...tile, id: `${changed.id?.slice(0, -1)}f` }];
  const own = { id: "", serviceId: credentials.serviceId, name: "Ingestion", tiles, tags: ["a"], ...changed };
  store.dashboards.set(own.id, own);
}
