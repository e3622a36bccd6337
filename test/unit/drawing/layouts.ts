import type { Point, Tile, TileData } from "../../../drawing";
import { configs } from "../resources/tileConfigs";

/**
 * The content of one picture in a test: dashboards and alerts in the form of the service's answers, and the values of the
 * tiles.
 */
export interface Layout {
  readonly dashboard: object;
  readonly alerts?: readonly object[];
  /** The dashboard after a change, for a picture of the comparison. */
  readonly after?: { readonly dashboard: object; readonly alerts?: readonly object[] };
  readonly data?: (tile: Tile) => TileData | undefined;
  readonly form?: "grid" | "stack";
}

const id = "66f0c2d8a1b2c3d4e5f60718";
const series = (members: object = {}) => [
  { type: "time", aggFn: "count", where: "SeverityText:error", groupBy: ["ServiceName"], ...members },
];
const tile = (name: string, x: number, y: number, w: number, h: number, members: object = {}) => ({
  ...{ id: `tile of ${name}`, name, x, y, w, h, series: series() },
  ...members,
});
const alertOn = (name: string, members: object = {}) => ({
  ...{ name: `Too many: ${name}`, source: "tile", dashboardId: id, tileId: `tile of ${name}` },
  ...{ threshold: 100, thresholdType: "above", interval: "5m" },
  ...members,
});
const markdown = (text: string) => ({
  series: undefined,
  config: { displayType: "markdown", markdown: text },
});
const bars = (select: object) => ({
  series: undefined,
  config: { displayType: "stacked_bar", select: [select] },
});

const production = [
  tile("Errors", 0, 0, 16, 6),
  tile("Events", 16, 0, 8, 6, { series: [{ type: "number", aggFn: "count", where: "" }] }),
  tile("Latency", 0, 6, 12, 6, {
    series: series({ aggFn: "p95", where: 'SpanName:"GET /orders"', groupBy: [] }),
  }),
  tile("By service", 12, 6, 6, 6, { series: series({ type: "table", where: "" }) }),
  tile("Notes", 18, 6, 6, 6, markdown("Whoever is on call looks at *Errors* first, then at Latency.")),
];

const hour = 3_600_000;
const from = Date.UTC(2025, 5, 15, 0);
const until = from + 24 * hour;

const range = { from, until, bucket: hour / 2 };

/** Makes the values of a tile for a whole day: a daily rhythm, with an incident in the afternoon. */
function day(groups: readonly (readonly string[] | undefined)[], height: number, series = 1): Point[] {
  return groups.flatMap((group, index) =>
    Array.from({ length: 48 }, (_, bucket): Point => {
      const rhythm =
        height * (1 + 0.5 * Math.sin(bucket / 7 - 2)) * (1 + (((bucket * 7 + index * 5) % 9) - 4) / 40);
      const incident = index === 0 && bucket > 30 && bucket < 35 ? height * 1.6 : 0;
      const value = Math.round(((rhythm + incident) / (index + 1)) * 100) / 100;
      return {
        tsBucket: from + (bucket * hour) / 2,
        values: Array.from({ length: series }, (_, at) => value / (at + 1)),
        ...(group ? { group } : {}),
      };
    }),
  );
}

const dayOfData = (tile: Tile): TileData | undefined => {
  if (tile.name === "Latency")
    return { ...range, points: day([undefined], 180).filter((_, at) => at % 11 > 1) };
  if (tile.name === "Alone") return { ...range, points: day([undefined], 3).slice(9, 10) };
  if (["Events", "Low"].includes(tile.name))
    return { from, until, points: day([undefined], 900).slice(0, 1) };
  if (tile.name === "Ratio") return { ...range, points: day([undefined], 80, 2) };
  if (tile.name === "Sparse") return { ...range, points: day([undefined], 3).filter((_, at) => at % 9 < 2) };
  if (tile.name === "Refused") return { problem: "the service does not understand the filter" };
  if (tile.name === "Nothing") return { from, until, points: [] };
  return tile.kind === "text" ? undefined : { ...range, points: day([["api"], ["web"], ["worker"]], 90) };
};

const sql = "SELECT host, count()\nFROM logs\nGROUP BY host\nLIMIT 5";

