import { seededAt } from "../credentials";
import type { PrivateEndpoint } from "../records";
import { documentedRoute, type Route, type RouteContext } from "../routes";
import { unregistered } from "./privateEndpoints";
import type { Resource } from "./resource";

interface PatchBody {
  privateEndpoints?: { remove?: Partial<PrivateEndpoint>[] };
}

/**
 * The routes for the organization of the key that signs a request: as the only element of a list, and by its id. Only its
 * private endpoints can be changed.
 */
export const organizations = {
  place: "management",
  dialect: "clickhouse",
  operations: ["listOrganizations", "getOrganization", "updateOrganization"],
  path: () => "organizations",

  routes({ store }: RouteContext): Route[] {
    const show = () => {
      const { id, name, privateEndpoints = [] } = store.organization;
      return { id, name, createdAt: seededAt, enableCoreDumps: true, privateEndpoints, byocConfig: [] };
    };
    const path = "/:organizationId";
    return [
      { operation: "listOrganizations", method: "GET", path: "", run: () => [show()] },
      { operation: "getOrganization", method: "GET", path, run: show },
      documentedRoute<PatchBody>({
        operation: "updateOrganization",
        method: "PATCH",
        path,
        run({ body }) {
          for (const { id } of body.privateEndpoints?.remove ?? []) unregistered(String(id), store);
          return show();
        },
      }),
    ];
  },
} as const satisfies Resource;
