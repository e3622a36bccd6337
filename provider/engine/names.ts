import type { SettingName } from "../api/settingsSchema";
import type { FunctionDefinition } from "../functions/definition";
import { type DeclarableName, declarable, type TypeName, typeNames } from "../resources/registry";

/** The type token of a resource type in the dynamic host. Users' states contain it, so it must never change. */
export function typeToken(type: string): string {
  return `pulumi-nodejs:dynamic/pipestack:${type}`;
}

/** Name of the plugin's package. */
export const packageName = "pipestack";

/** Prefix of the tokens of all types and functions in the plugin. */
export const tokenPrefix = `${packageName}:index:`;

/**
 * The address of the plugin's archives. SDKs repeat it, and the engine would take another address for another provider.
 */
export const pluginDownloadURL = "github://api.github.com/pipestack/pipestack";

/** The resource type that a token of either host names; undefined for types of sets, and of other packages. */
export function typeOfToken(token: string): TypeName | undefined {
  return typeNames.find((type) => type === declarableOfToken(token));
}

/** The resource type or type of sets that a token of either host names. */
export function declarableOfToken(token: string): DeclarableName | undefined {
  const names = Object.keys(declarable) as DeclarableName[];
  return names.find((type) => typeToken(type) === token || tokenPrefix + type === token);
}

/** The code (`__provider`) of a resource in the dynamic host. Users' states contain it, so it must never change. */
export function providerString(type: string): string {
  return `exports.handler=()=>require("pipestack/host").${type}`;
}

/**
 * The input in which a resource of the dynamic host tells its check which declaration of the program it is. It stays out of the state,
 * and the engine hides names that begin with two underscores.
 */
export const declarationName = "__declaration";

/** The member of inputs and state that lists the places which the program keeps secret. Users' states contain it. */
export const secretsName = "__secrets";

/** The name of an older mark, for secret names of tiles, which states of dashboards may still contain. */
export const formerMarkName = "__secretTileNames";

/** The key of a setting in stack configuration. */
export const stackKey = (name: SettingName) => `pipestack:${name}`;

/** The key of a setting that was given to an explicit provider. Stack configuration cannot override it. */
export const explicitKey = (name: SettingName) => `pipestack-provider:${name}`;

/** The name of the plugin's SDK for JavaScript and TypeScript. */
export const nodePackage = "@pipestack/sdk";

/**
 * The member of a function's result that holds its list, such as `pipes` for `getPipes`: the protocol allows only
 * objects as results.
 *
 * @returns undefined if the result is an object
 */
export function resultMember({
  name,
  result,
}: Pick<FunctionDefinition, "name" | "result">): string | undefined {
  return result.type === "array" ? name.charAt(3).toLowerCase() + name.slice(4) : undefined;
}

/**
 * The name that a program has given to a resource: the last part of its URN, which follows
 * `urn:pulumi:<stack>::<project>::<parent>$<token>::`.
 */
export function nameIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The type token of a resource: the last of the tokens in its URN. */
export function tokenIn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}
