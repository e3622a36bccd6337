import { annotationsOf } from "../values/schema";
import { type Static, type TObject, type TProperties, Type } from "../values/schemaBuilders";
import type { Immutable } from "./definition";

type Unanswered =
  | "adoptId"
  | "defaults"
  | "organizationId"
  | "serviceId"
  | "headers"
  | "queryParams"
  | "password";

/** The type of an object in an answer of the API, from the schema of its resource. Any property may be missing. */
export type Answered<Schema extends TObject, Except extends string = never> = {
  readonly [Name in keyof Static<Schema> as Exclude<Name, Unanswered | Except>]?: Immutable<
    Static<Schema>[Name]
  >;
};

/**
 * The properties of an object in an answer of the API, from the schema of its resource; all of them are optional. {@link
 * Answered} is the type of such an object.
 */
export function answered({ properties }: TObject): TProperties {
  const answeredProperties = Object.entries(properties).filter(([name, schema]) => {
    const { sent: requests, shown: answers } = annotationsOf(schema);
    return requests !== "never" && answers !== "never" && !["organizationId", "serviceId"].includes(name);
  });
  return Object.fromEntries(answeredProperties.map(([name, schema]) => [name, Type.Optional(schema)]));
}
