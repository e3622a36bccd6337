import type { SettingName } from "../api/settingsSchema";
import type { FunctionDefinition } from "../functions/definition";
import { type DeclarableName, declarable, type TypeName, typeNames } from "../resources/registry";

/** A resource's type token under Pulumi's dynamic provider; users' Pulumi states contain it, so it must never change. */
export function typeToken(type: string): string {
  return `pulumi-nodejs:dynamic/pipestack:${type}`;
}

export const packageName = "pipestack";

/** Prefix of the tokens of all resource types and functions in the Pulumi plugin. */
export const tokenPrefix = `${packageName}:index:`;

/** The download address of the plugin. SDKs repeat it, and the engine would take another address for another provider. */
export const pluginDownloadURL = "github://api.github.com/pipestack/pipestack";

/** The resource type of a token of the dynamic provider or the plugin; undefined for `AlertSet` and for other packages. */
export function typeOfToken(token: string): TypeName | undefined {
  return typeNames.find((type) => type === declarableOfToken(token));
}

/** The resource type, or set type such as `AlertSet`, of a token of the dynamic provider or the plugin. */
export function declarableOfToken(token: string): DeclarableName | undefined {
  const names = Object.keys(declarable) as DeclarableName[];
  return names.find((type) => typeToken(type) === token || tokenPrefix + type === token);
}

/** The code `__provider` of a resource under the dynamic provider; users' Pulumi states contain it, so it must never change. */
export function providerString(type: string): string {
  return `exports.handler=()=>require("pipestack/host").${type}`;
}

/**
 * The input that identifies the declaration of a resource to the check of the dynamic provider, which learns neither URN nor
 * name. It stays out of the Pulumi state, and the engine hides names that begin with two underscores.
 */
export const declarationName = "__declaration";

/**
 * The input that tells the check of an alert under the dynamic provider which tile it watches, while a preview does not know the
 * tile's id. It stays out of the Pulumi state.
 */
export const watchedTileName = "__watchedTile";

/** The property that lists the secret places; users' Pulumi states contain it, so its name must never change. */
export const secretsName = "__secrets";

/** The property by which older versions marked secret names of tiles; Pulumi states of dashboards may still contain it. */
export const formerMarkName = "__secretTileNames";

/** The key of a provider setting in the stack's configuration, such as `pipestack:baseUrl`. */
export const stackKey = (name: SettingName) => `pipestack:${name}`;

/**
 * The key under which an explicit provider passes a setting to the dynamic provider. The stack's configuration cannot override
 * it.
 */
export const explicitKey = (name: SettingName) => `pipestack-provider:${name}`;

/** The name on npm of the SDK that Pulumi generates for the plugin, for JavaScript and TypeScript. */
export const nodePackage = "@pipestack/sdk";

/** The property of a function's result that holds its list, such as `pipes`: Pulumi's protocol has only objects as results. */
export function resultMember({
  name,
  result,
}: Pick<FunctionDefinition, "name" | "result">): string | undefined {
  return result.type === "array" ? name.charAt(3).toLowerCase() + name.slice(4) : undefined;
}

/** The name of a resource in the program: the end of its URN `urn:pulumi:<stack>::<project>::<parent>$<token>::<name>`. */
export function nameIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/**
 * Whether the engine gives a name to default providers, which serve the resources without a provider of their own: `default`,
 * mostly with the version of the SDK (`default_1_2_3`) or the plugin's address (`default_github_/…`) behind it.
 */
export function isNameOfDefaultProvider(name: string): boolean {
  return /^default(_\d+_\d+_\d+(_.*)?|_[\w.-]+_\/.*)?$/.test(name);
}

/** The type token of a resource: the last of the tokens in its URN. */
export function tokenIn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}
