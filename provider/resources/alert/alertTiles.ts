import { dialects } from "../../api/dialect";
import type { Settings } from "../../api/settingsSchema";
import { perSession, type Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import { type Data, isObject } from "../../values/data";
import { containsUnknown, isUnknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import { isRenamedTile } from "../dashboard/renames";
import { idAt, keysOf, matchIds, tileIdsIn, tilesIn } from "../dashboard/tiles";

/**
 * Kinds of dashboard tiles that cannot carry alerts: each time a dashboard is updated, ClickHouse Cloud deletes all alerts on
 * them.
 */
const withoutAlerts = ["table", "pie", "bar", "heatmap", "search", "event_patterns", "markdown"];

/** The kind of a dashboard tile if it cannot carry alerts; undefined if it can, or if its kind is unknown. */
function kindWithoutAlerts({ config, series }: Data): string | undefined {
  const [first] = tilesIn(series);
  const kind = isObject(config) ? config.displayType : first?.type;
  return withoutAlerts.find((name) => name === kind);
}

/** What the check of an alert needs to know about the dashboard tile that the alert watches. */
interface KnownTile {
  readonly name: unknown;
  readonly dashboard: unknown;
  /** The kind of the tile, if tiles of this kind cannot carry alerts. */
  readonly kind: string | undefined;
}

/** The tiles of all dashboards that the program has declared so far in this preview or update, by the tiles' ids. */
const declaredTiles = perSession(() => new Map<string, KnownTile>());

/** The ids of the tiles that a dashboard declares; undefined for a tile whose id is not known yet. */
export function knownTileIds(tiles: unknown, state: State): (string | undefined)[] {
  return matchIds(tilesIn(tiles), tilesIn(state.tiles), tileIdsIn(state), isRenamedTile);
}

/** Remembers the tiles of a dashboard for the later checks of alerts that watch these tiles. */
export function noteTiles(
  { name: dashboard, tiles }: Data,
  ids: readonly (string | undefined)[],
  session: Session,
): void {
  for (const [index, tile] of tilesIn(tiles).entries()) {
    const id = ids[index];
    if (id !== undefined)
      declaredTiles(session).set(id, { name: tile.name, dashboard, kind: kindWithoutAlerts(tile) });
  }
}

/**
 * The failure for an alert on a tile whose kind cannot carry alerts. If a preview does not know the tile's new id, the tile
 * that the alert watched before is checked: the service deletes the alert when the dashboard changes, which is before the alert
 * changes.
 */
export function tileOfAlertFailures(
  { source, tileId }: Data,
  olds: Data | undefined,
  session: Session,
): Failure[] {
  const isKnown = !isUnknown(tileId);
  const id = isKnown ? tileId : olds?.tileId;
  const tile = source === "tile" && typeof id === "string" ? declaredTiles(session).get(id) : undefined;
  if (!tile?.kind) return [];
  const named = `the tile ${JSON.stringify(tile.name)} of the dashboard ${JSON.stringify(tile.dashboard)}`;
  const subject = isKnown ? `is ${named}, a ${tile.kind}` : `was that of ${named}, now a ${tile.kind}`;
  const message = `${subject}, whose alerts the service deletes; only line, stacked_bar and number carry alerts`;
  return [{ path: "tileId", message }];
}

/** Whether the configured service deletes alerts on tiles that cannot carry any. */
export function deletesAlerts(settings: Settings): boolean {
  return dialects[settings.dialect].enforcesLimits;
}

/** A dashboard tile whose alerts the service deletes when the dashboard is updated. */
export interface LosingTile {
  readonly id: string;
  readonly name: unknown;
  /** The new kind of the tile, which cannot carry alerts. Absent if the update removes the tile from the dashboard. */
  readonly kind?: string;
  /** Whether the update of the dashboard turns a tile that can carry alerts into one that cannot. */
  readonly isTurned: boolean;
}

/**
 * The tiles of a dashboard whose alerts the service deletes with an update, since the update removes the tile or turns it into
 * a kind that cannot carry alerts.
 */
export function losingTiles({ tiles }: Data, state: State): LosingTile[] {
  const declared = tilesIn(tiles);
  const ids = knownTileIds(tiles, state);
  const tileIds = tileIdsIn(state);
  const former = tilesIn(state.tiles);
  const formerById = new Map(keysOf(former).map((key, index) => [idAt(tileIds, key), former[index]]));
  // While the content of a declared tile is unknown, it may be the tile that the Pulumi state has at this index.
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
