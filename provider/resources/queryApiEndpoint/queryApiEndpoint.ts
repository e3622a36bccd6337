import { RefusedRequest } from "../../api/errors";
import { uuid } from "../../api/settingsSchema";
import { resourceOf } from "../../lifecycle/lifecycle";
import { look } from "../../lifecycle/look";
import type { Resource } from "../../lifecycle/resource";
import { adoptable, inService } from "../../lifecycle/scope";
import { isSeen } from "../../lifecycle/state";
import type { At } from "../../lifecycle/steps";
import { updateOf } from "../../lifecycle/write";
import type { PropertyMap } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import { notBlank, parameterValues, queryText } from "../queries/queryText";

const set = { minItems: 1, uniqueItems: true, comparison: "set" } as const;

/** Inputs of a query API endpoint, from the documentation of ClickHouse Cloud, since the API document does not describe it. */
export const queryApiEndpointInputs = inService({
  /**
   * Adopts the existing query API endpoint with this id instead of creating one. Has no effect once the endpoint is in the
   * Pulumi state; a change that replaces the endpoint is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /** Name of the query API endpoint. Default: the name of the resource. */
  name: Type.Optional(Type.String(notBlank)),
  /**
   * SQL that the query API endpoint runs, up to 4,194,304 characters: a text, or a file in UTF-8 as a `FileAsset` or
   * `StringAsset`. The Pulumi state holds the text, so that previews show which lines of the SQL change.
   */
  sql: Type.String(queryText),
  /** Database in which the SQL of the query API endpoint runs. */
  database: Type.String(notBlank),
  /**
   * API keys that may call the query API endpoint: the `id` (uuid) of each {@link ApiKey}, not its `keyId`; at least one. The
   * `ipAccessList` of a key applies to its calls; the one of the service does not.
   */
  apiKeyIds: Type.Array(
    Type.String({
      ...uuid,
      comparison: "id",
      of: "ApiKey",
      rule: "the id of a key, a uuid (id of the ApiKey, not its keyId)",
    }),
    set,
  ),
  /** Database roles under which the SQL of the query API endpoint runs; at least one. */
  roles: Type.Array(Type.String({ minLength: 1 }), set),
  /** Default values of the parameters in the SQL of the query API endpoint, by their names. Default: none. */
  parameters: Type.Optional(Type.Record(Type.String(), Type.String(), parameterValues)),
  /** Origins from which browsers may call the query API endpoint, such as `https://app.example.com`. Default: none. */
  allowedOrigins: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { uniqueItems: true, comparison: "set", reset: [] }),
  ),
});

/** Outputs of a query API endpoint beyond its inputs. */
export const queryApiEndpointOutputs = Type.Object({
  /** Address at which programs call the query API endpoint. */
  url: Type.Optional(Type.String()),
  /**
   * Kind of owner of the query API endpoint: `queryApiEndpoint`, or `user` for an endpoint that somebody has made in the
   * console, and that no API key can change or delete.
   */
  ownerType: Type.Optional(Type.String()),
});

export const queryApiEndpointResource: Resource = resourceOf({
  type: "QueryApiEndpoint",
  noun: "query API endpoint",
  inputs: queryApiEndpointInputs,
  outputs: queryApiEndpointOutputs,
  scope: "service",
  operations: {
    create: "createQueryApiEndpoint",
    list: "listQueryApiEndpoints",
    get: "getQueryApiEndpoint",
    update: "updateQueryApiEndpoint",
    delete: "deleteQueryApiEndpoint",
  },
  namedBy: "name",

  uses: { ApiKey: "They no longer let this key in" },

  // Lists of query API endpoints show neither SQL nor parameters, so each endpoint is read by a request of its own.
  completenessField: "sql",

  // If a query API endpoint belongs to a user of the console, the service refuses its changes without a reason. The error then names
  // the owner as the reason.
  steps: ({ desired }) => [{ ...updateOf(queryApiEndpointResource, desired), rescue: explainRefusal }],

  around: {
    async create(usual, inputs, session) {
      const created = await usual(inputs, session);
      if (isOfUser(created.state)) throw ownedByUser(created.id);
      return created;
    },

    async diff(usual, id, state, inputs, session) {
      const changes = await usual(id, state, inputs, session);
      if (changes.length > 0 && isOfUser(state)) throw ownedByUser(id);
      return changes;
    },

    async delete(usual, id, state, session) {
      if (isOfUser(state)) throw ownedByUser(id);
      return usual(id, state, session);
    },
  },
});

async function explainRefusal(error: unknown, { id, context }: At): Promise<never> {
  if (!(error instanceof RefusedRequest)) throw error;
  const at = { moment: "beforeWrite", id, state: {}, context } as const;
  const live = await look(queryApiEndpointResource, at).catch(() => "gone" as const);
  throw isSeen(live) && isOfUser(live) ? ownedByUser(id) : error;
}

function isOfUser({ ownerType }: PropertyMap): boolean {
  return ownerType === "user";
}

function ownedByUser(id: string): Error {
  return new Error(
    `query API endpoint ${id} belongs to a user (ownerType), and keys can neither change nor delete it; run "pulumi state delete", and declare a new one`,
  );
}
