import { notKnownYet } from "./changedPaths";
import type { Alert, Area, Dashboard, Dashboards, Kind, Members, Series, Tile } from "./model";

/**
 * Dashboards and alerts in the form in which the service lists them. Any member may be missing or have another type. A
 * symbol stands for a value that is not known yet.
 */
export interface Listing {
  readonly dashboards: readonly unknown[];
  readonly alerts: readonly unknown[];
  /** Sources, whose names are shown in place of their ids. Default: none. */
  readonly sources?: readonly unknown[];
  /** Whether the dashboards come from a service, and so have members that nobody declared. Default: false. */
  readonly isLive?: boolean;
}

/** The last column or row in which anything is drawn, which bounds the size of a picture. */
const farthest = 1_000_000;

const kinds: { readonly [name: string]: Kind } = {
  time: "line",
  line: "line",
  stacked_bar: "bar",
  stacked_line: "bar",
  bar: "table",
  histogram: "bar",
  number: "number",
  table: "table",
  pie: "table",
  markdown: "text",
};

/**
 * Reads dashboards and alerts for a picture, and puts each alert on its tile. An alert whose tile is missing belongs to
 * the dashboard's only tile, or else to the dashboard; an alert without a dashboard belongs to none.
 */
export function readDashboards({ dashboards, alerts, sources = [], isLive = false }: Listing): Dashboards {
  const names = new Map(
    sources.filter(isMembers).map(({ id, name }) => [text(id), shownText(name) || undefined] as const),
  );
  const unassigned = new Set(alerts.filter(isMembers).map(withoutFormer));
  const byTile = grouped(unassigned, ({ tileId }) => tileId);
  const byDashboard = grouped(unassigned, dashboardOf);
  const take = (among: readonly Members[] = [], belongs: (alert: Members) => boolean = () => true) => {
    const matches = among.filter((alert) => unassigned.has(alert) && belongs(alert));
    for (const alert of matches) unassigned.delete(alert);
    return matches;
  };
  const read = dashboards.filter(isMembers).map((dashboard, position): Dashboard => {
    const id = text(dashboard.id);
    const tileList = list(dashboard.tiles).filter(isMembers);
    const ofThis = (alert: Members) => [undefined, id].includes(dashboardOf(alert));
    const tiles = tileList.map((tile): Tile => {
      const tileId = text(tile.id);
      const onTile = tileId === undefined ? [] : take(byTile.get(tileId), ofThis);
      return withSourceNames(readTile(tile, tileId, onTile), names);
    });
    const [only, ...more] = tiles;
    if (only && more.length === 0) {
      const onOnly = take(byDashboard.get(id), ({ tileId }) => isUnknown(tileId));
      tiles[0] = { ...only, alerts: [...only.alerts, ...onOnly.map(readAlert)] };
    }
    const unplaced = id === undefined ? [] : take(byDashboard.get(id));
    const { urn, id: _, name, url, tags, tiles: __, ...members } = dashboard;
    return {
      key: text(urn) ?? id ?? `dashboard ${position}`,
      id,
      name: shownText(name) || "(no name)",
      ...pageAt(url),
      tags: list(tags).flatMap((tag) => shownText(tag) ?? []),
      members,
      tiles,
      alerts: unplaced.map((alert) => ({
        ...readAlert(alert),
        subject: isUnknown(alert.tileId) ? "a tile not known yet" : "a missing tile",
      })),
    };
  });
  return {
    isLive,
    dashboards: read,
    alerts: [...unassigned].map((alert) => ({
      ...readAlert(alert),
      subject: subjectOf(alert),
    })),
  };
}

function grouped<Key>(
  alerts: Iterable<Members>,
  keyOf: (alert: Members) => Key,
): ReadonlyMap<Key, readonly Members[]> {
  const groups = new Map<Key, Members[]>();
  for (const alert of alerts) {
    const group = groups.get(keyOf(alert)) ?? [];
    group.push(alert);
    groups.set(keyOf(alert), group);
  }
  return groups;
}

/**
 * An alert without members of its former source and threshold type: servers may keep these, though they no longer
 * apply.
 */
function withoutFormer(alert: Members): Members {
  const { dashboardId, dashboard, tileId, thresholdMax, ...members } = alert;
  return {
    ...members,
    ...(subjectOf(alert) === onTile ? { dashboardId, dashboard, tileId } : {}),
    ...(["between", "not_between"].includes(String(alert.thresholdType)) ? { thresholdMax } : {}),
  };
}

const onTile = "a tile of another dashboard";

/** What an alert watches that is on no tile, in words. */
function subjectOf({ source }: Members): string {
  if (source === "inline") return "a chart of its own";
  return source === "search" || source === "saved_search" ? "a saved search" : onTile;
}

/** The id of an alert's dashboard; undefined if it is missing or not known yet. */
function dashboardOf({ dashboardId, dashboard }: Members): string | undefined {
  return text(dashboardId) ?? text(dashboard);
}

