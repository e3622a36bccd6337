import type { SettingName } from "../api/settingsSchema";
import type { FunctionDefinition } from "../functions/definition";
import { type DeclarableName, declarable, type TypeName, typeNames } from "../resources/registry";

/** The type token of a resource type in the dynamic host. It is in users' states, so it never changes. */
export function typeToken(type: string): string {
  return `pulumi-nodejs:dynamic/pipestack:${type}`;
}

/** Name of the plugin's package. */
export const packageName = "pipestack";

/** Prefix of the tokens of all types and functions in the plugin. */
export const tokenPrefix = `${packageName}:index:`;

/** Address of the plugin's archives. SDKs repeat it, and the engine takes another address for another provider. */
export const pluginDownloadURL = "github://api.github.com/pipestack/pipestack";

/** The name of a type of objects by its token of either host; undefined for sets, and for types of other packages. */
export function typeOfToken(token: string): TypeName | undefined {
  return typeNames.find((type) => type === declarableOfToken(token));
}

/** The same for sets, too. */
export function declarableOfToken(token: string): DeclarableName | undefined {
  const names = Object.keys(declarable) as DeclarableName[];
  return names.find((type) => typeToken(type) === token || tokenPrefix + type === token);
}

/** The code of a resource in a state. It is in users' states, so it never changes. */
export function providerString(type: string): string {
  return `exports.handler=()=>require("pipestack/host").${type}`;
}

/**
 * The input in which a resource tells the check which one it is. It stays out of the state, and the engine hides names that
 * begin with two underscores.
 */
export const declarationName = "__declaration";

/** The member of inputs and state with the places that the program keeps secret. It is in users' states. */
export const secretsName = "__secrets";

/** A mark of before, in states of dashboards with secret names of tiles. */
export const formerMarkName = "__secretTileNames";

/** Key of a setting in stack configuration. */
export const stackKey = (name: SettingName) => `pipestack:${name}`;

/** Key of a setting that was given to an explicit provider, which no stack configuration may override. */
export const explicitKey = (name: SettingName) => `pipestack-provider:${name}`;

/** Name of the plugin's SDK for JavaScript and TypeScript. */
export const nodePackage = "@pipestack/sdk";

/**
 * The member of a function's answer that holds its list: the protocol answers objects alone. `getPipes` answers `pipes`.
 *
 * @returns undefined if the result is an object
 */
export function resultMember({
  name,
  result,
}: Pick<FunctionDefinition, "name" | "result">): string | undefined {
  return result.type === "array" ? name.charAt(3).toLowerCase() + name.slice(4) : undefined;
}

/** The name that a program has given to a resource: all behind `urn:pulumi:<stack>::<project>::<parent>$<token>::`. */
export function nameIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The type token of a resource: the last of those in its URN. */
export function tokenIn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}
