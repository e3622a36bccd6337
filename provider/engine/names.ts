import type { SettingName } from "../api/settingsSchema";
import type { FunctionDefinition } from "../functions/definition";
import { type DeclarableName, declarable, type TypeName, typeNames } from "../resources/registry";

/**
 * The type token of a resource type under Pulumi's dynamic provider. Pulumi states of users contain it, so it must never
 * change.
 */
export function typeToken(type: string): string {
  return `pulumi-nodejs:dynamic/pipestack:${type}`;
}

/** Name of the package of this provider's Pulumi plugin. */
export const packageName = "pipestack";

/** Prefix of the tokens of all resource types and functions in the Pulumi plugin. */
export const tokenPrefix = `${packageName}:index:`;

/**
 * The address from which the engine downloads the plugin. SDKs repeat it, and the engine would take another address for another
 * provider.
 */
export const pluginDownloadURL = "github://api.github.com/pipestack/pipestack";

/**
 * The resource type of a token, which may be that of the dynamic provider or of the plugin; undefined for `AlertSet`, and for
 * types of other packages.
 */
export function typeOfToken(token: string): TypeName | undefined {
  return typeNames.find((type) => type === declarableOfToken(token));
}

/**
 * The resource type, or set type such as `AlertSet`, of a token, which may be that of the dynamic provider or of the plugin.
 */
export function declarableOfToken(token: string): DeclarableName | undefined {
  const names = Object.keys(declarable) as DeclarableName[];
  return names.find((type) => typeToken(type) === token || tokenPrefix + type === token);
}

/**
 * The code (`__provider`) of a resource under Pulumi's dynamic provider. Pulumi states of users contain it, so it must never
 * change.
 */
export function providerString(type: string): string {
  return `exports.handler=()=>require("pipestack/host").${type}`;
}

/**
 * The input that identifies the declaration of a resource to the check of the dynamic provider, which learns neither URN nor
 * name. It stays out of the Pulumi state, and the engine hides names that begin with two underscores.
 */
export const declarationName = "__declaration";

/**
 * The name of the property of inputs and Pulumi state that lists the places which the program keeps secret. Pulumi states of
 * users contain it, so it must not change.
 */
export const secretsName = "__secrets";

/**
 * The name of a property that older versions used to mark secret names of tiles. Pulumi states of dashboards may still contain
 * it.
 */
export const formerMarkName = "__secretTileNames";

/** The key of a provider setting in the stack's configuration, such as `pipestack:baseUrl`. */
export const stackKey = (name: SettingName) => `pipestack:${name}`;

/**
 * The key under which the dynamic provider gets a setting that the program gave to an explicit provider. The stack's
 * configuration cannot override it.
 */
export const explicitKey = (name: SettingName) => `pipestack-provider:${name}`;

/** The name on npm of the SDK that Pulumi generates for the plugin, for JavaScript and TypeScript. */
export const nodePackage = "@pipestack/sdk";

/**
 * The property of a provider function's result that holds its list, such as `pipes` for `getPipes`: Pulumi's protocol allows
 * only objects as results.
 * @returns undefined if the result is an object itself
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
