import type * as typebox from "@sinclair/typebox";

export type {
  SchemaOptions,
  Static,
  TArray,
  TNull,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnion,
  TUnsafe,
} from "@sinclair/typebox";

type Builders =
  | "Array"
  | "Boolean"
  | "Integer"
  | "Literal"
  | "Null"
  | "Number"
  | "Object"
  | "Optional"
  | "Record"
  | "String"
  | "Union"
  | "Unknown"
  | "Unsafe";

type Schema = Record<string | symbol, unknown>;

const isOptional = Symbol("optional");

const plain =
  (type: string) =>
  (options: Schema = {}): Schema => ({ ...options, type });

/**
 * The functions of TypeBox that the schemas use, rebuilt with the same types and results: programs that use the provider then
 * need not load TypeBox's 200 modules.
 */
export const Type = {
  Array: (items: Schema, options: Schema = {}) => ({ ...options, type: "array", items }),
  Boolean: plain("boolean"),
  Integer: plain("integer"),
  Literal: (value: unknown, options: Schema = {}) => ({ ...options, const: value, type: typeof value }),
  Null: plain("null"),
  Number: plain("number"),
  Object: (properties: Record<string, Schema>, options: Schema = {}) => {
    const required = Object.keys(properties).filter((name) => !properties[name]?.[isOptional]);
    return { ...options, type: "object", ...(required.length > 0 ? { required } : {}), properties };
  },
  Optional: (schema: Schema) => ({ ...schema, [isOptional]: true }),
  Record: (_names: Schema, values: Schema, options: Schema = {}) => ({
    ...options,
    type: "object",
    patternProperties: { "^(.*)$": values },
  }),
  String: plain("string"),
  Union: (anyOf: Schema[], options: Schema = {}) => ({ ...options, anyOf }),
  Unknown: (options: Schema = {}) => ({ ...options }),
  Unsafe: (schema: Schema = {}) => ({ ...schema }),
} as unknown as Pick<typeof typebox.Type, Builders>;
