/**
 * The names of the members of every output in Pulumi's SDK, written down here so that the commands need not load the
 * SDK.
 */
const members = new Set([
  ...["get", "apply", "resources", "allResources", "isKnown", "isSecret", "promise", "toString", "toJSON"],
  // JavaScript itself asks for this member when an output is awaited.
  "then",
]);

/**
 * Whether outputs themselves have a member of this name, so that it cannot be used to reach a member of the output's
 * value.
 */
export function isOutputMember(name: string): boolean {
  return members.has(name) || name in Object.prototype || name.startsWith("__");
}
