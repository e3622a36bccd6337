import { type TNull, type TOptional, type TSchema, type TUnion, Type } from "../values/schemaBuilders";

/** A property of an API's answer that may be missing, or null. */
export function nullable<Schema extends TSchema>(schema: Schema): TOptional<TUnion<[Schema, TNull]>> {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}
