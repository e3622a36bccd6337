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
  /** Who defines it: the service (`system`) or the organization (`custom`). */
  type: Type.Optional(openSetOf(["system", "custom"])),
});

/** A role of the organization. */
export interface Role extends ResultOf<typeof roleSchema> {}

const organizationArguments = inOrganization({});

const roleArguments = inOrganization({
  /** Name of the role, exactly. */
  name: Type.String({ minLength: 1 }),
});

async function rolesIn(scope: Scope, session: Session): Promise<Role[]> {
  if (session.settings.dialect !== "clickhouse")
    throw new Error(
      "roles have ids in ClickHouse Cloud alone; it needs the setting dialect to be clickhouse",
    );
  return session.list("listRoles", scopeOf("organization", scope, session));
}

export const getRoles: FunctionDefinition<typeof organizationArguments, TArray<typeof roleSchema>> = {
  name: "getRoles",
  arguments: organizationArguments,
  result: Type.Array(roleSchema),
  run: rolesIn,
};

export const getRole: FunctionDefinition<typeof roleArguments, typeof roleSchema> = {
  name: "getRole",
  arguments: roleArguments,
  result: roleSchema,
  run: async (args, session) =>
    onlyOne(await rolesIn(args, session), "role", { name: args.name }, "organization") as Role,
};

/** Arguments of {@link getRoles}. */
export interface GetRolesArgs extends Static<typeof organizationArguments> {}

/** Arguments of {@link getRole}. */
export interface GetRoleArgs extends Static<typeof roleArguments> {}
