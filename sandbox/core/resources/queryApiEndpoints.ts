import { type Static, Type } from "@sinclair/typebox";
import { ApiError, badRequest } from "../apiError";
import type { Records } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import { closed } from "./jsonSchema";
import { keys } from "./keys";
import { listedRoutes, usualOperations } from "./listed";
import { filled, namedQuery, parameters } from "./namedQueries";
import type { Resource } from "./resource";

/** The record of a query API endpoint: a query that keys may run over HTTP. Responses omit `serviceId`, and add `url`. */
export interface QueryApiEndpoint {
  id: string;
  serviceId: string;
  name: string;
  sql: string;
  database: string;
  /** Ids of keys. */
  apiKeyIds: string[];
  /** The database roles with which the query of the query API endpoint runs. */
  roles: string[];
  parameters: Record<string, string>;
  allowedOrigins: string[];
  /** The owner of the query API endpoint: `user` if a person has made it for themselves. An API key cannot change it then. */
  ownerType: "user" | "queryApiEndpoint";
}

const uuid = Type.String({ pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" });

const Body = closed(
  {
    ...namedQuery,
    apiKeyIds: Type.Array(uuid, { minItems: 1 }),
    roles: Type.Array(filled(), { minItems: 1 }),
  },
  { parameters, allowedOrigins: Type.Array(Type.String()) },
);

export const queryApiEndpoints = {
  place: "service",
  operations: usualOperations("QueryApiEndpoint", "QueryApiEndpoints"),
  path: () => "query-api-endpoints",

  seed: (): QueryApiEndpoint[] => [],
  columns: ["sql", "database", "apiKeyIds", "roles"],

  routes: (context: RouteContext): Route[] =>
    listedRoutes<QueryApiEndpoint>(context, {
      collection: queryApiEndpoints,
      noun: "Query API endpoint",
      bodies: { create: Body, update: Body },
      hasUuids: true,
      // Pages of query API endpoints are small, so that tests notice a client which takes the first page for the whole list.
      entriesOfPage: 10,
      membersOf(call, current) {
        checkOwner(current, call);
        return membersOf(call, context.store, current);
      },
      show: ({ serviceId, ...endpoint }) => withUrl(endpoint),
      showInList: ({ serviceId, sql, parameters, ...endpoint }) => withUrl(endpoint),
      deleting: checkOwner,
    }),
} as const satisfies Resource;

/** Adds to a query API endpoint the address at which clients call it. */
function withUrl<Endpoint extends { readonly id: string }>(endpoint: Endpoint) {
  const url = `https://queries.sandbox.example.com/.api/query-endpoints/${endpoint.id}/run`;
  return { ...endpoint, url };
}

/**
 * Checks whether the sender of a request may change a query API endpoint. The console has the rights of a person; every other
 * client uses a key.
 */
function checkOwner(endpoint: QueryApiEndpoint | undefined, { signer }: Pick<Call, "signer">): void {
  if (endpoint?.ownerType === "user" && signer)
    throw new ApiError(403, "the query API endpoint belongs to a user");
}

/**
 * Returns the properties of a query API endpoint that a request body sets. A replacement clears omitted parameters and origins.
 */
function membersOf({ body }: Call<Static<typeof Body>>, records: Records, current?: QueryApiEndpoint) {
  body.apiKeyIds.forEach((id, index) => {
    if (!records.of(keys).has(id.toLowerCase()))
      throw badRequest(`apiKeyIds.${index} is not the id of a key of the organization`);
  });
  const ownerType = current?.ownerType ?? "queryApiEndpoint";
  return { parameters: {}, allowedOrigins: [], ...body, ownerType };
}
