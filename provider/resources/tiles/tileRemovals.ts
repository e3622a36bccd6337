import { observe } from "../../lifecycle/observe";
import type { Context } from "../../lifecycle/scope";
import { perSession, type Session } from "../../lifecycle/session";
import { isSeen, type State } from "../../lifecycle/state";
import type { PropertyMap } from "../../values/data";
import { dashboardCollection } from "./dashboardCollection";
import { tileIdsIn, tilesIn } from "./tiles";

/** What the current Pulumi operation knows about the tiles of one dashboard, by their ids. */
interface Removals {
  /** Tiles of the dashboard in the Pulumi state, before the operation or after its refresh, which may have read a lagging list. */
  inState: ReadonlySet<string>;
  /** Tiles of the dashboard that the program still declares and, once it is updated, those that it has since. */
  staying: ReadonlySet<string>;
  /** Tiles that the program no longer declares: the update removes them, and the service deletes the alerts on them. */
  leaving: ReadonlySet<string>;
  removed: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

const fatesOfRun = perSession(() => new Map<string, Removals>());

/**
 * The known tiles of the dashboard with this id. Each dashboard has its own, since a copied dashboard may have tiles with the
 * same ids.
 */
function fatesOf(dashboardId: string, session: Session): Removals {
  const key = dashboardId.toLowerCase();
  const fates = fatesOfRun(session).get(key) ?? {
    ...{ inState: none, staying: none, leaving: none, removed: none },
  };
  fatesOfRun(session).set(key, fates);
  return fates;
}

export function noteState(dashboardId: string, state: State, session: Session): void {
  const fates = fatesOf(dashboardId, session);
  fates.inState = new Set([...fates.inState, ...Object.values(tileIdsIn(state))]);
}

export function noteFates(
  dashboardId: string,
  { staying, leaving }: { readonly staying: readonly string[]; readonly leaving: readonly string[] },
  session: Session,
): void {
  Object.assign(fatesOf(dashboardId, session), { staying: new Set(staying), leaving: new Set(leaving) });
}

/** @param state the Pulumi state of the updated dashboard: a declared tile that was no longer there has another id in it */
export function noteUpdate(dashboardId: string, state: State, session: Session): void {
  const fates = fatesOf(dashboardId, session);
  fates.removed = new Set([...fates.removed, ...fates.leaving]);
  fates.staying = new Set(Object.values(tileIdsIn(state)));
}

export interface TileReference {
  readonly dashboardId: string;
  readonly tileId: string;
}

/** The key of a tile: dashboards that people have made of one exported file have the same ids of tiles. */
export function keyOfTile({ dashboardId, tileId }: TileReference): string {
  return `${dashboardId.toLowerCase()} ${tileId}`;
}

/** The dashboard tile that an alert with these inputs watches; undefined if its id is unknown, or for another `source`. */
export function tileOf({ source, dashboardId, tileId }: PropertyMap): TileReference | undefined {
  const isOnTile = source === "tile" && typeof dashboardId === "string" && typeof tileId === "string";
  return isOnTile ? { dashboardId, tileId } : undefined;
}

export function isLeaving({ dashboardId, tileId }: TileReference, session: Session): boolean {
  return fatesOf(dashboardId, session).leaving.has(tileId);
}

export function isStaying({ dashboardId, tileId }: TileReference, session: Session): boolean {
  const isDeleted = session.run.isDeleted(dashboardCollection, dashboardId);
  return !isDeleted && fatesOf(dashboardId, session).staying.has(tileId);
}

/**
 * Whether the service has deleted an alert together with its tile or dashboard. If so, an alert that no list shows counts as
 * deleted. Without this, a missing alert that was just created is taken for one that lists do not show yet.
 *
 * @param isDenied whether the service has just answered a deletion with the statement that the alert does not exist
 */
export async function isDeletedWithTile(state: State, context: Context, isDenied: boolean): Promise<boolean> {
  const { session } = context;
  const tile = tileOf(state);
  if (!tile) return false;
  const { removed, inState } = fatesOf(tile.dashboardId, session);
  if (removed.has(tile.tileId) || session.run.isDeleted(dashboardCollection, tile.dashboardId)) return true;
  // An answer may lag, and show a dashboard without a new tile. So a tile counts as removed only if the dashboard's Pulumi
  // state lacks it as well, or if the service has just said that the tile's alert does not exist.
  const isForgotten = inState.size > 0 && !inState.has(tile.tileId);
  return (isDenied || isForgotten) && (await isWithoutTile(tile, context));
}

/** @param isElsewhere whether the dashboard may be on another system, so that it need not be gone where it is not shown */
export async function isWithoutTile(
  { dashboardId, tileId }: TileReference,
  context: Context,
  isElsewhere = false,
): Promise<boolean> {
  if (context.session.run.isDeleted(dashboardCollection, dashboardId)) return true;
  const look = { asOf: "now" } as const;
  const observed = await observe(dashboardCollection, dashboardId, context, look).catch(() => undefined);
  if (observed === undefined || observed === "gone") return observed === "gone" && !isElsewhere;
  if (!isSeen(observed) || !Array.isArray(observed.tiles)) return false;
  return !tilesIn(observed.tiles).some(({ id }) => id === tileId);
}
