import { isDeletedByRun } from "../../lifecycle/deletions";
import { observe } from "../../lifecycle/observe";
import type { Context } from "../../lifecycle/scope";
import { perSession, type Session } from "../../lifecycle/session";
import { isSeen, type State } from "../../lifecycle/state";
import type { Data } from "../../values/data";
import { dashboardCollection } from "../dashboard/dashboardCollection";
import { tileIdsIn, tilesIn } from "../dashboard/tiles";

/** What this run knows of the tiles of one dashboard, by their ids. */
interface Fates {
  /** Those that the state has: what the last write or refresh left. */
  inState: ReadonlySet<string>;
  /** Those that the program keeps. */
  staying: ReadonlySet<string>;
  /** Those that the program no longer declares, so that its update removes them, and the service their alerts. */
  leaving: ReadonlySet<string>;
  /** Those that an update of this run has removed. */
  removed: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

const fatesOfRun = perSession(() => new Map<string, Fates>());

/** Tiles of copied dashboards may have the same ids, so each is known with its dashboard. */
function fatesOf(dashboardId: string, session: Session): Fates {
  const key = dashboardId.toLowerCase();
  const fates = fatesOfRun(session).get(key) ?? {
    ...{ inState: none, staying: none, leaving: none, removed: none },
  };
  fatesOfRun(session).set(key, fates);
  return fates;
}

/** Notes the tiles that a dashboard has by its state. */
export function noteState(dashboardId: string, state: State, session: Session): void {
  fatesOf(dashboardId, session).inState = new Set(Object.values(tileIdsIn(state)));
}

/** Notes the tiles that the program keeps and those that it does not, as far as that is known. */
export function noteFates(
  dashboardId: string,
  { staying, leaving }: { readonly staying: readonly string[]; readonly leaving: readonly string[] },
  session: Session,
): void {
  Object.assign(fatesOf(dashboardId, session), { staying: new Set(staying), leaving: new Set(leaving) });
}

/** Notes that the update of a dashboard was carried out. */
export function noteRemoval(dashboardId: string, session: Session): void {
  const fates = fatesOf(dashboardId, session);
  fates.removed = new Set([...fates.removed, ...fates.leaving]);
}

/** A tile that an alert watches. */
interface TileReference {
  readonly dashboardId: string;
  readonly tileId: string;
}

/** The tile that an alert with these inputs watches; undefined while it is not known, and where it is none. */
export function tileOf({ source, dashboardId, tileId }: Data): TileReference | undefined {
  const isOnTile = source === "tile" && typeof dashboardId === "string" && typeof tileId === "string";
  return isOnTile ? { dashboardId, tileId } : undefined;
}

/** Whether the program is known to take a tile away. */
export function isLeaving({ dashboardId, tileId }: TileReference, session: Session): boolean {
  return fatesOf(dashboardId, session).leaving.has(tileId);
}

/** Whether the program is known to keep a tile. */
export function isStaying({ dashboardId, tileId }: TileReference, session: Session): boolean {
  return fatesOf(dashboardId, session).staying.has(tileId);
}

/**
 * Whether the service has deleted an alert with the tile or the dashboard that it watched, however new it is.
 *
 * @param isDenied whether the service has just said to a deletion that there is no such alert
 */
export async function isDeletedWithTile(state: State, context: Context, isDenied: boolean): Promise<boolean> {
  const { session } = context;
  const tile = tileOf(state);
  if (!tile) return false;
  const { removed, inState } = fatesOf(tile.dashboardId, session);
  if (removed.has(tile.tileId) || isDeletedByRun(dashboardCollection, tile.dashboardId, session)) return true;
  // Reads lag: a dashboard without a tile may be older than that. The state of the dashboard, and a deletion, do not lag.
  const isForgotten = inState.size > 0 && !inState.has(tile.tileId);
  return (isDenied || isForgotten) && (await isWithoutTile(tile, context));
}

/** Whether the service shows a dashboard without a tile, or that it is gone. */
export async function isWithoutTile(
  { dashboardId, tileId }: TileReference,
  context: Context,
): Promise<boolean> {
  const look = { asOf: "now" } as const;
  const observed = await observe(dashboardCollection, dashboardId, context, look).catch(() => undefined);
  if (observed === undefined || observed === "gone") return observed === "gone";
  if (!isSeen(observed) || !Array.isArray(observed.tiles)) return false;
  return !tilesIn(observed.tiles).some(({ id }) => id === tileId);
}
