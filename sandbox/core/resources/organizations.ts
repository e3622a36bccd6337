import { badRequest } from "../apiError";
import { seededAt } from "../credentials";
import type { PrivateEndpoint } from "../records";
import { documentedRoute, type Route, type RouteContext } from "../routes";
import { keys, keysPerOrganization } from "./keys";
import { postgresServices } from "./postgresServices";
import { unregistered } from "./privateEndpoints";
import type { Resource } from "./resource";
import { services } from "./services";

interface PatchBody {
  name?: string;
  enableCoreDumps?: boolean;
  privateEndpoints?: { remove?: Partial<PrivateEndpoint>[] };
}

function quota(quotaCode: string, name: string, value: number, usage?: number) {
  const words = { name, description: `${name} at most`, scope: "organization", adjustable: true };
  return { quotaCode, ...words, value, ...(usage !== undefined && { usage }) };
}

/**
 * The routes for the organization of the key that signs a request: as the only element of a list, and by its id. A change
 * leaves out what stays as it is.
 */
export const organizations = {
  place: "management",
  dialect: "clickhouse",
  operations: [
    "listOrganizations",
    "getOrganization",
    "updateOrganization",
    "getQuotas",
    "getServiceProfiles",
  ],
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
      {
        operation: "getQuotas",
        method: "GET",
        path: `${path}/quotas`,
        run: () => [
          quota("services-per-organization", "Services", 20, store.of(services).size),
          quota(
            "postgres-services-per-organization",
            "Postgres services",
            20,
            store.of(postgresServices).size,
          ),
          quota("api-keys-per-organization", "API keys", keysPerOrganization, store.of(keys).size),
          { ...quota("replicas-per-warehouse", "Replicas of a warehouse", 20), scope: "warehouse" },
        ],
      },
      {
        operation: "getServiceProfiles",
        method: "GET",
        path: `${path}/serviceProfiles`,
        run: () => [
          { profile: "v1-default", cpuCores: 2, memoryGi: 8 },
          { profile: "v1-highmem-xs", cpuCores: 2, memoryGi: 16 },
        ],
      },
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
