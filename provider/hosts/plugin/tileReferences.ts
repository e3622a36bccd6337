import { isDrawnPreview, tileReference } from "../../engine/drawnPreview";
import { isObject, type PropertyMap } from "../../values/data";
import { isUnknown } from "../../values/unknown";

/**
 * In a preview for `pipestack draw`, a text that names the tile takes the place of the tile's unknown id, so that the picture
 * can show the tile's alerts.
 */
export function withTileReferences(urn: string, planned: PropertyMap): PropertyMap {
  if (!isDrawnPreview() || !isObject(planned.tileIds)) return planned;
  const tileIds = Object.entries(planned.tileIds).map(([key, id]) => [
    key,
    isUnknown(id) ? tileReference(urn, key) : id,
  ]);
  return { ...planned, tileIds: Object.fromEntries(tileIds) };
}
