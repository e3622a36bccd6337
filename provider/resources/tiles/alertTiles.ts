import { dialects } from "../../api/dialect";
import type { Settings } from "../../api/settingsSchema";
import { perSession, type Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import { isObject, type PropertyMap } from "../../values/data";
import { containsUnknown, isUnknown } from "../../values/unknown";
import { type Failure, sentenceOf } from "../../values/validate";
import { isRenamedTile } from "./renames";
import { keyOfTile, tileOf } from "./tileRemovals";
import { idAt, keysOf, matchIds, tileIdsIn, tilesIn } from "./tiles";

/** Kinds of tile that cannot carry alerts: ClickHouse Cloud deletes all alerts on them with each update of the dashboard. */
const withoutAlerts = ["table", "pie", "bar", "heatmap", "search", "event_patterns", "markdown"];

/** The kind of a dashboard tile if it cannot carry alerts; undefined if it can, or if its kind is unknown. */
export function kindWithoutAlerts({ config, series }: PropertyMap): string | undefined {
  const [first] = tilesIn(series);
  const kind = isObject(config) ? config.displayType : first?.type;
  return withoutAlerts.find((name) => name === kind);
}

/** A tile of a dashboard that the program declares. */
export interface KnownTile {
  readonly name: unknown;
  readonly dashboard: unknown;
  /** The kind of the tile, if it cannot carry alerts. */
  readonly kind: string | undefined;
}

/** The tiles of all dashboards that the program has declared so far in this run, by {@link keyOfTile}. */
const declaredTiles = perSession(() => new Map<string, KnownTile>());

/** The ids of the tiles that a dashboard declares; undefined for each unknown id. */
export function knownTileIds(tiles: unknown, state: State): (string | undefined)[] {
  return matchIds(tilesIn(tiles), tilesIn(state.tiles), tileIdsIn(state), isRenamedTile);
}

export function noteTiles(
  dashboardId: string,
  { name: dashboard, tiles }: PropertyMap,
  ids: readonly (string | undefined)[],
  session: Session,
): void {
  for (const [index, tile] of tilesIn(tiles).entries()) {
    const tileId = ids[index];
    if (tileId === undefined) continue;
    const known = { name: tile.name, dashboard, kind: kindWithoutAlerts(tile) };
    declaredTiles(session).set(keyOfTile({ dashboardId, tileId }), known);
  }
}

/**
 * The failure for an alert on a tile whose kind cannot carry alerts. If a preview does not know the alert's new tile, its
 * former tile is checked: if that tile has changed to such a kind, the service deletes the alert when the dashboard is updated.
 */
export function tileOfAlertFailures(
  inputs: PropertyMap,
  olds: PropertyMap | undefined,
  session: Session,
): Failure[] {
  const isKnown = !isUnknown(inputs.tileId);
  const watched = tileOf(isKnown ? inputs : { ...olds, source: inputs.source });
  const tile = watched && declaredTiles(session).get(keyOfTile(watched));
  return tile ? failuresOn(tile, isKnown ? "is" : "was that of") : [];
}

function failuresOn({ name, dashboard, kind }: KnownTile, verb: "is" | "was that of"): Failure[] {
  if (kind === undefined) return [];
  const named = `the tile ${JSON.stringify(name)} of the dashboard ${JSON.stringify(dashboard)}`;
  const subject = `${verb} ${named}, ${verb === "is" ? "a" : "now a"} ${kind}`;
  const message = `${subject}, whose alerts the service deletes; only line, stacked_bar and number carry alerts`;
  return [{ path: "tileId", message }];
}

/**
 * The failures for an alert on a tile that the program names and whose id a preview does not know yet.
 * @param watched the tile as a {@link KnownTile}; anything else if the program does not tell it
 */
export function tileToComeFailures(watched: unknown, { tileId }: PropertyMap): Failure[] {
  const isToCome = isUnknown(tileId) && isObject(watched) && typeof watched.kind === "string";
  return isToCome ? failuresOn(watched as unknown as KnownTile, "is") : [];
}

/** Splits failures of an alert's tile: where the service does not delete such alerts for sure, they are warnings. */
export function asVerdict(
  failures: readonly Failure[],
  session: Session,
): { readonly failures: readonly Failure[]; readonly warnings: readonly string[] } {
  if (failures.length === 0 || deletesAlerts(session.settings)) return { failures, warnings: [] };
  return { failures: [], warnings: failures.map((failure) => `Alert: ${sentenceOf(failure)}`) };
}

export function deletesAlerts(settings: Settings): boolean {
  return dialects[settings.dialect].enforcesLimits;
}

/** A dashboard tile whose alerts the service deletes when the dashboard is updated. */
export interface LosingTile {
  readonly id: string;
  readonly name: unknown;
  /** The new kind of the tile; absent if the update removes the tile. */
  readonly kind?: string;
  /** Whether the update of the dashboard turns a tile that can carry alerts into one that cannot. */
  readonly isTurned: boolean;
}

/**
 * The tiles whose alerts the service deletes with an update of the dashboard: removed ones, and those of a new kind that cannot
 * carry alerts.
 */
export function losingTiles({ tiles }: PropertyMap, state: State): LosingTile[] {
  const declared = tilesIn(tiles);
  const ids = knownTileIds(tiles, state);
  const tileIds = tileIdsIn(state);
  const former = tilesIn(state.tiles);
  const formerById = new Map(keysOf(former).map((key, index) => [idAt(tileIds, key), former[index]]));
  // A declared tile of unknown content may be the tile that the Pulumi state has at its index.
  const doubtful = keysOf(former).map((key, index) =>
    ids[index] === undefined && containsUnknown(declared[index]) ? idAt(tileIds, key) : undefined,
  );
  const remaining = new Set([...ids, ...doubtful]);
  const removed = Object.keys(tileIds).flatMap((name): LosingTile[] => {
    const id = idAt(tileIds, name);
    return id === undefined || remaining.has(id) ? [] : [{ id, name, isTurned: false }];
  });
  const without = declared.flatMap((tile, index): LosingTile[] => {
    const [id, kind] = [ids[index], kindWithoutAlerts(tile)];
    if (id === undefined || kind === undefined) return [];
    const isTurned = kindWithoutAlerts(formerById.get(id) ?? tile) === undefined;
    return [{ id, name: tile.name, kind, isTurned }];
  });
  return [...removed, ...without];
}
