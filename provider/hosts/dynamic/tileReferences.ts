import * as pulumi from "@pulumi/pulumi";
import { isDrawnPreview, tileReference } from "../../lifecycle/drawnPreview";

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
