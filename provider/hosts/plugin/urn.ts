/** Type token and name of a resource, as its URN says them. */
export interface Named {
  /** `pipestack:index:Alert`. */
  readonly token: string;
  readonly name: string;
}

/** Reads `urn:pulumi:<stack>::<project>::<parent>$<token>::<name>`. */
export function readUrn(urn: string): Named {
  const [, , types = "", ...name] = urn.split("::");
  return { token: types.split("$").at(-1) ?? "", name: name.join("::") };
}
