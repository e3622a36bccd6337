import { badRequest } from "../apiError";
import { isObjectId } from "../identifiers";
import type { Records } from "../records";
import type { ApiName } from "../request";
import { isRange } from "../vocabulary";
import { canBeSaid, checkChartReferences, failuresInChart, storedChart } from "./alertCharts";
import { labelsOf } from "./alertLabels";
import type { Alert, AlertChannel, AlertChart, AnomalyConfig } from "./alertRecords";
import { type AlertRules, checkWebhooks, tileOf } from "./alertRules";
import { savedSearches } from "./savedSearches";

/** The valid intervals of alerts in HyperDX, with their minutes. */
const intervals: Record<string, number> = {
  ...{ "30s": 0.5, "1m": 1, "5m": 5, "15m": 15, "30m": 30 },
  ...{ "1h": 60, "6h": 360, "12h": 720, "1d": 1440 },
};

/** The intervals at which HyperDX evaluates anomaly alerts. */
const anomalyIntervals = ["5m", "15m", "30m", "1h"];

const day = 86_400_000;

type SharedMember =
  | ("threshold" | "thresholdType" | "thresholdMax" | "interval" | "note" | "numConsecutiveWindows")
  | ("scheduleOffsetMinutes" | "scheduleStartAt" | "channels");

interface ProductBody
  extends Pick<Alert, SharedMember>,
    Partial<Pick<Alert, "name" | "message" | "channel">> {
  source: "tile" | "saved_search" | "inline";
  dashboardId?: unknown;
  tileId?: unknown;
  savedSearchId?: unknown;
  groupBy?: unknown;
  chartConfig?: AlertChart | null;
  displayName?: string | null;
  tags?: string[] | null;
  detectionMode?: "anomaly" | "threshold";
  anomalyConfig?: AnomalyConfig | null;
}

/**
 * The rules for alerts in the dialect `clickhouse`. The requests that create and update an alert take the same body.
 * @param hasInline whether the server is of ClickStack 2.38 or newer, with inline alerts, display names and tags
 */
export function productAlerts(api: ApiName, hasInline: boolean): AlertRules {
  return {
    changeOf: (requestBody, now) => changeOf(requestBody as ProductBody, now, hasInline),
    check(records, alert) {
      checkWatched(records, alert);
      checkWebhooks(records, alert);
    },
    show: (alert, records) => ({
      ...(api === "management" ? onManagement(alert) : membersOf(alert)),
      ...labelsOf(alert, records),
      ...chartOf(alert),
    }),
  };
}

function checkWatched(records: Records, alert: Alert): void {
  const { source, savedSearch = "", serviceId, chartConfig = {} } = alert;
  if (source === "tile") checkTile(tileOf(records, alert).config);
  if (source === "inline") {
    checkTile(chartConfig);
    checkChartReferences(chartConfig, records, serviceId);
  }
  if (source !== "search") return;
  if (!isObjectId(savedSearch)) throw badRequest("Invalid saved search ID");
  if (records.of(savedSearches).get(savedSearch)?.serviceId !== serviceId)
    throw badRequest("Saved search not found");
}

/**
 * Returns the changes of an alert that a request body makes. Omitted texts, windows and the grouping are cleared; the upper
 * threshold and the schedule stay.
 */
function changeOf(body: ProductBody, now: number, hasInline: boolean): Partial<Alert> {
  const failures = failuresIn(body, now);
  if (failures.length > 0) throw badRequest(`Body validation failed: ${failures.join("; ")}`);
  const { threshold, thresholdType, thresholdMax, interval, name, message, note } = body;
  const channels = body.channels ?? [body.channel as AlertChannel];
  return {
    threshold,
    thresholdType,
    interval,
    // If an update replaces a range of values by a simple threshold, servers before ClickStack 2.38 keep the range's upper end.
    ...(hasInline && { thresholdMax: isRange(thresholdType) ? thresholdMax : undefined }),
    ...(!hasInline && thresholdMax !== undefined && { thresholdMax }),
    displayName: body.displayName?.trim(),
    tags: body.tags ?? undefined,
    ...watched(body),
    ...detectionOf(body),
    ...scheduleOf(body),
    name: name ?? null,
    message: message ?? null,
    note: note ?? null,
    numConsecutiveWindows: body.numConsecutiveWindows ?? null,
    channel: channels[0],
    channels,
  };
}

