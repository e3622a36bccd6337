import * as pulumi from "@pulumi/pulumi";
import { isDrawnPreview, tileReference } from "../../lifecycle/drawnPreview";
import { keysOf, type NamedTile } from "../../resources/tiles";

/**
 * In a drawn preview, ids of tiles that say which tile they stand for: those of the service are not known before the
 * dashboard is there, and the picture of an alert belongs on its tile. Undefined in everything that writes.
 */
export function tileReferences(
  urn: pulumi.Output<string>,
  tiles: pulumi.Input<readonly pulumi.Input<{ readonly name: pulumi.Input<string> }>[]> | undefined,
): pulumi.Output<{ [name: string]: string }> | undefined {
  if (!isDrawnPreview() || !pulumi.runtime.isDryRun() || tiles === undefined) return undefined;
  return pulumi
    .all([urn, tiles])
    .apply(([of, known]) =>
      Object.fromEntries(keysOf(known as readonly NamedTile[]).map((key) => [key, tileReference(of, key)])),
    );
}
