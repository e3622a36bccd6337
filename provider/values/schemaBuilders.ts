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

/** An annotation by which no answer of the API has a property, but for that to a create. */
type Unanswered = { readonly sent: "never" } | { readonly shown: "never" | "atCreation" };

/** What the type of a schema has of its options, so that the types of answers leave out what no answer has. */
export type Marked<Options> = Options extends Unanswered ? Unanswered : unknown;

/** The names of an object's properties that no answer of the API has. */
export type UnansweredNames<Members> = {
  [Name in keyof Members]: Members[Name] extends Unanswered ? Name : never;
}[keyof Members];

/** Makes a schema from options, and keeps in its type what {@link Marked} does. */
type Marking<Made> = <const Options extends typebox.SchemaOptions>(
  options?: Options,
) => Made & Marked<Options>;

/** The functions of TypeBox for properties that answers may lack. */
interface MarkingBuilders {
  Array<Item extends typebox.TSchema, const Options extends typebox.SchemaOptions>(
    items: Item,
    options?: Options,
  ): typebox.TArray<Item> & Marked<Options>;
  Boolean: Marking<typebox.TBoolean>;
  Integer: Marking<typebox.TInteger>;
  Object<Members extends typebox.TProperties, const Options extends typebox.SchemaOptions>(
    members: Members,
    options?: Options,
  ): typebox.TObject<Members> & Marked<Options>;
  Record<Values extends typebox.TSchema, const Options extends typebox.SchemaOptions>(
    names: typebox.TString,
    values: Values,
    options?: Options,
  ): typebox.TRecord<typebox.TString, Values> & Marked<Options>;
  String: Marking<typebox.TString>;
}

type Builders = "Literal" | "Null" | "Number" | "Optional" | "Union" | "Unknown" | "Unsafe";

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
} as unknown as MarkingBuilders & Pick<typeof typebox.Type, Builders>;
