import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { seededAt, seededCredentials, seededTeam } from "../credentials";
import type { Records } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import { closed, words } from "./jsonSchema";
import { datesOf, listedRoutes, usualOperations } from "./listed";
import type { Resource } from "./resource";
import { sources } from "./sources";

export interface SavedSearch {
  id: string;
  serviceId: string;
  teamId: string;
  name: string;
  sourceId: string;
  select: string;
  where: string;
  whereLanguage: "lucene" | "sql";
  orderBy: string;
  tags: string[];
  filters: Filter[];
  createdAt: string;
  updatedAt: string;
}

/**
 * A condition of a saved search. The API accepts new conditions only in SQL; people make other conditions in HyperDX's console.
 */
type Filter =
  | { type: "sql" | "lucene"; condition: string }
  | { type: "sql_ast"; operator: string; left: string; right: string };

const expression = Type.String({ maxLength: 8192 });

const Body = closed(
  { name: Type.String({ minLength: 1, maxLength: 1024, pattern: "\\S" }), sourceId: Type.String() },
  {
    select: Type.String({ maxLength: 4096 }),
    where: Type.String({ maxLength: 8192 }),
    whereLanguage: words("lucene", "sql"),
    orderBy: Type.String({ maxLength: 1024 }),
    tags: Type.Array(Type.String({ maxLength: 32 }), { maxItems: 50 }),
    filters: Type.Array(
      // A filter's condition has one of two forms. Both accept further properties, since the validation of one form would
      // otherwise drop the properties of the other.
      Type.Union([
        Type.Object({ type: Type.Optional(words("sql", "lucene")), condition: expression }),
        Type.Object({
          type: Type.Literal("sql_ast"),
          operator: words("=", "<", ">", "!=", "<=", ">="),
          left: expression,
          right: expression,
        }),
      ]),
      { maxItems: 100 },
    ),
  },
);

export const savedSearches = {
  place: "stack",
  operations: usualOperations("SavedSearch", "SavedSearches"),
  path: () => "saved-searches",

  seed: (): SavedSearch[] => [
    seededSearch("65f1c0a2b3d4e5f607182931", "Errors", "SeverityText:error"),
    seededSearch("65f1c0a2b3d4e5f607182932", "Warnings", "SeverityText:warn"),
  ],

  columns: ["sourceId", "where", "tags"],

  routes: (context: RouteContext): Route[] =>
    listedRoutes<SavedSearch>(context, {
      collection: savedSearches,
      noun: "Saved search",
      bodies: { create: Body, update: Body },
      membersOf: (call, current) => membersOf(call, context.store, current),
    }),
} as const satisfies Resource;

/**
 * Returns the properties of a saved search that a request body sets. A replacement resets omitted properties. The API accepts
 * new conditions only in SQL, but any condition that the record already has.
 */
function membersOf(
  { body: members, service, now }: Call<Static<typeof Body>>,
  records: Records,
  current?: SavedSearch,
) {
  if (records.of(sources).get(members.sourceId)?.serviceId !== service.id)
    throw badRequest("sourceId must be an existing source id");
  const filters = (members.filters ?? []).map(storedFilter);
  const wrong = filters.findIndex(
    (filter) => !isOnSidebar(filter) && !current?.filters.some((former) => isDeepStrictEqual(former, filter)),
  );
  if (wrong >= 0) throw badRequest(`filters[${wrong}] must be a sidebar-renderable SQL predicate`);
  return {
    teamId: current?.teamId ?? seededTeam,
    select: "",
    where: "",
    whereLanguage: "lucene" as const,
    orderBy: "",
    ...members,
    name: members.name.trim(),
    tags: [...new Set(members.tags ?? [])],
    filters,
    ...datesOf(now, current),
  };
}

function storedFilter(filter: NonNullable<Static<typeof Body>["filters"]>[number]): Filter {
  if (filter.type !== "sql_ast") return { type: filter.type ?? "sql", condition: filter.condition };
  const { type, operator, left, right } = filter;
  return { type, operator, left, right };
}

/** Whether a saved search's condition has the form of those that people choose in the sidebar of HyperDX's search page. */
function isOnSidebar(filter: Filter): boolean {
  const sidebar = /^\s*\S+\s+(NOT\s+)?(IN\s*\(.*\)|BETWEEN\s.+\sAND\s.+)\s*$/is;
  return filter.type === "sql" && sidebar.test(filter.condition);
}

function seededSearch(id: string, name: string, filter: string): SavedSearch {
  return {
    id,
    serviceId: seededCredentials.serviceId,
    teamId: seededTeam,
    name,
    sourceId: "65f1c0a2b3d4e5f607182911",
    select: "Timestamp, ServiceName, SeverityText, Body",
    where: filter,
    whereLanguage: "lucene",
    orderBy: "",
    tags: [],
    filters: [],
    createdAt: seededAt,
    updatedAt: seededAt,
  };
}
