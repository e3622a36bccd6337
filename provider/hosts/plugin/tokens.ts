import type { FunctionDefinition } from "../../lifecycle/function";

/** Prefix of the tokens of all types and functions. */
export const tokenPrefix = "pipestack:index:";

/** Name of the SDK for JavaScript and TypeScript. */
export const nodePackage = "@pipestack/sdk";

/**
 * The member of a function's answer that holds its list: the protocol answers objects alone. `getPipes` answers `pipes`.
 *
 * @returns undefined if the result is an object
 */
export function resultMember({ name, result }: FunctionDefinition): string | undefined {
  return result.type === "array" ? name.charAt(3).toLowerCase() + name.slice(4) : undefined;
}
