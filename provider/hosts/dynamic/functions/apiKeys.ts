import type { ApiKeySummary, GetApiKeyArgs, GetApiKeysArgs } from "../../../functions/apiKeys";
import * as functions from "../../../functions/apiKeys";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getApiKeysOutput}. */
export interface GetApiKeysOutputArgs extends InputsOf<typeof functions.getApiKeys.arguments> {}

/** Arguments of {@link getApiKeyOutput}. */
export interface GetApiKeyOutputArgs extends InputsOf<typeof functions.getApiKey.arguments> {}

/**
 * The API keys of an organization, declared or not. The service never returns the secret of an existing key.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const unused = pipestack.getApiKeys().then((keys) => keys.filter(({ usedAt }) => !usedAt).length);
 * ```
 */
export const getApiKeys = plain<GetApiKeysArgs, ApiKeySummary[]>(functions.getApiKeys);

/**
 * Same as {@link getApiKeys}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * export const keys = pipestack.getApiKeysOutput().apply((all) => all.map(({ name, expireAt }) => ({ name, expireAt })));
 * ```
 */
export const getApiKeysOutput = withOutputs<GetApiKeysOutputArgs, ApiKeySummary[]>(functions.getApiKeys);

/**
 * One API key of an organization, by its id or its name, without its secret. Fails unless exactly one exists; the error
 * names all that exist.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such key
 * @example
 * ```typescript
 * const reporting = pipestack.getApiKey({ name: "reporting" });
 * new pipestack.QueryEndpoint("endpoint", {
 *   openApiKeys: [reporting.then(({ id }) => id)],
 *   roles: ["sql_console_read_only"],
 * });
 * ```
 */
export const getApiKey = plain<GetApiKeyArgs, ApiKeySummary>(functions.getApiKey);

/**
 * Same as {@link getApiKey}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * export const expiry = pipestack.getApiKeyOutput({ name: "reporting" }).expireAt;
 * ```
 */
export const getApiKeyOutput = withOutputs<GetApiKeyOutputArgs, ApiKeySummary>(functions.getApiKey);
