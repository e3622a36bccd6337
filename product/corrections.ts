import type { Schema, TableName } from "./schema";

/** Where a document of the product is wrong, silent, or behind the servers. */
export interface Correction {
  readonly table: TableName;
  /**
   * A named schema or a part of an operation, then members: `Alert.tags[]`, `GET /v1/organizations query.limit`. Members that the
   * document does not have are added.
   */
  readonly at: string | readonly string[];
  /** Keywords that replace those of the document, `undefined` for none; a member that is absent is taken away. */
  readonly is?: Schema | "absent";
  /** Members of the object there that are required, although the document does not say so. */
  readonly requires?: readonly string[];
  /** Members of the object there that are not required, although the document says so. */
  readonly frees?: readonly string[];
  /** A schema that holds there besides. */
  readonly rule?: Schema;
  readonly because: string;
  /** The place where it was seen. */
  readonly seen: string;
  /** The version of a HyperDX server from which it holds. */
  readonly since?: string;
  /** The version of a HyperDX server from which it holds no more. */
  readonly until?: string;
}

/** All corrections. A test fails at one that changes nothing: the document then says the same itself. */
export const corrections: readonly Correction[] = [
  {
    table: "cloud",
    at: "Service.byocId",
    is: { type: ["string", "null"], minLength: 1 },
    because: "It is absent or null where there is none, never an empty text.",
    seen: "the sentences of the Cloud document of October 2026",
  },
  {
    table: "server",
    at: "AlertSource",
    is: { enum: ["inline", "saved_search", "tile"] },
    because: "Inline alerts have a chart of their own.",
    seen: "release page of @hyperdx/api 2.38",
    since: "2.38",
  },
];
