import type { Operation, Schema, TableName } from "./schema";

/**
 * A correction of the API document of ClickHouse Cloud or HyperDX: the document states a fact wrongly, not at all, or not yet.
 */
export interface Correction {
  readonly table: TableName;
  /**
   * The place of the correction in the API document: a named schema or a part of an operation, then properties: `Alert.tags[]`,
   * `GET /v1/organizations query.limit`. The correction adds properties that the document does not have.
   */
  readonly at: string | readonly string[];
  /**
   * Schema keywords that replace those of the API document: a keyword with the value `undefined` is removed. The text `absent`
   * in place of keywords removes the whole property.
   */
  readonly is?: Schema | "absent";
  /** The facts about a whole operation that the document lacks. The place is its method and path: `GET /v1/organizations`. */
  readonly adds?: Operation;
  /** Names of properties that the server requires, although the API document says that they are optional. */
  readonly requires?: readonly string[];
  /** Names of properties that are optional for the server, although the API document says that they are required. */
  readonly frees?: readonly string[];
  /** Further JSON Schemas that the corrected value of the API document has to fulfil. */
  readonly rules?: readonly Schema[];
  readonly because: string;
  /** How somebody found the fact by which the API document is corrected, such as by requests to a server. */
  readonly seen: string;
  /** The first version of a HyperDX server for which the correction of its API document holds. */
  readonly since?: string;
  /** The version of a HyperDX server from which on the correction of its API document no longer holds. */
  readonly until?: string;
}

/** The origin of corrections that somebody found by requests to a HyperDX server 2.36. */
export const measured = "requests to a HyperDX server, api 2.36";
export const zod = "hyperdxio/hyperdx packages/api/src/utils/zod.ts, September and October 2026";
export const sentences = "the sentences of the Cloud document of October 2026";

export const upTo = (maxLength: number, minLength = 0): Schema => ({ type: "string", minLength, maxLength });

/** Makes corrections of both API documents, since both APIs have the same HyperDX server behind them. */
export const ofBoth = (
  at: { readonly [name in TableName]: string | readonly string[] },
  correction: Omit<Correction, "table" | "at">,
): Correction[] => [
  { table: "cloud", at: at.cloud, ...correction },
  { table: "server", at: at.server, ...correction },
];
