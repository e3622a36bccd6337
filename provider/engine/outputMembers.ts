/** The properties that every output of Pulumi's SDK has, listed here so that the CLI does not have to load the SDK. */
const members = new Set([
  ...["get", "apply", "resources", "allResources", "isKnown", "isSecret", "promise", "toString", "toJSON"],
  // Outputs have no property `then`, but JavaScript reads it of each awaited value, so it must not lead to a tile of that name.
  "then",
]);

/** Whether outputs of Pulumi's SDK have a property of this name themselves, which hides that of the output's value. */
export function isOutputMember(name: string): boolean {
  return members.has(name) || name in Object.prototype || name.startsWith("__");
}
