import { notFound } from "../apiError";
import { seededAt, seededCredentials } from "../credentials";
import { idParameters, type RouteContext } from "../routeContext";
import { type Resource, serves } from "./resource";

/** A saved search of a service; answers omit `serviceId`. */
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
  filters: { type: "sql"; condition: string }[];
  createdAt: string;
  updatedAt: string;
}

/** The saved searches of a service: list and get. */
export const savedSearches = {
  place: "stack",
  dialect: "clickhouse",
  operations: ["listSavedSearches", "getSavedSearch"],
  path: () => "saved-searches",

  seed: (): SavedSearch[] => [
    seededSearch("65f1c0a2b3d4e5f607182931", "Errors", "SeverityText:error"),
    seededSearch("65f1c0a2b3d4e5f607182932", "Warnings", "SeverityText:warn"),
  ],

  routes({ api, store, list, envelope }: RouteContext, path: string): void {
    const show = ({ serviceId, ...search }: SavedSearch) => search;

    api.get(path, serves("listSavedSearches"), async (request, reply) =>
      list(request, reply, store.ofService(savedSearches, request.service.id), show),
    );

    api.get(
      `${path}/:id`,
      { schema: { params: idParameters }, ...serves("getSavedSearch") },
      async (request) => {
        const search = store.of(savedSearches).get(request.params.id);
        if (search?.serviceId !== request.service.id) throw notFound("Saved search not found");
        return envelope(request, show(search));
      },
    );
  },
} as const satisfies Resource;

function seededSearch(id: string, name: string, where: string): SavedSearch {
  return {
    id,
    serviceId: seededCredentials.serviceId,
    teamId: "65f1c0a2b3d4e5f607182902",
    name,
    sourceId: "65f1c0a2b3d4e5f607182911",
    select: "Timestamp, ServiceName, SeverityText, Body",
    where,
    whereLanguage: "lucene",
    orderBy: "",
    tags: [],
    filters: [],
    createdAt: seededAt,
    updatedAt: seededAt,
  };
}
