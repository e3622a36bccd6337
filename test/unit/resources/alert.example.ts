import type { Alert, Sandbox } from "../../../sandbox/index";
import { type Example, type Json, type JsonObject, placed } from "./example";
import { home } from "./home";
import { cloudConfigs, configs } from "./tileConfigs";

const homeAlert = "aaaaaaaaaaaaaaaaaaaaaaa4";

/** The ids of two webhooks: every sandbox has the first, and another person has created the second. */
const [pager, secondPager] = ["65f1c0a2b3d4e5f607182921", "aaaaaaaaaaaaaaaaaaaaaaa6"];

const onSearch = {
  ...{ name: "Slow", threshold: 5, thresholdType: "above", interval: "5m" },
  ...{ source: "search", savedSearch: "65f1c0a2b3d4e5f607182931" },
  channel: { type: "webhook", webhookId: pager },
};

const inlineOf = (chartConfig: JsonObject, labels: JsonObject = {}) => ({
  ...{ threshold: 5, thresholdType: "above", interval: "5m", source: "inline", chartConfig, ...labels },
  channel: { type: "webhook", webhookId: pager },
});
/** Adds the query language to each series of a chart, as the server does in its answers. */
const inLucene = (select: Json = []) =>
  (select as readonly JsonObject[]).map((series) => ({ whereLanguage: "lucene", ...series }));
const filtered = { name: "Errors", where: "Level:error", whereLanguage: "lucene" };
const overTime = { name: "Errors", sqlTemplate: "SELECT $__timeInterval(Timestamp), count() FROM logs" };

const wholes: Example["wholes"] = {
  "on a tile": { ...alertContents(pager), message: "Queries take longer than usual" },
  "on a search": { ...onSearch, groupBy: "ServiceName", note: "Ask the owner", numConsecutiveWindows: 2 },
  "of a range": { ...onSearch, thresholdType: "between", thresholdMax: 9, scheduleOffsetMinutes: 2 },
  "from a moment on": { ...onSearch, scheduleStartAt: "2026-01-31T08:00:00Z" },
  "of a service": {
    ...onSearch,
    channel: {
      ...{ type: "webhook", webhookId: pager, webhookService: "pagerduty_api" },
      ...{ slackChannelId: "C1", severity: "error" },
    },
  },
  "by mail": { ...onSearch, channel: { type: "email", emailRecipients: ["b@b.example", "a@b.example"] } },
  "to several channels": {
    ...{ ...onSearch, channel: undefined },
    channels: [
      { type: "webhook", webhookId: secondPager },
      { type: "webhook", webhookId: pager },
    ],
  } as unknown as JsonObject,
  "of anomalies": {
    ...{ ...onSearch, groupBy: "ServiceName", interval: "15m", detectionMode: "anomaly" },
    anomalyConfig: {
      ...{ bucketSizeSeconds: 300, zScoreThreshold: 3.5, condition: "above", minAbsoluteDelta: 10 },
      ...{ nonNegative: true, maxSeries: 20, baselineLookbackMinutes: 1440 },
    },
  },
  "inline, as a ratio over time": inlineOf(
    { ...configs.line, ...filtered },
    { displayName: "Share of errors", tags: ["b", "a"] },
  ),
  "inline, as bars": inlineOf(
    { ...configs.stacked_bar, ...filtered, select: inLucene(configs.table.select) },
    { tags: [] },
  ),
  "inline, as a number from a formula": inlineOf({
    ...{ ...configs.number, ...filtered, whereLanguage: "sql", formulas: [{ expression: "A / B" }] },
    select: configs.line.select ?? [],
  }),
  "inline, as a number in SQL": inlineOf(
    { ...configs["number in SQL"], name: "Errors", colorRules: configs.number.colorRules ?? [] },
    { displayName: "Errors of today" },
  ),
  "inline, as a line in SQL": inlineOf({ ...configs["line in SQL"], ...overTime }),
  "inline, as bars in SQL": inlineOf({ ...configs["stacked_bar in SQL"], ...overTime }),
  "inline, as areas": inlineOf({ ...cloudConfigs.stacked_line, ...filtered }),
  "inline, as areas in SQL": inlineOf({ ...cloudConfigs["stacked_line in SQL"], ...overTime }),
};

const ofClickhouse = ["of a range", "to several channels"];

export const alertExample: Example = {
  valid: placed("66f0c2d8a1b2c3d4e5f60701", {
    ...{ ...alertContents(pager), message: "Queries take longer than usual" },
  }),
  wholes,
  needs: {
    ...Object.fromEntries(
      Object.keys(wholes)
        .filter((title) => ofClickhouse.includes(title) || title.startsWith("inline"))
        .map((title) => [title, { dialect: "clickhouse" as const }]),
    ),
    "by mail": { dialect: "clickhouse", apis: "management" },
  },
  equivalents: {
    "inline, as a ratio over time": { tags: ["a", "b"] },
    "from a moment on": { scheduleStartAt: "2026-01-31T08:00:00.000Z" },
    "by mail": { channel: { type: "email", emailRecipients: ["a@b.example", "b@b.example"] } },
    "to several channels": {
      channels: [pager, secondPager].map((webhookId) => ({ type: "webhook", webhookId })),
    },
  },
  // An alert without a declared displayName or tags shows those of the dashboard or search that it watches, and none of its
  // own.
  shownAt: (path, program) =>
    (path === "displayName" || path === "tags") && !(path in program) ? undefined : path,
  alternatives: {
    ...{ webhookId: [secondPager], source: [], type: [], dashboardId: [], tileId: [], savedSearch: [] },
    expression: ["A * 100"],
    ...{ displayType: [], configType: [], connectionId: [], sourceId: ["65f1c0a2b3d4e5f607182912"] },
  },
  bodyOf: ({ source, savedSearch, ...program }, dialect) => ({
    ...program,
    source: dialect === "clickhouse" && source === "search" ? "saved_search" : source,
    ...(savedSearch === undefined ? {} : { savedSearchId: savedSearch }),
  }),
  programs: ({ webhookId }) => {
    const alert = alertContents(webhookId);
    return [alert, { ...alert, threshold: 2 }];
  },
  find: ({ store }, id) => store.alerts.get(id),
  asDeclared: ({ dashboard, ...alert }) => ({ ...alert, dashboard, dashboardId: dashboard }),
  furnish: ({ sandbox, webhookId }) => addAlert(sandbox, webhookId, { id: homeAlert }),
  home: homeAlert,
  creatable: {
    id: "bbbbbbbbbbbbbbbbbbbbbbb2",
    add: ({ sandbox, webhookId }, id) => addAlert(sandbox, webhookId, { id, threshold: 50 }),
  },
};

export function alertContents(webhookId: string) {
  return {
    name: "Slow",
    threshold: 1,
    interval: "5m",
    thresholdType: "above",
    source: "tile",
    dashboardId: home.id,
    tileId: home.tileId,
    channel: { type: "webhook", webhookId },
  };
}

export function addAlert({ store, credentials }: Sandbox, webhookId: string, changed: Partial<Alert>): void {
  const now = new Date(0).toISOString();
  const record: Alert = {
    id: "",
    serviceId: credentials.serviceId,
    name: "Slow",
    message: null,
    threshold: 1,
    interval: "5m",
    thresholdType: "above",
    source: "tile",
    dashboard: home.id,
    tileId: home.tileId,
    state: "inactive",
    channel: { type: "webhook", webhookId },
    team: "t",
    createdAt: now,
    updatedAt: now,
    ...changed,
  };
  store.alerts.set(record.id, record);
}
