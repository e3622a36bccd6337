/** The names of the types of resources, those first that others refer to. */
export const typeNames = ["ServiceScaling", "ApiKey", "QueryEndpoint", "Dashboard", "Alert"] as const;

export type TypeName = (typeof typeNames)[number];

/** Types whose objects may be there without anyone's knowing, those last that others refer to. */
export const orphanTypes = ["Alert", "Dashboard", "QueryEndpoint", "ApiKey"] as const satisfies TypeName[];

export type OrphanType = (typeof orphanTypes)[number];

/** What the state calls a type. */
export const typeToken = (type: TypeName) => `pulumi-nodejs:dynamic/pipestack:${type}`;

/** The name of a type by its token; undefined for types of other packages. */
export function typeOfToken(token: string): TypeName | undefined {
  return typeNames.find((type) => typeToken(type) === token);
}
