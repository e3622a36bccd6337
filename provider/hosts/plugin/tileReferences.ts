import { isDrawnPreview, tileReference } from "../../engine/drawnPreview";
import { type Data, isObject } from "../../values/data";
import { isUnknown } from "../../values/unknown";

/**
 * A planned object. In a preview of `pipestack draw`, each unknown id of a new tile is replaced by a text that names
 * the tile.
 */
export function withTileReferences(urn: string, planned: Data): Data {
  if (!isDrawnPreview() || !isObject(planned.tileIds)) return planned;
  const tileIds = Object.entries(planned.tileIds).map(([key, id]) => [
    key,
    isUnknown(id) ? tileReference(urn, key) : id,
  ]);
  return { ...planned, tileIds: Object.fromEntries(tileIds) };
}
