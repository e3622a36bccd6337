import { badRequest } from "../apiError";
import type { Records } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import { listedRoutes } from "./listed";
import type { Resource } from "./resource";
import { assigned, roleRecords } from "./roleRecords";

export interface Member {
  id: string;
  email: string;
  name: string;
  joinedAt: string;
  roleIds: string[];
}

export interface RolesBody {
  readonly role?: "admin" | "developer";
  readonly assignedRoleIds?: readonly string[];
}

/** The members of the sandbox's organization. They cannot be created: only an accepted invitation makes a member. */
export const members = {
  place: "organization",
  dialect: "clickhouse",
  operations: ["listMembers", "getMember", "updateMember", "deleteMember"],
  path: () => "members",

  seed: (): Member[] => [],
  requested: () => ({ roleIds: ["assignedRoleIds"] }),

  routes(context: RouteContext): Route[] {
    const { store } = context;
    return listedRoutes<Member>(context, {
      collection: members,
      noun: "Member",
      isPatched: true,
      hasUuids: true,
      tellsUnknown: true,
      membersOf: ({ body }: Call<RolesBody>, current) => {
        const { id, ...member } = current as Member;
        return { ...member, roleIds: roleIdsIn(body, store) ?? member.roleIds };
      },
      show: ({ id, roleIds, ...member }) => ({ userId: id, ...member, ...shownRoles(roleIds, store) }),
    });
  },
} as const satisfies Resource;

/**
 * Reads the ids of the roles that a request body names, also as the older single role; undefined if it names none.
 * @throws ApiError for a role that the organization does not have
 */
export function roleIdsIn({ role, assignedRoleIds }: RolesBody, store: Records): string[] | undefined {
  const roles = store.of(roleRecords);
  if (assignedRoleIds)
    return assignedRoleIds.map((id) => {
      if (!roles.has(id))
        throw badRequest(`assignedRoleIds: ${id} is not the id of a role of the organization`);
      return id;
    });
  const named = [...roles.values()].find(({ name, type }) => type === "system" && name === role);
  return named && [named.id];
}

/** Converts the roles of a person to the form of responses, which also have the older single role. */
export function shownRoles(roleIds: readonly string[], store: Records) {
  const held = roleIds.flatMap((id) => store.of(roleRecords).get(id) ?? []);
  const isAdmin = held.some(({ name, type }) => type === "system" && name === "admin");
  return { role: isAdmin ? "admin" : "developer", assignedRoles: held.map(assigned) };
}