/**
 * Returns the properties that say which tile, search or chart an alert watches. Properties of the other types of sources are
 * cleared.
 */
function watched(body: ProductBody): Partial<Alert> {
  const { source, dashboardId, tileId, savedSearchId, groupBy, chartConfig } = body;
  const [isTile, isSearch] = [source === "tile", source === "saved_search"];
  return {
    source: source === "saved_search" ? "search" : source,
    dashboard: isTile ? String(dashboardId) : undefined,
    tileId: isTile ? String(tileId) : undefined,
    savedSearch: isSearch ? String(savedSearchId) : undefined,
    groupBy: isSearch && groupBy != null ? String(groupBy) : undefined,
    chartConfig: source === "inline" ? storedChart(chartConfig ?? {}) : undefined,
  };
}

/** A body without `detectionMode` makes a threshold alert, also of an alert that recognized anomalies before. */
function detectionOf({ detectionMode, anomalyConfig }: ProductBody): Partial<Alert> {
  const isAnomaly = detectionMode === "anomaly";
  return {
    detectionMode: isAnomaly ? detectionMode : undefined,
    anomalyConfig: isAnomaly ? (anomalyConfig ?? undefined) : undefined,
  };
}

function scheduleOf({ scheduleStartAt, scheduleOffsetMinutes }: ProductBody): Partial<Alert> {
  if (scheduleStartAt) return { scheduleStartAt: isoTime(scheduleStartAt), scheduleOffsetMinutes: 0 };
  if (scheduleStartAt === null)
    return { scheduleStartAt: null, scheduleOffsetMinutes: scheduleOffsetMinutes ?? 0 };
  return scheduleOffsetMinutes === undefined ? {} : { scheduleOffsetMinutes };
}

/** Checks an alert's request body by rules across several properties and by rules for dates, and returns the violations. */
function failuresIn(body: ProductBody, now: number): string[] {
  const { source, threshold, thresholdType, thresholdMax, interval, channel, channels } = body;
  const { scheduleStartAt, scheduleOffsetMinutes: offset = 0 } = body;
  const failures = references[source].flatMap((name) =>
    typeof body[name] === "string" && body[name] !== "" ? [] : [`${name}: Required`],
  );
  failures.push(...chartFailures(body), ...labelFailures(body), ...detectionFailures(body));
  if (source === "saved_search" && body.groupBy != null && typeof body.groupBy !== "string")
    failures.push("groupBy: Expected string");
  if (isRange(thresholdType) && thresholdMax === undefined)
    failures.push(`thresholdMax: is required for ${thresholdType}`);
  if (isRange(thresholdType) && thresholdMax !== undefined && thresholdMax < threshold)
    failures.push("thresholdMax: must not be below threshold");
  if (offset >= (intervals[interval] ?? 0))
    failures.push("scheduleOffsetMinutes: must be below the interval");
  if (scheduleStartAt) {
    const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(scheduleStartAt)
      ? Date.parse(scheduleStartAt)
      : Number.NaN;
    if (Number.isNaN(moment)) failures.push("scheduleStartAt: Invalid datetime");
    if (moment > now + 365 * day) failures.push("scheduleStartAt: must be within 1 year from now");
    if (moment < now - 3650 * day) failures.push("scheduleStartAt: must be within 10 years in the past");
    if (offset > 0) failures.push("scheduleOffsetMinutes: must be 0 with scheduleStartAt");
  }
  const texts = channels?.map(keyOf) ?? [];
  if (!channel && !channels) failures.push("channels: channel or channels is required");
  if (new Set(texts).size < texts.length) failures.push("channels: must be unique");
  if (channel && channels && keyOf(channel) !== texts[0])
    failures.push("channels: channel must be the first of channels");
  return failures;
}

