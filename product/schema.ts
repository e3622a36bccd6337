/** The tables of the two APIs: ClickHouse Cloud's, and that of a HyperDX server. */
export type TableName = "cloud" | "server";

/** A JSON Schema of the draft 2019-09. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** What is known of an operation, corrections applied. Schemas in it may refer to named ones of its table. */
export interface Operation {
  /** Its name in the document. */
  readonly id: string;
  /** The permissions that a key needs, such as `control-plane:service:view`; absent where none is stated. */
  readonly permissions?: readonly string[];
  readonly deprecated?: true;
  readonly path?: { readonly [name: string]: Schema };
  readonly query?: { readonly [name: string]: Schema };
  readonly header?: { readonly [name: string]: Schema };
  readonly request?: Schema;
  /** The schemas of successful answers, by status. */
  readonly answers: { readonly [status: string]: Schema };
  /** The statuses of failures that are stated. */
  readonly errors: readonly number[];
}

export interface Table {
  readonly operations: { readonly [methodAndPath: string]: Operation };
  readonly schemas: { readonly [name: string]: Schema };
}
