import type { Reading } from "../lifecycle/lists";
import { aboutObject } from "../lifecycle/observe";
import { inOrganization, scopeOf } from "../lifecycle/scope";
import { apiKeyInputs, apiKeyOutputs } from "../resources/apiKey/apiKey";
import { type PropertyMap, pick } from "../values/data";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import { type Answered, answered } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { onlyOne } from "./listing";

const ownMembers = Type.Object({
  /** Id of the API key (uuid), for `openApiKeys` of a query endpoint. */
  id: Type.String(),
});

/** An API key of the organization, without its secret. Answers show the ids of `assignedRoleIds` in `assignedRoles`. */
export interface ApiKeySummary
  extends ResultOf<typeof ownMembers>,
    Answered<typeof apiKeyInputs, "assignedRoleIds">,
    Answered<typeof apiKeyOutputs, "rotatesAt"> {}

const { assignedRoleIds, rotatesAt, ...members } = { ...answered(apiKeyInputs), ...answered(apiKeyOutputs) };
const summarySchema = Type.Object({ ...members, ...ownMembers.properties });
const apiKeySchema = Type.Unsafe<ApiKeySummary>(summarySchema);

const apiKeysArguments = inOrganization({});

const apiKeyArguments = inOrganization({
  /** Id of the API key (uuid). Required unless `name` is given. */
  id: Type.Optional(Type.String({ minLength: 1 })),
  /** Exact name of the API key. */
  name: Type.Optional(Type.String({ minLength: 1 })),
});

/**
 * The API keys of an organization, declared or not. The service never returns the secret of an existing key.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const unused = pipestack.getApiKeys().then((keys) => keys.filter(({ usedAt }) => !usedAt).length);
 * ```
 */
export const getApiKeys: FunctionDefinition<typeof apiKeysArguments, TArray<typeof apiKeySchema>> = {
  name: "getApiKeys",
  arguments: apiKeysArguments,
  result: Type.Array(apiKeySchema),
  run: async (args, session) =>
    (await session.lists.read("listKeys", scopeOf("organization", args, session))).map(summaryOf),
};

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
 * @example
 * ```typescript
 * export const expiry = pipestack.getApiKeyOutput({ name: "reporting" }).expireAt;
 * ```
 */
export const getApiKey: FunctionDefinition<typeof apiKeyArguments, typeof apiKeySchema> = {
  name: "getApiKey",
  arguments: apiKeyArguments,
  result: apiKeySchema,
  failures: ({ id, name }) =>
    id === undefined && name === undefined
      ? [{ path: "id", message: "is required unless name is given" }]
      : [],
  async run({ id, name, ...place }, session) {
    const scope = scopeOf("organization", place, session);
    if (id !== undefined && name === undefined)
      return summaryOf(aboutObject(await session.call("getKey", { ...scope, id }), "getKey", id, session));
    const keys = (reading: Reading) => session.lists.read("listKeys", scope, reading);
    return summaryOf(await onlyOne(keys, "API key", { name, id }, "organization"));
  },
};

/** Only known properties of an API key are taken over, since a server's answer might contain hashes of the secret, too. */
function summaryOf(key: PropertyMap): ApiKeySummary {
  return pick(key, Object.keys(summarySchema.properties)) as unknown as ApiKeySummary;
}

/** Arguments of {@link getApiKeys}. */
export interface GetApiKeysArgs extends Static<typeof apiKeysArguments> {}
/** Arguments of {@link getApiKey}. */
export interface GetApiKeyArgs extends Static<typeof apiKeyArguments> {}
