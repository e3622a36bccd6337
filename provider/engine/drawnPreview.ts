/** Set by `pipestack draw` for the preview that it runs. */
export const drawnPreview = "PIPESTACK_DRAWN_PREVIEW";

/** Whether this process serves such a preview. */
export function isDrawnPreview(): boolean {
  return Boolean(process.env[drawnPreview]);
}

/** The stand-in for the id of a tile in a drawn preview: `urn:…::ingestion#Errors`. */
export function tileReference(urn: string, key: string): string {
  return `${urn}#${key}`;
}