/** A tile of each kind with all its properties, and tiles with texts of several lines. */
const kinds = [
  ...Object.entries(configs).map(([name, config], at) =>
    tile(name, (at % 3) * 8, Math.floor(at / 3) * 6, 8, 6, { series: undefined, config }),
  ),
  tile("SQL", 0, 36, 12, 7, { series: undefined, config: { ...configs["table in SQL"], sqlTemplate: sql } }),
  tile("Notes", 12, 36, 12, 7, markdown("First line\nSecond line\n\n* a point\n* another")),
];

/** Dashboards whose pictures together contain everything that can be drawn. */
export const layouts: { readonly [name: string]: Layout } = {
  kinds: { dashboard: { id, name: "Kinds", tiles: kinds } },
  production: {
    dashboard: { id, name: "Production", tags: ["production", "team: data"], tiles: production },
  },
  overlaps: {
    dashboard: {
      id,
      name: "Overlaps",
      tiles: [
        tile("Errors", 0, 0, 14, 6),
        tile("Events", 10, 2, 10, 6),
        tile("Below both", 8, 5, 6, 4),
        tile("Beyond the grid", 18, 9, 10, 4),
      ],
    },
  },
  gaps: {
    dashboard: {
      id,
      name: "Gaps",
      tiles: [
        tile("Left", 0, 0, 8, 4),
        tile("Right", 16, 0, 8, 8),
        tile("Far below", 0, 60, 12, 3),
        tile("Very high", 12, 63, 12, 400),
        tile("Thin", 3, 64, 1, 1),
        tile("Somewhere", 0, 0, 1, 1, { x: "nowhere" }),
      ],
    },
  },
  empty: { dashboard: { id, name: "Empty", tiles: [] } },
  many: {
    dashboard: {
      id,
      name: "Two hundred tiles",
      tiles: Array.from({ length: 200 }, (_, index) =>
        tile(`Tile ${index + 1}`, (index % 8) * 3, Math.floor(index / 8) * 3, 3, 3),
      ),
    },
    alerts: [1, 64, 200].map((index) => alertOn(`Tile ${index}`)),
  },
  names: {
    dashboard: {
      id,
      name: "لوحة المتابعة اليومية",
      tags: ["إنتاج"],
      tiles: [
        tile("أخطاء الخدمة في الإنتاج", 0, 0, 8, 4),
        tile("שגיאות בשירות", 8, 0, 8, 4),
        tile("生产环境错误数量与请求延迟的总览", 16, 0, 4, 4),
        tile("🚒 Fires 👩‍🚒", 20, 0, 4, 4),
        tile(`A name that goes on and on ${"and on ".repeat(400)}`, 0, 4, 12, 4, {
          series: series({ where: `ServiceName:${"x".repeat(3000)}`, groupBy: ["a".repeat(500)] }),
        }),
        tile("Ze\u0301\u0301\u0301\u0301\u0301\u0301\u0301ro", 12, 4, 6, 4),
        tile("", 18, 4, 6, 4),
      ],
    },
    alerts: [alertOn("أخطاء الخدمة في الإنتاج", { name: "أخطاء كثيرة جدا" })],
  },
  markup: {
    dashboard: {
      id,
      name: "<script>alert(1)</script>",
      tags: ["</svg><script>alert(2)</script>", "a&b"],
      tiles: [
        tile('"><img src=x onerror=alert(3)>', 0, 0, 12, 4, {
          series: series({ where: "]]><!--&amp;{{7*7}}", groupBy: ["</title><script>alert(4)</script>"] }),
        }),
        tile(
          "Bidi \u202Eover\u202C\u2066ride\u2069 and \u0000\u0007\u001b[31mcontrols\uD800\uFFFF",
          ...([12, 0, 12, 4] as const),
        ),
        tile("Lines\nand\ttabs\u2028here", 0, 4, 12, 4, {
          series: undefined,
          config: {
            displayType: "markdown",
            markdown: "<b onclick=alert(5)>bold</b> [link](javascript:alert(6))",
          },
        }),
      ],
    },
    alerts: [alertOn('"><img src=x onerror=alert(3)>', { name: "</text><script>alert(7)</script>" })],
  },
  alerts: {
    dashboard: { id, name: "Alerts", tiles: production },
    alerts: [
      alertOn("Errors", { state: "ALERT" }),
      alertOn("Errors", { name: undefined, threshold: 1, thresholdType: "below", interval: "1h" }),
      alertOn("Latency", { threshold: 200, thresholdMax: 450.5, thresholdType: "not_between" }),
      ...[5, 6, 7, 8, 9, 10].map((threshold) =>
        alertOn("Events", { name: `Events ${threshold}`, threshold }),
      ),
      alertOn("Gone", { threshold: 1_234_567 }),
    ],
  },
  data: {
    dashboard: {
      id,
      name: "With data",
      tiles: [
        ...production,
        tile("Bars", 0, 12, 8, 6, bars({ aggFn: "count" })),
        tile("Ratio", 8, 12, 8, 6, {
          asRatio: true,
          series: [...series({ groupBy: [] }), ...series({ where: "", groupBy: [] })],
        }),
        tile("Refused", 16, 12, 4, 6),
        tile("Nothing", 20, 12, 4, 6),
        tile("Too small", 0, 18, 4, 2),
        tile("Sparse", 4, 18, 12, 6, bars({ aggFn: "quantile", level: 0.95 })),
        tile("Alone", 16, 18, 8, 6, { series: series({ groupBy: [] }) }),
        tile("Low", 0, 20, 4, 2, { series: [{ type: "number", aggFn: "count" }] }),
      ],
    },
    alerts: [
      alertOn("Errors", { threshold: 250, interval: "30m" }),
      alertOn("Errors", { threshold: 40 }),
      alertOn("Latency", { threshold: 90_000, interval: "30m" }),
      alertOn("Ratio", { threshold: 1.2, thresholdMax: 1.6, thresholdType: "between", interval: "30m" }),
      alertOn("Sparse", { threshold: 3.00125, interval: "30m" }),
      ...["5m", "1d"].map((interval) => alertOn("Alone", { threshold: 2, interval })),
    ],
    data: dayOfData,
  },
  narrow: {
    dashboard: {
      id,
      name: "Narrow tiles",
      tiles: [1, 2, 3, 4].flatMap((w) => [
        tile(`Line of ${w}`, w * 5 - 5, 0, w, 4),
        tile(`Bars of ${w}`, w * 5 - 5, 4, w, 6, bars({ aggFn: "count" })),
        tile(`Number of ${w}`, w * 5 - 5, 10, w, 4, { series: [{ type: "number", aggFn: "count" }] }),
        tile(`Table of ${w}`, w * 5 - 5, 14, w, 4, { series: series({ type: "table" }) }),
      ]),
    },
    alerts: [1, 2, 3, 4].map((w) => alertOn(`Line of ${w}`, { threshold: 12_345, interval: "30m" })),
    data: dayOfData,
  },
  containers: {
    dashboard: {
      id,
      name: "In containers",
      containers: [
        {
          ...{ id: "a", title: "Requests" },
          tabs: [
            { id: "b", title: "By service" },
            { id: "c", title: "By host" },
          ],
        },
        { id: "d", title: "Empty" },
      ],
      tiles: [
        tile("In no container", 0, 0, 12, 4),
        tile("By service", 0, 0, 24, 4, { containerId: "a", tabId: "b" }),
        tile("By host", 0, 0, 12, 4, { containerId: "a", tabId: "c" }),
        tile("Over it", 6, 2, 12, 4, { containerId: "a", tabId: "c" }),
        tile("In a missing container", 0, 0, 12, 4, { containerId: "e" }),
      ],
    },
  },
  change: {
    dashboard: { id, name: "Production", tags: ["production"], tiles: production },
    alerts: [alertOn("Errors"), alertOn("Events", { thresholdType: "below" })],
    after: {
      dashboard: {
        id,
        name: "Production",
        tags: ["production", "reviewed"],
        tiles: [
          tile("Errors", 0, 0, 24, 6),
          tile("Latency", 0, 6, 12, 6, { series: series({ aggFn: "p99", where: "", groupBy: [] }) }),
          ...production.slice(3, 4),
          tile("Saturation", 18, 6, 6, 6),
          tile("Events", 12, 12, 8, 6, { series: [{ type: "number", aggFn: "count", where: "" }] }),
        ],
      },
      alerts: [alertOn("Errors", { threshold: 250 }), alertOn("Saturation")],
    },
  },
};