/** Reads a tile in the form in which the service answers it, and puts its alerts on it. */
export function readTile(tile: Members, id?: string, alerts: readonly Members[] = []): Tile {
  const { id: _, ...members } = tile;
  const config = isMembers(tile.config) ? tile.config : undefined;
  const series = list(tile.series).filter(isMembers);
  const kindName =
    shownText(config?.displayType) ?? shownText(series[0]?.type) ?? (config ? "line" : "unknown kind");
  const markdown = shownText(config?.markdown);
  const description = shownText(tile.description);
  const query = shownText(config?.sqlTemplate);
  const records = config ? recordsOf(config, kindName) : undefined;
  return {
    id,
    name: shownText(tile.name) || "(no name)",
    area: readArea(tile),
    kind: Object.hasOwn(kinds, kindName) ? (kinds[kindName] as Kind) : "other",
    kindName: config?.configType === "promql" ? `${kindName} in PromQL` : kindName,
    asRatio: (config ?? tile).asRatio === true,
    series: config ? seriesOfConfig(config) : series.map(readSeries),
    ...(records ? { records } : {}),
    ...(description ? { description } : {}),
    ...(query === undefined ? {} : { query }),
    ...(markdown === undefined ? {} : { text: markdown }),
    alerts: alerts.map(readAlert),
    members,
  };
}

function withSourceNames(tile: Tile, names: ReadonlyMap<string | undefined, string | undefined>): Tile {
  const named = (series: Series) => {
    const sourceName = series.source === undefined ? undefined : names.get(series.source);
    return sourceName === undefined ? series : { ...series, sourceName };
  };
  return { ...tile, series: tile.series.map(named), ...(tile.records && { records: named(tile.records) }) };
}

function readArea(tile: Members): Area | undefined {
  const [x, y, w, h] = [tile.x, tile.y, tile.w, tile.h].map(number);
  const isPlace = x !== undefined && y !== undefined && w !== undefined && h !== undefined;
  if (!isPlace || x < 0 || y < 0 || w <= 0 || h <= 0) return undefined;
  return Math.max(x, y, w, h) <= farthest ? { x, y, w, h } : undefined;
}

function readSeries(series: Members): Series {
  const { aggFn, level, field, metricName, metricType, where, whereLanguage, groupBy, dataSource, sourceId } =
    series;
  return {
    aggFn: shownText(aggFn),
    level: number(level),
    field: shownText(field) || undefined,
    metricName: shownText(metricName) || undefined,
    metricType: shownText(metricType ?? series.metricDataType) || undefined,
    where: shownText(where) || undefined,
    // Some servers answer the usual language although none was declared.
    whereLanguage: where && whereLanguage !== "lucene" ? shownText(whereLanguage) || undefined : undefined,
    groupBy: list(groupBy).flatMap((by) => shownText(by) ?? []),
    source: shownText(dataSource) || shownText(sourceId) || undefined,
  };
}

/** The columns of a tile that lists records, as one text. Default: the columns of the source. */
function recordsOf(config: Members, kindName: string): Series | undefined {
  if (!["search", "event_patterns"].includes(kindName)) return undefined;
  const { select, sourceId, where, whereLanguage } = config;
  return { ...readSeries({ sourceId, where, whereLanguage }), columns: shownText(select) || "all columns" };
}

/**
 * The series of a `config`, which newer servers answer: it has one source, and the groups as one text, for all series.
 */
function seriesOfConfig({ select, sourceId, groupBy, where, whereLanguage }: Members): Series[] {
  const by = typeof groupBy === "string" ? groupBy.split(",").map((name) => name.trim()) : list(groupBy);
  const groups = by.filter((name) => name !== "");
  return list(select)
    .filter(isMembers)
    .map((series) =>
      readSeries({
        where,
        whereLanguage,
        ...series,
        field: series.field ?? series.valueExpression,
        groupBy: groups,
        sourceId,
      }),
    );
}

function readAlert(alert: Members): Alert {
  const { name, threshold, thresholdMax, thresholdType, interval, state, url } = alert;
  return {
    name: shownText(name),
    threshold: number(threshold),
    thresholdMax: number(thresholdMax),
    thresholdType: shownText(thresholdType) ?? "above",
    interval: shownText(interval),
    firing: typeof state === "string" && state.toLowerCase() === "alert",
    ...pageAt(url),
  };
}

/** The address of a page, unless it has a scheme with which a browser would not just open a page. */
function pageAt(url: unknown): { readonly url?: string } {
  return typeof url === "string" && /^https?:\/\//.test(url) ? { url } : {};
}

/** A number, which some servers write as text. */
function number(value: unknown): number | undefined {
  if (value === "" || (typeof value !== "string" && typeof value !== "number")) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function shownText(value: unknown): string | undefined {
  return isUnknown(value) ? notKnownYet : text(value);
}

function isUnknown(value: unknown): boolean {
  return typeof value === "symbol";
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
