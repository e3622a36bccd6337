import { type TypeName, typeNames } from "../../resources/registry";

export { type TypeName, typeNames };

/** Types whose objects may be there without anyone's knowing, those last that others refer to. */
export const orphanTypes = ["Alert", "Dashboard", "QueryEndpoint", "ApiKey"] as const satisfies TypeName[];

export type OrphanType = (typeof orphanTypes)[number];

/** What the state calls a type. */
export const typeToken = (type: TypeName) => `pulumi-nodejs:dynamic/pipestack:${type}`;

/** The name of a type by its token; undefined for types of other packages. */
export function typeOfToken(token: string): TypeName | undefined {
  return typeNames.find((type) => typeToken(type) === token);
}
