import * as pulumi from "@pulumi/pulumi";
import { isDrawnPreview, tileReference } from "../../engine/drawnPreview";
import { isOutputMember } from "../../engine/outputMembers";
import { type KnownTile, kindWithoutAlerts } from "../../resources/tiles/alertTiles";
import { idAt, keysOf, type NamedTile } from "../../resources/tiles/tiles";
import { failedValue } from "./failedValue";
import { programError } from "./programError";

type TileIds = { readonly [name: string]: string };

export type DeclaredTiles = pulumi.Input<readonly pulumi.Input<{ readonly name: pulumi.Input<string> }>[]>;

/** The names of a dashboard's declared tiles, not secret even if the tiles are; undefined if the tiles are no list. */
export type DeclaredNames = pulumi.Output<readonly unknown[] | undefined>;

export function declaredNames(tiles: DeclaredTiles): DeclaredNames {
  // Only the names of the tiles are resolved: resolving all properties of thousands of tiles takes seconds.
  if (Array.isArray(tiles)) return pulumi.unsecret(pulumi.all(tiles.map(tileName))) as DeclaredNames;
  const names = pulumi.output(tiles).apply((list) => {
    return Array.isArray(list) ? (list as readonly NamedTile[]).map((tile) => tile?.name) : undefined;
  });
  return pulumi.unsecret(names);
}

function keysOfNames(names: DeclaredNames): pulumi.Output<readonly string[] | undefined> {
  return names.apply((list) => list && keysOf(list.map((name) => ({ name }))));
}

function tileName(tile: pulumi.Input<{ readonly name: pulumi.Input<string> }>): pulumi.Input<string> {
  return memberAt(tile, ["name"]) as pulumi.Input<string>;
}

/** A member of a value. Only what is on the way to it is resolved: a tile is unknown as a whole while its source is. */
function memberAt(value: unknown, path: readonly (string | number)[]): pulumi.Input<unknown> {
  const [name, ...inner] = path;
  if (name === undefined) return value;
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply((resolved) => memberAt(resolved, path));
  return memberAt((value as { readonly [name: string | number]: unknown } | undefined)?.[name], inner);
}

/** The tiles that references to tile ids stand for, if they cannot carry alerts. */
const watchedTiles = new WeakMap<object, pulumi.Output<KnownTile | undefined>>();

/**
 * The tile that a reference to a tile id stands for, if it cannot carry alerts. Only the program knows that in the preview of a
 * new dashboard, where the id is unknown.
 */
export function watchedTile(tileId: unknown): pulumi.Output<KnownTile | undefined> | undefined {
  return typeof tileId === "object" && tileId !== null ? watchedTiles.get(tileId) : undefined;
}

/** Remembers which declared tile a reference to a tile id stands for, by its key in `tileIds`, and returns the reference. */
export type Watch = (tileId: pulumi.Output<string>, key: string) => pulumi.Output<string>;

export function watchOf(dashboard: string, tiles: DeclaredTiles, names: DeclaredNames): Watch {
  const keys = keysOfNames(names);
  return (tileId, key) => {
    const watched = keys.apply((list = []) => {
      const at = list.indexOf(key);
      const kinds = [
        memberAt(tiles, [at, "config", "displayType"]),
        memberAt(tiles, [at, "series", 0, "type"]),
      ];
      return pulumi.all(kinds).apply(([displayType, type]) => {
        const config = displayType === undefined ? {} : { config: { displayType } };
        const kind = kindWithoutAlerts({ ...config, series: [{ type }] });
        return kind === undefined ? undefined : { name: key, dashboard, kind };
      });
    });
    watchedTiles.set(tileId, pulumi.unsecret(watched));
    return tileId;
  };
}

/** The id of a tile that only a later update adds: an unknown value of Pulumi. */
const idToCome = pulumi.unknown as string;

/**
 * Whether a declared tile is missing only because the option `--target` skips its dashboard. Alerts on such a tile must not
 * fail, since a later update adds it.
 */
