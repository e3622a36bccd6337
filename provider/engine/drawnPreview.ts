/**
 * The environment variable that `pipestack draw` sets for the Pulumi preview that it runs, so that the ids of new tiles get
 * placeholders.
 */
export const drawnPreview = "PIPESTACK_DRAWN_PREVIEW";

/** Whether this process serves a Pulumi preview that `pipestack draw` runs. */
export function isDrawnPreview(): boolean {
  return Boolean(process.env[drawnPreview]);
}

/**
 * The placeholder for the id of a new tile in a preview for `pipestack draw`: the dashboard's URN and the tile's name, as in
 * `urn:…::ingestion#Errors`.
 */
export function tileReference(urn: string, key: string): string {
  return `${urn}#${key}`;
}