const references = { tile: ["dashboardId", "tileId"], saved_search: ["savedSearchId"], inline: [] } as const;

function chartFailures({ source, chartConfig }: ProductBody): string[] {
  if (source !== "inline")
    return chartConfig == null ? [] : ['chartConfig: chartConfig is only supported when source is "inline"'];
  if (chartConfig == null) return ["chartConfig: Required"];
  return failuresInChart(chartConfig).map(({ path, message }) => `${path}: ${message}`);
}

function labelFailures({ displayName }: ProductBody): string[] {
  if (displayName == null) return [];
  const { length } = displayName.trim();
  return length > 0 && length <= 512 ? [] : ["displayName: must have 1 to 512 characters"];
}

function detectionFailures({ detectionMode, anomalyConfig, interval }: ProductBody): string[] {
  if (detectionMode !== "anomaly")
    return anomalyConfig == null ? [] : ['anomalyConfig: is only supported when detectionMode is "anomaly"'];
  return anomalyIntervals.includes(interval)
    ? []
    : [`interval: must be one of ${anomalyIntervals.join(", ")} when detectionMode is "anomaly"`];
}

function keyOf(channel: AlertChannel): string {
  return JSON.stringify(Object.entries(channel).sort());
}

function isoTime(text: string): string {
  return new Date(text).toISOString();
}

/** Of the tiles in raw SQL, only those that show values over time, or a single value, can carry an alert. */
function checkTile(config: Record<string, unknown> | undefined): void {
  if (config?.configType !== "sql") return;
  const type = String(config.displayType);
  if (!["line", "stacked_bar", "stacked_line", "number"].includes(type)) {
    throw badRequest(
      "Alerts on Raw SQL tiles are only supported for Line, Stacked Bar, or Number display types",
    );
  }
  const hasInterval = /intervalSeconds|intervalMilliseconds|\$__(timeInterval|interval)/.test(
    String(config.sqlTemplate),
  );
  if (type !== "number" && !hasInterval)
    throw badRequest(
      "Raw SQL alert query is invalid: SQL used for alerts must include an interval parameter",
    );
}

/**
 * Converts an alert to the form of ClickHouse Cloud's management API, which shows null for absent properties, and the detection
 * mode of each alert.
 */
function onManagement(alert: Alert): object {
  const absent = { dashboardId: null, tileId: null, savedSearchId: null, groupBy: null, thresholdMax: null };
  const schedule = { scheduleOffsetMinutes: null, scheduleStartAt: null };
  const detection = { detectionMode: "threshold", anomalyConfig: null };
  return { ...absent, ...schedule, ...detection, silenced: null, executionErrors: [], ...membersOf(alert) };
}

/**
 * Converts the chart of an inline alert for a response. A chart that no request can describe is left out, so that no client
 * sends back a part of it.
 */
function chartOf({ source, chartConfig }: Alert): object {
  return source === "inline" && chartConfig !== undefined && canBeSaid(chartConfig) ? { chartConfig } : {};
}

function membersOf({ serviceId, dashboard, savedSearch, team, source, state, ...members }: Alert) {
  const { chartConfig, displayName, tags, channels = [members.channel], ...alert } = members;
  return {
    note: null,
    numConsecutiveWindows: null,
    ...{ ...alert, channels },
    source: source === "search" ? "saved_search" : source,
    state: state === "inactive" ? "OK" : state,
    teamId: team,
    ...(dashboard !== undefined && { dashboardId: dashboard }),
    ...(savedSearch !== undefined && { savedSearchId: savedSearch }),
  };
}
