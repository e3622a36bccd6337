import { badRequest } from "../apiError";
import type { Identifiers } from "../identifiers";
import { type Call, documentedRoute, type Route, type RouteContext } from "../routes";
import { actorsOf, checkActors, dropRole, setActors } from "./assignments";
import { listedRoutes, usualOperations } from "./listed";
import type { Resource } from "./resource";
import { type Policy, type Role, roleRecords, shownRole } from "./roleRecords";

type PolicyBody = Omit<Policy, "id">;

interface RoleBody {
  readonly name?: string;
  readonly actors?: readonly string[];
  readonly policies?: readonly PolicyBody[];
}

/** The permissions that ClickHouse Cloud adds to a role's policy by itself, for each permission that a request contains. */
const brought: { readonly [permission: string]: readonly string[] } = {
  "control-plane:service:manage": ["control-plane:service:delete"],
};

const ofOrganization = "control-plane:organization:";

/** The roles of the sandbox's organization. Of a system role only the actors (keys and users) can be changed. */
export const roles = Object.assign(roleRecords, {
  place: "organization",
  dialect: "clickhouse",
  operations: usualOperations("Role", "Roles"),
  path: () => "roles",

  routes(context: RouteContext): Route[] {
    const { store, ids } = context;
    const organizationId = store.organization.id;
    const show = (role: Role) => ({ ...shownRole(role, organizationId), actors: actorsOf(store, role) });
    const membersOf = ({ body, now }: Call<RoleBody>, current?: Role): Omit<Role, "id"> => {
      if (current?.type === "system" && (body.name !== undefined || body.policies !== undefined))
        throw badRequest("system roles cannot be changed");
      checkActors(store, body.actors ?? []);
      const policies = body.policies && policiesOf(body.policies, store.organization.id, ids);
      const updatedAt = new Date(now).toISOString();
      return {
        ...{ name: "", type: "custom", createdAt: updatedAt, ...current, updatedAt },
        ...(body.name !== undefined && { name: body.name }),
        // ClickHouse Cloud gives policies new ids with each update of their role, even if the policies are the same.
        policies: policies ?? current?.policies?.map((policy) => ({ ...policy, id: ids.uuid() })),
      } as Omit<Role, "id">;
    };
    const usual = listedRoutes<Role>(context, {
      collection: roles,
      noun: "Role",
      isPatched: true,
      hasUuids: true,
      tellsUnknown: true,
      membersOf,
      show,
      deleting(role) {
        if (role.type === "system") throw badRequest("system roles cannot be deleted");
        dropRole(store, role);
      },
    });
    // The records of keys and members hold who has a role, so creating or updating a role writes to those records, too.
    return usual.map((route) => {
      if (route.operation !== "createRole" && route.operation !== "updateRole") return route;
      return documentedRoute<RoleBody>({
        ...route,
        run(call) {
          const shown = route.run(call as never) as { readonly id: string };
          const role = store.of(roles).get(shown.id) as Role;
          if (call.body.actors) setActors(store, role, call.body.actors);
          return show(role);
        },
      });
    });
  },
} as const) satisfies Resource;

function policiesOf(bodies: readonly PolicyBody[], organizationId: string, ids: Identifiers): Policy[] {
  return bodies.map((policy) => {
    const { permissions, resources } = policy;
    const scopes = new Set(permissions.map((permission) => permission.startsWith(ofOrganization)));
    if (scopes.size > 1) throw badRequest("All permissions in a policy must target the same resource scope");
    const [isOfOrganization = false] = scopes;
    const isPlace = isOfOrganization
      ? (resource: string) => resource === `organization/${organizationId}`
      : (resource: string) => resource.startsWith("instance/");
    const wrong = resources.find((resource) => !isPlace(resource));
    if (wrong !== undefined) throw badRequest(`Invalid resource ${wrong} in a policy`);
    const further = permissions.flatMap((permission) => brought[permission] ?? []);
    return {
      ...policy,
      id: ids.uuid(),
      permissions: [...new Set([...permissions, ...further])],
      resources: [...resources],
    };
  });
}
