/** The type token of a resource type. It is in users' states, so it never changes. */
export function typeToken(type: string): string {
  return `pulumi-nodejs:dynamic/pipestack:${type}`;
}

/** What a state holds as the code of a resource. It is in users' states, so it never changes. */
export function providerString(type: string): string {
  return `exports.handler=()=>require("pipestack/host").${type}`;
}
