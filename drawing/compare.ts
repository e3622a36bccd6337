import { changedPaths, describePathChange, type PathChange } from "./changedPaths";
import { condition, describeArea, describeFilter, describeSeries, shownSeries } from "./format";
import type { Alert, Dashboard, Dashboards, Members, Tile } from "./model";
import { readTile } from "./read";
import type { Mark } from "./tile";

/** One tile before and after a change. One of the two is missing if the tile was added or removed. */
export interface TileChange {
  readonly before?: Tile;
  readonly after?: Tile;
  /** The kinds of changes; empty if the tile has not changed. */
  readonly marks: readonly Mark[];
  /** The changes in words, a line for each: `moved from x 0, y 0, 12 × 6 to x 12, y 0, 12 × 6`. */
  readonly changes: readonly string[];
}

/** One dashboard before and after a change. One of the two is missing if the dashboard was added or removed. */
export interface DashboardChange {
  readonly before?: Dashboard;
  readonly after?: Dashboard;
  readonly tiles: readonly TileChange[];
  /** The changes of the dashboard apart from its tiles. */
  readonly changes: readonly string[];
}

/**
 * Compares the dashboards of two moments. Two dashboards are the same if they have the same URN or id, or else the same
 * name. Two tiles are the same if they have the same id, or else the same name, or else the same place and content.
 */
export function compareDashboards(before: Dashboards, after: Dashboards): DashboardChange[] {
  const rules: readonly Rule<Dashboard>[] = [
    { keyOf: ({ key }) => key },
    { keyOf: ({ id }) => id },
    { keyOf: ({ name }) => name },
  ];
  const live = before.isLive === after.isLive ? undefined : before.isLive ? "before" : "after";
  return paired(before.dashboards, after.dashboards, rules).map((pair) => compareDashboard(pair, live));
}

/** The changes of alerts that are on none of the dashboards, a line for each. */
export function compareAlerts(before: Dashboards, after: Dashboards): string[] {
  return alertChanges(before.alerts, after.alerts);
}

/** Whether a dashboard and its tiles have not changed. */
export function isUnchanged({ tiles, changes }: DashboardChange): boolean {
  return changes.length === 0 && tiles.every(({ marks }) => marks.length === 0);
}

/**
 * The side of a comparison that a service shows, with members that nobody declared; undefined if both sides do, or
 * none.
 */
type Live = "before" | "after" | undefined;

function compareDashboard([before, after]: Pair<Dashboard>, live: Live): DashboardChange {
  if (!before || !after) {
    const mark = before ? "removed" : "added";
    const tiles = (before ?? after)?.tiles ?? [];
    return {
      before,
      after,
      tiles: tiles.map((tile) => ({ [before ? "before" : "after"]: tile, marks: [mark], changes: [] })),
      changes: [`dashboard ${mark}`],
    };
  }
  const rules: readonly Rule<Tile>[] = [
    { keyOf: ({ id }) => id },
    { keyOf: ({ name }) => name },
    { keyOf: placeOf, isSame: (a, b) => contentOf(a, b) === contentOf(b, a) },
  ];
  return {
    before,
    after,
    tiles: paired(before.tiles, after.tiles, rules).map((pair) => compareTile(pair, live)),
    changes: [
      ...changed("name", before.name, after.name),
      ...changed("tags", [...before.tags].sort().join(", "), [...after.tags].sort().join(", ")),
      ...changedPaths(before.members, after.members, live).map(describePathChange),
      ...alertChanges(before.alerts, after.alerts),
    ],
  };
}

function compareTile([before, after]: Pair<Tile>, live: Live): TileChange {
  if (!before || !after) return { before, after, marks: [before ? "removed" : "added"], changes: [] };
  const [from, to] = [placeOf(before), placeOf(after)];
  const isMoved = before.area?.x !== after.area?.x || before.area?.y !== after.area?.y;
  const place: Mark[] = from === to ? [] : [isMoved ? "moved" : "resized"];
  const changes = [
    ...changed("name", before.name, after.name),
    ...changed("shows", contentOf(before, after), contentOf(after, before)),
    ...undrawnChanges(before.members, after.members, live).map(describePathChange),
    ...alertChanges(before.alerts, after.alerts),
  ];
  return {
    before,
    after,
    marks: [...place, ...(changes.length > 0 ? (["changed"] as const) : [])],
    changes: [...place.map((mark) => `${mark} from ${from} to ${to}`), ...changes],
  };
}

