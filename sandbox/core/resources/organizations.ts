import { seededAt } from "../credentials";
import type { Route, RouteContext } from "../routes";
import type { Resource } from "./resource";

/** The organization of the key that signs a request: alone in a list, and by its id. */
export const organizations = {
  place: "management",
  dialect: "clickhouse",
  operations: ["listOrganizations", "getOrganization"],
  path: () => "organizations",

  routes({ store }: RouteContext): Route[] {
    const show = () => {
      const { id, name } = store.organization;
      return { id, name, createdAt: seededAt, enableCoreDumps: true, privateEndpoints: [], byocConfig: [] };
    };
    return [
      { operation: "listOrganizations", method: "GET", path: "", run: () => [show()] },
      { operation: "getOrganization", method: "GET", path: "/:organizationId", run: show },
    ];
  },
} as const satisfies Resource;
