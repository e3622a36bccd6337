/** The environment variable of previews that `pipestack draw` runs, in which the ids of new tiles get placeholders. */
export const drawnPreview = "PIPESTACK_DRAWN_PREVIEW";

/** Whether this process serves a Pulumi preview that `pipestack draw` runs. */
export function isDrawnPreview(): boolean {
  return Boolean(process.env[drawnPreview]);
}

/** The placeholder for the id of a new tile in a preview for `pipestack draw`, as in `urn:…::ingestion#Errors`. */
export function tileReference(urn: string, key: string): string {
  return `${urn}#${key}`;
}
