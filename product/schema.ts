/** The names of the tables with the facts of the two API documents: ClickHouse Cloud's and that of a HyperDX server. */
export type TableName = "cloud" | "server";

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

/** The facts about an API operation, with corrections applied. Schemas in it may refer to named schemas of the same table. */
export interface Operation {
  readonly id: string;
  /**
   * The permissions that an API key needs for the operation, such as `control-plane:service:view`; absent if the API document
   * states none.
   */
  readonly permissions?: readonly string[];
  readonly deprecated?: true;
  readonly path?: { readonly [name: string]: Schema };
  readonly query?: { readonly [name: string]: Schema };
  readonly header?: { readonly [name: string]: Schema };
  readonly request?: Schema;
  readonly answers: { readonly [status: string]: Schema };
  /** The HTTP statuses of failures that the API document states for the operation. */
  readonly errors: readonly number[];
}

export interface Table {
  readonly operations: { readonly [methodAndPath: string]: Operation };
  readonly schemas: { readonly [name: string]: Schema };
}
