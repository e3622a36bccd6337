import { isDrawnPreview, tileReference } from "../../engine/drawnPreview";
import { type Data, isObject } from "../../values/data";
import { isUnknown } from "../../values/unknown";

/**
 * The planned state of a dashboard. In a preview for `pipestack draw`, each unknown id of a new tile is replaced by a text that
 * names the tile, so that the picture shows alerts on their tiles.
 */
export function withTileReferences(urn: string, planned: Data): Data {
  if (!isDrawnPreview() || !isObject(planned.tileIds)) return planned;
  const tileIds = Object.entries(planned.tileIds).map(([key, id]) => [
    key,
    isUnknown(id) ? tileReference(urn, key) : id,
  ]);
  return { ...planned, tileIds: Object.fromEntries(tileIds) };
}
