import * as pulumi from "@pulumi/pulumi";
import { printable } from "../../api/printable";
import { keysOf, type NamedTile } from "../../resources/tiles";
import { failedValue } from "./failedValue";
import { isOutputMember } from "./outputMembers";

type TileIds = { readonly [name: string]: string };

/**
 * The ids of a dashboard's tiles, of which one that the program does not declare is an error that names those that there
 * are: in the preview of a creation, too, where the ids themselves are not known yet.
 *
 * @param dashboard name of the resource
 * @param tiles what the program declares
 */
export function checkedTileIds(
  tileIds: pulumi.Output<TileIds>,
  dashboard: string,
  tiles: pulumi.Input<readonly pulumi.Input<{ readonly name: pulumi.Input<string> }>[]>,
): pulumi.Output<TileIds> {
  return new Proxy(tileIds, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof name === "symbol" || isOutputMember(name)) return member;
      return pulumi.output(tiles).apply((known) => {
        const names = Array.isArray(known) ? keysOf(known as readonly NamedTile[]) : [name];
        if (names.includes(name)) return member as pulumi.Output<string>;
        const all = names.length > 0 ? `it has: ${names.join(", ")}` : "it has none";
        const reason = `dashboard ${dashboard} has no tile ${JSON.stringify(name)}; ${all}`;
        return failedValue(new pulumi.RunError(printable(reason)));
      });
    },
  });
}
