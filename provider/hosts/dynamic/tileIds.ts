import * as pulumi from "@pulumi/pulumi";
import { isDrawnPreview, tileReference } from "../../lifecycle/diff";
import { keysOf, type NamedTile } from "../../resources/dashboard/tiles";
import { printable } from "../../values/printable";
import { failedValue } from "./failedValue";

type TileIds = { readonly [name: string]: string };

/** Tiles as a program declares them. */
export type DeclaredTiles = pulumi.Input<readonly pulumi.Input<{ readonly name: pulumi.Input<string> }>[]>;

/** The keys of declared tiles: secret if one of their names is. Undefined where the tiles are no list. */
export function declaredKeys(tiles: DeclaredTiles): pulumi.Output<readonly string[] | undefined> {
  // To resolve all of every tile takes seconds for thousands of them.
  if (Array.isArray(tiles))
    return pulumi.all(tiles.map(nameOf)).apply((names) => keysOf(names.map((name) => ({ name }))));
  return pulumi
    .output(tiles)
    .apply((known) => (Array.isArray(known) ? keysOf(known as readonly NamedTile[]) : undefined));
}

function nameOf(tile: pulumi.Input<{ readonly name: pulumi.Input<string> }>): pulumi.Input<string> {
  if (pulumi.Output.isInstance(tile) || tile instanceof Promise)
    return pulumi.output(tile).apply((known) => known?.name);
  return tile?.name;
}

/**
 * The ids of a dashboard's tiles, of which one that the program does not declare is an error that names those that there
 * are: in the preview of a creation, too, where the ids themselves are not known yet.
 *
 * @param dashboard name of the resource
 * @param keys of the declared tiles: {@link declaredKeys}
 */
export function checkedTileIds(
  tileIds: pulumi.Output<TileIds>,
  dashboard: string,
  keys: pulumi.Output<readonly string[] | undefined>,
): pulumi.Output<TileIds> {
  const known = keys.apply((all) => all && new Set(all));
  return new Proxy(tileIds, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof name === "symbol" || isOutputMember(name)) return member;
      return known.apply(async (all): Promise<pulumi.Output<string>> => {
        if (all === undefined || all.has(name)) return member as pulumi.Output<string>;
        const reason = missing(dashboard, name, [...all], await pulumi.isSecret(keys));
        return failedValue(new pulumi.RunError(printable(reason)));
      });
    },
  });
}

function missing(dashboard: string, name: string, keys: readonly string[], isSecret: boolean): string {
  if (isSecret)
    return `dashboard ${dashboard} has no tile of the name in tileIds; the names of its tiles are secret`;
  const all = keys.length > 0 ? `it has: ${keys.join(", ")}` : "it has none";
  return `dashboard ${dashboard} has no tile ${JSON.stringify(name)}; ${all}`;
}

const members = pulumi.output({});

/** Whether a name means something on every output, so that it does not reach a member of its value. */
export function isOutputMember(name: string): boolean {
  return name in members || name === "then" || name.startsWith("__");
}

/**
 * In a drawn preview, ids of tiles that say which tile they stand for: those of the service are not known before the
 * dashboard is there, and the picture of an alert belongs on its tile. Undefined in everything that writes.
 */
export function tileReferences(
  urn: pulumi.Output<string>,
  keys: pulumi.Output<readonly string[] | undefined>,
): pulumi.Output<{ [name: string]: string }> | undefined {
  if (!isDrawnPreview() || !pulumi.runtime.isDryRun()) return undefined;
  return pulumi
    .all([urn, keys])
    .apply(([of, known = []]) => Object.fromEntries(known.map((key) => [key, tileReference(of, key)])));
}
