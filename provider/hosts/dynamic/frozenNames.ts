/** The type token of a resource type. It is in users' states, so it never changes. */
export function typeToken(type: string): string {
  return `pulumi-nodejs:dynamic/pipestack:${type}`;
}

/**
 * The input in which a resource tells the check which one it is. It stays out of the state, and the engine hides names that
 * begin with two underscores.
 */
export const declarationName = "__declaration";

/** The member of inputs and state that says that the names of a dashboard's tiles are secret. It is in users' states. */
export const secretNamesName = "__secretTileNames";

/** What a state holds as the code of a resource. It is in users' states, so it never changes. */
export function providerString(type: string): string {
  return `exports.handler=()=>require("pipestack/host").${type}`;
}
