import type { Static } from "@sinclair/typebox";
import { ApiError } from "../apiError";
import type { Records } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import { closed } from "./jsonSchema";
import { listedRoutes, usualOperations } from "./listed";
import { namedQuery, parameters } from "./namedQueries";
import type { Resource } from "./resource";

export interface SavedQuery {
  id: string;
  serviceId: string;
  name: string;
  sql: string;
  database: string;
  parameters: Record<string, string>;
}

const Body = closed(namedQuery, { parameters });

export const savedQueries = {
  place: "service",
  operations: usualOperations("SavedQuery", "SavedQueries"),
  path: () => "saved-queries",

  seed: (): SavedQuery[] => [],
  columns: ["sql", "database"],

  routes: (context: RouteContext): Route[] =>
    listedRoutes<SavedQuery>(context, {
      collection: savedQueries,
      noun: "Saved query",
      bodies: { create: Body, update: Body },
      hasUuids: true,
      // Pages of saved queries are small, so that tests notice a client which takes the first page for the whole list.
      entriesOfPage: 10,
      showInList: ({ id, name, database }) => ({ id, name, database }),
      membersOf: (call, current) => membersOf(call, context.store, current),
    }),
} as const satisfies Resource;

/** Returns the properties of a saved query that a request body sets. A replacement clears omitted parameters. */
function membersOf({ body, service }: Call<Static<typeof Body>>, records: Records, current?: SavedQuery) {
  const neighbours = records.ofService(savedQueries, service.id).filter(({ id }) => id !== current?.id);
  if (neighbours.some(({ name }) => name === body.name))
    throw new ApiError(409, "A saved query with this name already exists in the service");
  return { parameters: {}, ...body };
}
