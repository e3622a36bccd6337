import { inOrganization, type Scope, scopeOf } from "../lifecycle/scope";
import type { Session } from "../lifecycle/session";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";
import { onlyOne } from "./listing";

const roleSchema = Type.Object({
  /** Id of the role (uuid), for `assignedRoleIds` of a key. */
  id: Type.String(),
  /** Name of the role. */
  name: Type.Optional(Type.String()),
  /** Origin: the service (`system`) or the organization (`custom`). */
  type: Type.Optional(openSetOf(["system", "custom"])),
  /** Organization of the role (uuid). */
  tenantId: Type.Optional(Type.String()),
  /** Owner of the role. */
  ownerId: Type.Optional(Type.String()),
  /** The users and keys that have the role: `user/<id>` and `apiKey/<id>`. */
  actors: Type.Optional(Type.Array(Type.String())),
  /** The rules of the role. */
  policies: Type.Optional(
    Type.Array(
      Type.Object({
        /** Id of the rule. */
        id: Type.Optional(Type.String()),
        /** Whether the rule allows or denies. */
        allowDeny: Type.Optional(openSetOf(["ALLOW", "DENY"])),
        /** The permissions, such as `control-plane:service:view`. */
        permissions: Type.Optional(Type.Array(Type.String())),
        /** The services that they are about: `instance/<id>`, or `instance/*` for all. */
        resources: Type.Optional(Type.Array(Type.String())),
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
  /** Name of the role, exactly. */
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
