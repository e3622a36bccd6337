import { type TypeName, typeNames } from "../../resources/registry";

/** The token of a type in the state. */
export const typeToken = (type: TypeName) => `pulumi-nodejs:dynamic/pipestack:${type}`;

/** The name of a type by its token; undefined for types of other packages. */
export function typeOfToken(token: string): TypeName | undefined {
  return typeNames.find((type) => typeToken(type) === token);
}