function isToCome(name: string, applied: readonly unknown[] | undefined): boolean {
  return applied?.includes(name) === false;
}

/** The ids of a dashboard's tiles by name. The id of an undeclared tile is an error, even in a preview with unknown ids. */
export function checkedTileIds(
  tileIds: pulumi.Output<TileIds>,
  dashboard: string,
  names: DeclaredNames,
  applied: DeclaredNames = names,
  watch: Watch = (tileId) => tileId,
): pulumi.Output<TileIds> {
  const keys = keysOfNames(names);
  const keySet = keys.apply((list) => list && new Set(list));
  return new Proxy(tileIds, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof name === "symbol" || isOutputMember(name)) return member;
      const id = keySet.apply((set) => {
        if (set === undefined) return member as pulumi.Output<string>;
        if (set.has(name))
          return pulumi
            .all([member as pulumi.Output<string | undefined>, keysOfNames(applied)])
            .apply(([id, now]) => (id === undefined && isToCome(name, now) ? idToCome : id));
        return failedValue(programError(missing(dashboard, name, [...set])));
      });
      return watch(id as unknown as pulumi.Output<string>, name);
    },
  });
}

/** The inputs with which an alert watches a tile of a dashboard. */
export interface TileReference {
  /** The kind of object that the alert watches: a tile of a dashboard. */
  readonly source: "tile";
  /** The dashboard. */
  readonly dashboardId: pulumi.Output<pulumi.ID>;
  /** The tile. */
  readonly tileId: pulumi.Output<string>;
}

/**
 * The id of the dashboard tile with a name. It is an error, even in a preview, if not exactly one tile has the name.
 * @param tileIds the ids that the service shows. Those of {@link checkedTileIds} would not do: in them, a name such as `apply`
 * leads to a method of the output, and not to a tile
 */
export function tileIdOf(
  tileIds: pulumi.Output<TileIds>,
  dashboard: string,
  name: string,
  names: DeclaredNames | undefined,
  applied: DeclaredNames | undefined = names,
): pulumi.Output<string> {
  const failed = (reason: string) => failedValue(programError(reason));
  const idIn = (ids: TileIds) =>
    Promise.resolve(idAt(ids, name) ?? failed(missing(dashboard, name, Object.keys(ids))));
  if (!names) return tileIds.apply(idIn);
  // The function that `apply` calls may return an output. Pulumi resolves it to its value, although the types of the SDK do not
  // show this.
  const id = names.apply((list) => {
    const count = list?.filter((entry) => entry === name).length;
    if (list === undefined) return tileIds.apply(idIn);
    if (count === 1)
      return pulumi
        .all([tileIds, applied ?? names])
        .apply(([ids, now]) => (idAt(ids, name) === undefined && isToCome(name, now) ? idToCome : idIn(ids)));
    if (count === 0) return failed(missing(dashboard, name, keysOf(list.map((name) => ({ name })))));
    return failed(
      `dashboard ${dashboard} has ${count} tiles ${JSON.stringify(name)}; give each a name of its own, or choose by tileIds`,
    );
  });
  return id as unknown as pulumi.Output<string>;
}

function missing(dashboard: string, name: string, keys: readonly string[]): string {
  const advice = keys.length > 0 ? `it has: ${keys.join(", ")}` : "it has none";
  return `dashboard ${dashboard} has no tile ${JSON.stringify(name)}; ${advice}`;
}

/** Tile ids for a preview of `pipestack draw`: each names its tile, so that the picture shows alerts on new tiles. */
export function tileReferences(
  urn: pulumi.Output<string>,
  names: DeclaredNames,
): pulumi.Output<{ [name: string]: string }> | undefined {
  if (!isDrawnPreview() || !pulumi.runtime.isDryRun()) return undefined;
  return pulumi
    .all([urn, keysOfNames(names)])
    .apply(([of, tileKeys = []]) => Object.fromEntries(tileKeys.map((key) => [key, tileReference(of, key)])));
}
