import { badRequest } from "../apiError";
import { seededAt } from "../credentials";
import type { PrivateEndpoint } from "../records";
import { documentedRoute, type Route, type RouteContext } from "../routes";
import { unregistered } from "./privateEndpoints";
import type { Resource } from "./resource";

interface PatchBody {
  name?: string;
  enableCoreDumps?: boolean;
  privateEndpoints?: { remove?: Partial<PrivateEndpoint>[] };
}

/**
 * The routes for the organization of the key that signs a request: as the only element of a list, and by its id. A change
 * leaves out what stays as it is.
 */
export const organizations = {
  place: "management",
  dialect: "clickhouse",
  operations: ["listOrganizations", "getOrganization", "updateOrganization"],
  path: () => "organizations",

  routes({ store }: RouteContext): Route[] {
    const show = () => {
      const { id, name, enableCoreDumps = true, privateEndpoints = [] } = store.organization;
      return { id, name, createdAt: seededAt, enableCoreDumps, privateEndpoints, byocConfig: [] };
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
          const { name, enableCoreDumps } = body;
          if (name !== undefined && name.trim() === "") throw badRequest("name must not be empty");
          Object.assign(store.organization, {
            ...(name !== undefined && { name }),
            ...(enableCoreDumps !== undefined && { enableCoreDumps }),
          });
          for (const { id } of body.privateEndpoints?.remove ?? []) unregistered(String(id), store);
          return show();
        },
      }),
    ];
  },
} as const satisfies Resource;