/** The changes of members that the picture does not show: neither the name, the place nor the described content. */
function undrawnChanges(before: Members, after: Members, live: Live): PathChange[] {
  // Newer servers answer `config` in place of `series`. Here the description of the content tells whether both show the
  // same.
  if (live && (before.config === undefined) !== (after.config === undefined)) return [];
  const [old, now] = [readTile(before), readTile(after)];
  return changedPaths(before, after, live).filter((change) => {
    const next = readTile(withValue(before, change.keys, change.after) as Members);
    const isDrawn =
      next.name !== old.name ||
      placeOf(next) !== placeOf(old) ||
      contentOf(next, now) !== contentOf(old, now);
    return !isDrawn;
  });
}

/** A copy of a value with another value at an inner place. */
function withValue(around: unknown, [key, ...more]: PathChange["keys"], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(around) ? [...around] : { ...(around as Members) }) as {
    [key: string]: unknown;
  };
  copy[key] = withValue(copy[key], more, value);
  return copy;
}

function placeOf({ area }: Tile): string {
  return area ? describeArea(area) : "an unknown position";
}

/**
 * What a tile shows, for a comparison with another tile. Newer servers call a `time` a `line`, and name a source where
 * the program names none; neither counts as a change.
 */
function contentOf(tile: Tile, counterpart: Tile): string {
  const { kind, kindName, asRatio } = tile;
  const series = shownSeries(tile).map((entry, index) => {
    const { source, sourceName } = shownSeries(counterpart)[index] ?? {};
    // Two sources may have the same name, so their ids have to be told, too.
    const isTold =
      sourceName !== undefined && entry.sourceName !== undefined && sourceName !== entry.sourceName;
    const from = source === undefined ? undefined : isTold ? entry.sourceName : entry.source;
    return [describeSeries(entry), describeFilter(entry), from && `from ${from}`].filter(Boolean).join(" ");
  });
  const isRenamed = kind === "line" && counterpart.kind === kind && counterpart.kindName !== kindName;
  return [isRenamed ? kind : kindName, ...(asRatio ? ["as ratio"] : []), ...series].join("; ");
}

function changed(label: string, before: string, after: string): string[] {
  return before === after ? [] : [`${label}: ${before || "(none)"} → ${after || "(none)"}`];
}

function alertChanges(before: readonly Alert[], after: readonly Alert[]): string[] {
  const nameOf = ({ name }: Alert) => name ?? "";
  const rules: readonly Rule<Alert>[] = [
    { keyOf: (alert) => JSON.stringify([nameOf(alert), describe(alert)]) },
    { keyOf: nameOf },
  ];
  return paired(before, after, rules).flatMap(([old, now]) => {
    const name = (old ?? now)?.name;
    const label = name === undefined ? "alert" : `alert ${name}`;
    if (old && now) return changed(label, describe(old), describe(now));
    return old ? [`${label} removed (${describe(old)})`] : now ? [`${label} added (${describe(now)})`] : [];
  });
}

function describe(alert: Alert): string {
  return `${condition(alert)}${alert.interval ? `, every ${alert.interval}` : ""}`;
}

type Pair<Item> = readonly [before: Item | undefined, after: Item | undefined];

/** A rule by which items of two lists are the same: they have the same key, which is not undefined. */
interface Rule<Item> {
  keyOf(item: Item): string | undefined;
  /** A further condition for two items with the same key. Default: none. */
  isSame?(a: Item, b: Item): boolean;
}

/**
 * Pairs the items of two lists, each by the first rule that finds a partner. Items of `after` come first, in their
 * order.
 */
function paired<Item>(
  before: readonly Item[],
  after: readonly Item[],
  rules: readonly Rule<Item>[],
): Pair<Item>[] {
  const partners = new Map<Item, Item>();
  const unpaired = new Set(before);
  for (const { keyOf, isSame = () => true } of rules) {
    const byKey = new Map<string, Set<Item>>();
    for (const item of unpaired) {
      const key = keyOf(item);
      if (key !== undefined) byKey.set(key, (byKey.get(key) ?? new Set()).add(item));
    }
    for (const item of after) {
      if (partners.has(item)) continue;
      const candidates = byKey.get(keyOf(item) ?? "");
      if (keyOf(item) === undefined || !candidates) continue;
      for (const candidate of candidates) {
        if (!isSame(candidate, item)) continue;
        partners.set(item, candidate);
        unpaired.delete(candidate);
        candidates.delete(candidate);
        break;
      }
    }
  }
  return [
    ...after.map((item): Pair<Item> => [partners.get(item), item]),
    ...[...unpaired].map((item): Pair<Item> => [item, undefined]),
  ];
}
