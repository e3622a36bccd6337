import type * as pulumi from "@pulumi/pulumi";
import type { ApiKeySummary, GetApiKeyArgs, GetApiKeysArgs } from "../../../functions/apiKeys";
import * as functions from "../../../functions/apiKeys";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getApiKeysOutput}. */
export interface GetApiKeysOutputArgs extends InputsOf<typeof functions.getApiKeys.arguments> {}

/** Arguments of {@link getApiKeyOutput}. */
export interface GetApiKeyOutputArgs extends InputsOf<typeof functions.getApiKey.arguments> {}

/**
 * The API keys of an organization, declared or not. Nobody can read the secret of a key again.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const unused = (await pipestack.getApiKeys()).filter(({ usedAt }) => !usedAt);
 * ```
 */
export function getApiKeys(args: GetApiKeysArgs = {}, opts?: FunctionOptions): Promise<ApiKeySummary[]> {
  return call(functions.getApiKeys, args, opts);
}

/**
 * Same as {@link getApiKeys}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const keys = pipestack.getApiKeysOutput().apply((all) => all.map(({ name, expireAt }) => ({ name, expireAt })));
 * ```
 */
export function getApiKeysOutput(
  args: GetApiKeysOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<ApiKeySummary[]> {
  return callOutput(functions.getApiKeys, args, opts);
}

/**
 * One API key of an organization, by its id or its name, without its secret. Fails unless there is exactly one, and names
 * those that there are.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such key
 *
 * @example
 * ```typescript
 * const { id } = await pipestack.getApiKey({ name: "reporting" });
 * new pipestack.QueryEndpoint("endpoint", { openApiKeys: [id], roles: ["sql_console_read_only"] });
 * ```
 */
export function getApiKey(args: GetApiKeyArgs, opts?: FunctionOptions): Promise<ApiKeySummary> {
  return call(functions.getApiKey, args, opts);
}

/**
 * Same as {@link getApiKey}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const expiry = pipestack.getApiKeyOutput({ name: "reporting" }).expireAt;
 * ```
 */
export function getApiKeyOutput(
  args: GetApiKeyOutputArgs,
  opts?: FunctionOptions,
): pulumi.Output<ApiKeySummary> {
  return callOutput(functions.getApiKey, args, opts);
}
