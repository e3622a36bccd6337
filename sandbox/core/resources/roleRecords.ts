import { seededAt } from "../credentials";
import type { Collection } from "../records";

/** A policy of a role: which permissions it allows or denies, and on which objects. */
export interface Policy {
  /** The id of the role's policy, which ClickHouse Cloud changes with each update of the role. */
  id: string;
  allowDeny: "ALLOW" | "DENY";
  permissions: string[];
  /** The objects to which a role's policy applies: `organization/<id>`, `instance/<id>` or `instance/*`. */
  resources: string[];
  tags?: { grants?: string[]; roleV2?: string };
}

/** The record of a role in the organization. The records of keys and members, not this one, hold who has the role. */
export interface Role {
  id: string;
  name: string;
  type: "system" | "custom";
  /** The policies of the role; absent for system roles, whose policies ClickHouse Cloud does not show. */
  policies?: Policy[];
  /** When the role was created. By default it is the time at which the sandbox was made. */
  createdAt?: string;
  updatedAt?: string;
}

/** A role in the form in which responses about keys, members and invitations show it. */
export interface AssignedRole {
  roleId: string;
  roleName: string;
  roleType: string;
}

const seeded: readonly Role[] = [
  { id: "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a01", name: "admin", type: "system" },
  { id: "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a02", name: "developer", type: "system" },
  { id: "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a03", name: "query_endpoints", type: "system" },
  { id: "0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a04", name: "Dashboards", type: "custom" },
  { id: "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11", name: "Reports", type: "custom" },
  { id: "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b12", name: "Ingestion", type: "custom" },
];

/**
 * The records of system roles and custom roles. The routes are added in `roles.ts`, since they need keys and members, which in
 * turn need these records.
 */
export const roleRecords = { seed: (): Role[] => structuredClone([...seeded]) } satisfies Collection<Role>;

export function assigned({ id, name, type }: Role): AssignedRole {
  return { roleId: id, roleName: name, roleType: type };
}

/** Converts a role to the form of responses about roles, without its actors (keys and users). */
export function shownRole(
  { policies = [], createdAt = seededAt, updatedAt = createdAt, ...role }: Role,
  tenantId: string,
) {
  return {
    ...role,
    ...{ tenantId, createdAt, updatedAt },
    ...(role.type === "custom" && { ownerId: tenantId }),
    policies: policies.map((policy) => ({ ...policy, roleId: role.id, tenantId })),
  };
}
