import { type ScopeName, scopeNames } from "../lifecycle/scope";
import { annotationsOf, opened } from "../values/schema";
import {
  type Static,
  type TArray,
  type TNull,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnion,
  type TUnsafe,
  Type,
  type UnansweredNames,
} from "../values/schemaBuilders";
import type { Immutable } from "./definition";

const scope: readonly string[] = scopeNames("service");

/** The type of an object in an answer of the API, from the schema of its resource. Any property may be missing. */
export type Answered<Schema extends TObject, Except extends string = never> = {
  readonly [Name in keyof Static<Schema> as Exclude<
    Name,
    UnansweredNames<Schema["properties"]> | ScopeName | Except
  >]?: Immutable<Static<Schema>[Name]>;
};

/**
 * The properties of an object in an answer of the API, from the schema of its resource; all of them are optional. {@link
 * Answered} is the type of such an object.
 */
export function answered({ properties }: TObject): TProperties {
  const answeredProperties = Object.entries(properties).filter(([name, schema]) => {
    const { sent: requests, shown: answers = "always" } = annotationsOf(schema);
    return requests !== "never" && !["never", "atCreation"].includes(answers) && !scope.includes(name);
  });
  return Object.fromEntries(answeredProperties.map(([name, schema]) => [name, Type.Optional(schema)]));
}

/** The schema of an object whose properties are {@link answered} ones and those of its own. */
export function answeredObject<Item>(own: TObject, ...schemas: readonly TObject[]): TUnsafe<Item> {
  return Type.Unsafe<Item>(Type.Object(Object.assign({}, ...schemas.map(answered), own.properties)));
}

/**
 * The type of a value in an answer of the API that may lack any property at any depth, from the schema of the resource's
 * value. Properties named in `Null` may be null, and a text with listed values may have others.
 */
export type Loose<Schema extends TSchema, Null extends PropertyKey = never> =
  Schema extends TArray<infer Item>
    ? readonly Loose<Item, Null>[]
    : Schema extends TObject<infer Members>
      ? {
          readonly [Name in keyof Members as Exclude<Name, UnansweredNames<Members> | ScopeName>]?:
            | Loose<Members[Name], Null>
            | (Name extends Null ? null : never);
        }
      : Static<Schema> extends infer Value extends string
        ? Value | (string extends Value ? never : string & {})
        : Static<Schema>;

/** The schema of a value in an answer of the API whose type is {@link Loose}. */
export function loose<Schema extends TSchema, const Null extends string = never>(
  schema: Schema,
  nulls: readonly Null[] = [],
): TUnsafe<Loose<Schema, Null>> {
  const { enum: words, type, items, properties } = schema as TSchema;
  if (properties) return Type.Unsafe(Type.Object(looseMembers(schema as unknown as TObject, nulls)));
  if (items) return Type.Unsafe(Type.Array(loose(items, nulls)));
  if (words) return Type.Unsafe(opened(schema as TUnsafe<string>));
  // An answer may have a fraction where requests must not.
  return Type.Unsafe(type === "integer" ? Type.Number() : { type });
}

/** The properties of an object whose type is {@link Loose}. */
export function looseMembers(schema: TObject, nulls: readonly string[] = []): TProperties {
  return Object.fromEntries(
    Object.entries(answered(schema)).map(([name, member]) => {
      const inside = loose(member, nulls);
      return [name, nulls.includes(name) ? nullable(inside) : Type.Optional(inside)];
    }),
  );
}

/** A property of an API's answer that may be missing, or null. */
export function nullable<Schema extends TSchema>(schema: Schema): TOptional<TUnion<[Schema, TNull]>> {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}
