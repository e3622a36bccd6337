/** An S3 server on loopback. */
export interface ObjectStore {
  /** Variables with which the Pulumi CLI keeps its state there. */
  readonly environment: Record<string, string>;
  /** The text of an object. */
  read(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts one with a bucket; installs it first where it is missing, which takes Python and pip. */
export function startObjectStore(): Promise<ObjectStore>;
