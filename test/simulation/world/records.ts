import type { Data, Store } from "../../promises/store";
import type { Random } from "../random";
import { beginning } from "../virtualTime";
import type { Behaviour } from "./behaviour";

/** What the service stores of what it is sent, and what it answers of what it stores. */

export const alertMembers = [
  "name",
  "message",
  "threshold",
  "interval",
  "thresholdType",
  "source",
  "savedSearch",
  "channel",
  "dashboardId",
  "tileId",
] as const;

/** What a PUT of an alert sets to null where it is not given. */
export const nulledMembers = ["name", "message"] as const;

export const keyMembers = ["name", "roles", "state", "expireAt", "ipAccessList"] as const;

export const scalingMembers = [
  "numReplicas",
  "idleScaling",
  "idleTimeoutMinutes",
  "minTotalMemoryGb",
  "maxTotalMemoryGb",
  "minReplicaMemoryGb",
  "maxReplicaMemoryGb",
] as const;

export const dashboardMembers = ["name", "tiles", "tags", "containers"] as const;

/** Those of the members that are there, null included. */
export function given(data: Data, names: readonly string[]): Data {
  return Object.fromEntries(
    names.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]),
  );
}

/** What the service makes of the members of a body, whichever kind it is of. */
export function stored(body: Data, { rewrites }: Behaviour): Data {
  const record: Record<string, unknown> = { ...body };
  const { name, tags, interval, expireAt } = body;
  if (rewrites.trims && typeof name === "string") record.name = name.trim();
  if (Array.isArray(tags))
    record.tags = rewrites.lowerCase ? tags.map((tag) => String(tag).toLowerCase()) : tags;
  if (rewrites.intervals && interval === "60m") record.interval = "1h";
  if (typeof expireAt === "string") {
    const text = new Date(Date.parse(expireAt)).toISOString();
    record.expireAt = rewrites.instants ? text : text.replace(".000Z", "Z");
  }
  if (Array.isArray(body.tiles)) record.tiles = body.tiles.map((tile) => storedTile(tile as Data));
  return record;
}

const tileMembers = ["id", "name", "x", "y", "w", "h", "asRatio", "series", "config", "containerId"];

function storedTile(tile: Data): Data {
  return given(tile, tileMembers);
}

/** An alert as an answer shows it. */
export function shownAlert(record: Data, behaviour: Behaviour): Data {
  const { dashboardId, threshold, ...rest } = record;
  const all = {
    ...rest,
    threshold: behaviour.rewrites.texts ? String(threshold) : threshold,
    ...(dashboardId === undefined
      ? {}
      : { [behaviour.dashboardId ? "dashboardId" : "dashboard"]: dashboardId }),
    state: "OK",
    team: "team-1",
  };
  const shown = behaviour.showsNull
    ? all
    : Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  return behaviour.dialect === "clickhouse" ? inWordsOfProduct(shown) : shown;
}

/** The product's words for those of the API document. */
function inWordsOfProduct({ source, savedSearch, team, ...rest }: Data): Data {
  return {
    ...rest,
    source: source === "search" ? "saved_search" : source,
    ...(savedSearch === undefined ? {} : { savedSearchId: savedSearch }),
    teamId: team,
  };
}

/** A body in the words of the API document. */
export function inWordsOfDocument({ source, savedSearchId, ...rest }: Data): Data {
  return {
    ...rest,
    ...(source === undefined ? {} : { source: source === "saved_search" ? "search" : source }),
    ...(savedSearchId === undefined ? {} : { savedSearch: savedSearchId }),
  };
}

/** A dashboard as an answer shows it. */
export function shownDashboard(record: Data, { rewrites, dialect }: Behaviour): Data {
  const tiles = (record.tiles as readonly Data[]).map((tile) => {
    if (tile.config !== undefined) return { ...tile, config: completed(tile.config as Data) };
    const full = rewrites.defaults && tile.asRatio === undefined ? { ...tile, asRatio: false } : tile;
    if (!rewrites.config || !Array.isArray(full.series)) return full;
    const { series, asRatio, ...rest } = full;
    return { ...rest, config: configOf(series as Data[], asRatio) };
  });
  // The lists are there although nobody sent them.
  const lists = dialect === "clickhouse" ? { filters: [], savedQuery: null, savedFilterValues: [] } : {};
  return { ...lists, ...record, tiles };
}

/** What a server adds to what a tile shows. */
function completed(config: Data): Data {
  const isTime = config.displayType === "line";
  const { select } = config;
  if (!Array.isArray(select)) return config;
  return {
    ...(isTime || config.displayType === "table" ? { asRatio: false } : {}),
    ...(isTime ? { fillNulls: true } : {}),
    ...config,
    select: select.map((entry) => ({ valueExpression: "", where: "", whereLanguage: "lucene", ...entry })),
  };
}

/** Newer servers answer `config` for `series`. */
function configOf(series: readonly Data[], asRatio: unknown): Data {
  const [first = {}] = series;
  return {
    displayType: first.type === "time" ? "line" : first.type,
    ...(first.sourceId === undefined ? {} : { sourceId: first.sourceId }),
    asRatio: asRatio ?? false,
    groupBy: ((first.groupBy as string[] | undefined) ?? []).join(","),
    select: series.map(({ aggFn, where, field }) => ({
      aggFn: aggFn ?? "count",
      where: where ?? "",
      whereLanguage: "lucene",
      valueExpression: field ?? "",
    })),
  };
}

/** A key as an answer shows it: never its secret. */
export function shownKey(record: Data, isListed: boolean, { capitals }: Behaviour): Data {
  const { keyId: _, keySecret: __, signsFor: ___, ...rest } = record;
  return capitals && isListed ? { ...rest, id: String(rest.id).toUpperCase() } : rest;
}

/** Ids that the service gives. */
export class Ids {
  constructor(
    private readonly random: Random,
    private readonly behaviour: Behaviour,
  ) {}

  /** As a document store gives them. */
  object(madeAt = Date.now()): string {
    const { timedIds, skew } = this.behaviour;
    const seconds = Math.floor((madeAt + skew) / 1000);
    return timedIds ? `${seconds.toString(16)}${this.random.hex(16)}` : this.random.hex(24);
  }

  /** Of an object that was there long before the history. */
  old(): string {
    return this.object(beginning - 14 * 24 * 60 * 60_000);
  }

  uuid(): string {
    const { random } = this;
    return `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`;
  }

  secret(): string {
    return `s3cr3t${this.random.hex(30)}`;
  }
}

/** Deletes the alerts on tiles that are gone. */
export function alertsWithoutTile(store: Store, dashboardId: string, tiles: readonly Data[]): Data[] {
  const left = new Set(tiles.map(({ id }) => id));
  return store
    .all("alerts")
    .filter((alert) => alert.dashboardId === dashboardId && !left.has(alert.tileId as string));
}
