/**
 * The names of the properties that every output of Pulumi's SDK has, written down in this module so that the CLI's commands do
 * not have to load the SDK.
 */
const members = new Set([
  ...["get", "apply", "resources", "allResources", "isKnown", "isSecret", "promise", "toString", "toJSON"],
  // JavaScript itself reads the property `then` when an output is awaited.
  "then",
]);

/**
 * Whether outputs of Pulumi's SDK themselves have a property of this name, so that it cannot be used to reach a property of the
 * output's value.
 */
export function isOutputMember(name: string): boolean {
  return members.has(name) || name in Object.prototype || name.startsWith("__");
}
