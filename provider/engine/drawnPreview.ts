/** The environment variable that `pipestack draw` sets for the preview that it runs. */
export const drawnPreview = "PIPESTACK_DRAWN_PREVIEW";

/** Whether this process serves a preview of `pipestack draw`. */
export function isDrawnPreview(): boolean {
  return Boolean(process.env[drawnPreview]);
}

/** The placeholder for the id of a tile in a preview of `pipestack draw`: `urn:…::ingestion#Errors`. */
export function tileReference(urn: string, key: string): string {
  return `${urn}#${key}`;
}
