import type { Random } from "../random";
import type { Behaviour } from "./behaviour";
import type { Data, Store } from "./store";

/** What the service stores of what it is sent, and what it answers of what it stores. */

export const alertMembers = [
  "name",
  "message",
  "threshold",
  "interval",
  "thresholdType",
  "source",
  "channel",
  "dashboardId",
  "tileId",
] as const;

/** What a PUT of an alert sets to null where it is not given (product-members: "PUT (HDX)"). */
export const nulledMembers = ["name", "message"] as const;

export const keyMembers = ["name", "roles", "state", "expireAt", "ipAccessList"] as const;

export const scalingMembers = [
  "numReplicas",
  "idleScaling",
  "idleTimeoutMinutes",
  "minTotalMemoryGb",
  "maxTotalMemoryGb",
] as const;

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
  if (behaviour.showsNull) return all;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** A dashboard as an answer shows it. */
export function shownDashboard(record: Data, { rewrites }: Behaviour): Data {
  const tiles = (record.tiles as readonly Data[]).map((tile) => {
    const full = rewrites.defaults && tile.asRatio === undefined ? { ...tile, asRatio: false } : tile;
    if (!rewrites.config || !Array.isArray(full.series)) return full;
    const { series, asRatio, ...rest } = full;
    return { ...rest, config: configOf(series as Data[], asRatio) };
  });
  return { ...record, tiles };
}

/** Newer servers answer `config` for `series` (product-facts: "Dashboard tiles"). */
function configOf(series: readonly Data[], asRatio: unknown): Data {
  const [first = {}] = series;
  return {
    displayType: first.type === "time" ? "line" : first.type,
    asRatio: asRatio ?? false,
    groupBy: ((first.groupBy as string[] | undefined) ?? []).join(","),
    select: series.map(({ aggFn, where }) => ({
      aggFn: aggFn ?? "count",
      where: where ?? "",
      whereLanguage: "lucene",
      valueExpression: "",
    })),
  };
}

/** A key as an answer shows it: never its secret. */
export function shownKey(record: Data, isListed: boolean, { capitals }: Behaviour): Data {
  const { keyId: _, keySecret: __, ...rest } = record;
  return capitals && isListed ? { ...rest, id: String(rest.id).toUpperCase() } : rest;
}

/** Ids that the service gives. */
export class Ids {
  constructor(private readonly random: Random) {}

  /** As a document store gives them. */
  object(): string {
    return this.random.hex(24);
  }

  uuid(): string {
    const { random } = this;
    return `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`;
  }

  secret(): string {
    return `s3cr3t${this.random.hex(30)}`;
  }
}

/** Deletes the alerts on tiles that are gone (product-facts: "the alerts on that tile are deleted"). */
export function alertsWithoutTile(store: Store, dashboardId: string, tiles: readonly Data[]): Data[] {
  const left = new Set(tiles.map(({ id }) => id));
  return store
    .all("alerts")
    .filter((alert) => alert.dashboardId === dashboardId && !left.has(alert.tileId as string));
}
