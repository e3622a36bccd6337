/** The members of every output of Pulumi's SDK, written down so that the commands need not load it. */
const members = new Set([
  ...["get", "apply", "resources", "allResources", "isKnown", "isSecret", "promise", "toString", "toJSON"],
  // What JavaScript asks of promises.
  "then",
]);

/** Whether a name means something on every output, so that it does not reach a member of its value. */
export function isOutputMember(name: string): boolean {
  return members.has(name) || name in Object.prototype || name.startsWith("__");
}
