import { inOrganization, type Scope, scopeOf } from "../lifecycle/scope";
import type { Session } from "../lifecycle/session";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";
import { onlyOne } from "./listing";

const roleSchema = Type.Object({
  /** Id of the role (uuid), for `assignedRoleIds` of an API key. */
  id: Type.String(),
  /** Name of the role. */
  name: Type.Optional(Type.String()),
  /** Origin of the role: the service (`system`) or the organization (`custom`). */
  type: Type.Optional(openSetOf(["system", "custom"])),
  /** Id of the organization that has the role (uuid). */
  tenantId: Type.Optional(Type.String()),
  /** Owner of the role, as the service names it. */
  ownerId: Type.Optional(Type.String()),
  /** The users and API keys that have the role: `user/<id>` and `apiKey/<id>`. */
  actors: Type.Optional(Type.Array(Type.String())),
  /** The rules that grant or deny permissions to the role. */
  policies: Type.Optional(
    Type.Array(
      Type.Object({
        /** Id of the rule. */
        id: Type.Optional(Type.String()),
        /** Id of the role that the rule belongs to (uuid). */
        roleId: Type.Optional(Type.String()),
        /** Id of the organization that the rule belongs to (uuid). */
        tenantId: Type.Optional(Type.String()),
        /** Whether the role's rule allows or denies. */
        allowDeny: Type.Optional(openSetOf(["ALLOW", "DENY"])),
        /** The permissions of the role's rule, such as `control-plane:service:view`. */
        permissions: Type.Optional(Type.Array(Type.String())),
        /** The services for which the role's rule holds: `instance/<id>`, or `instance/*` for all. */
        resources: Type.Optional(Type.Array(Type.String())),
        /** What the role may do in the databases of the services, in the SQL console. */
        tags: Type.Optional(
          Type.Object({
            /** Grants of SQL, such as `GRANT SELECT ON default.*`. */
            grants: Type.Optional(Type.Array(Type.String())),
            /** Predefined role in the SQL console: `sql-console-readonly` or `sql-console-admin`. */
            roleV2: Type.Optional(openSetOf(["sql-console-readonly", "sql-console-admin"])),
          }),
        ),
      }),
    ),
  ),
  /** When the role was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the role was last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String()),
});

/** A role of the organization. */
export interface RoleSummary extends ResultOf<typeof roleSchema> {}

const organizationArguments = inOrganization({});

const roleArguments = inOrganization({
  /** Exact name of the role. */
  name: Type.String({ minLength: 1 }),
});

function rolesIn(scope: Scope, session: Session): Promise<RoleSummary[]> {
  return session.lists.read("listRoles", scopeOf("organization", scope, session));
}

export const getRoles: FunctionDefinition<typeof organizationArguments, TArray<typeof roleSchema>> = {
  name: "getRoles",
  dialect: "clickhouse",
  arguments: organizationArguments,
  result: Type.Array(roleSchema),
  run: rolesIn,
};

export const getRole: FunctionDefinition<typeof roleArguments, typeof roleSchema> = {
  name: "getRole",
  dialect: "clickhouse",
  arguments: roleArguments,
  result: roleSchema,
  run: async (args, session) =>
    onlyOne(await rolesIn(args, session), "role", { name: args.name }, "organization") as RoleSummary,
};

/** Arguments of {@link getRoles}. */
export interface GetRolesArgs extends Static<typeof organizationArguments> {}

/** Arguments of {@link getRole}. */
export interface GetRoleArgs extends Static<typeof roleArguments> {}
