import * as pulumi from "@pulumi/pulumi";

const members = pulumi.output({});

/** Whether a name means something on every output, so that it does not reach a member of its value. */
export function isOutputMember(name: string): boolean {
  return name in members || name === "then" || name.startsWith("__");
}
