import { seededCredentials } from "../credentials";
import type { Route, RouteContext } from "../routes";
import type { Resource } from "./resource";

/** A role of the organization, which keys can have. */
export interface Role {
  id: string;
  name: string;
  type: "system" | "custom";
}

const seeded: readonly Role[] = [
  { id: "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a01", name: "admin", type: "system" },
  { id: "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a02", name: "developer", type: "system" },
  { id: "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a03", name: "query_endpoints", type: "system" },
  { id: "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a04", name: "Dashboards", type: "custom" },
  { id: "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11", name: "Reports", type: "custom" },
  { id: "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b12", name: "Ingestion", type: "custom" },
];

/** The roles of the organization: list. */
export const roles = {
  place: "organization",
  dialect: "clickhouse",
  operations: ["listRoles"],
  path: () => "roles",

  /** The system's roles, and custom ones. */
  seed: (): Role[] => [...seeded],

  routes: ({ store }: RouteContext): Route[] => [
    {
      operation: "listRoles",
      method: "GET",
      path: "",
      run: () => {
        const further = { tenantId: seededCredentials.organizationId, actors: [], policies: [] };
        return [...store.of(roles).values()].map((role) => ({ ...role, ...further }));
      },
    },
  ],
} as const satisfies Resource;
