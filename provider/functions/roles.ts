import { inOrganization, scopeOf } from "../lifecycle/scope";
import { roleInputs, roleOutputs } from "../resources/role/role";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import { type Answered, answered, loose } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { onlyOne } from "./listing";

const { policies } = roleInputs.properties;

const policySchema = Type.Object({
  ...policies.items.properties,
  /** Id of the rule. */
  id: Type.String(),
  /** Id of the role that the rule belongs to (uuid). */
  roleId: Type.String(),
  /** Id of the organization that the rule belongs to (uuid). */
  tenantId: Type.String(),
});

const ownMembers = Type.Object({
  /** Id of the role (uuid), for `assignedRoleIds` of an API key. */
  id: Type.String(),
  /** Origin of the role: the service (`system`) or the organization (`custom`). */
  type: Type.Optional(openSetOf(["system", "custom"])),
  /** The rules that grant or deny permissions to the role. */
  policies: Type.Optional(Type.Array(loose(policySchema))),
});

/** A role of the organization. */
export interface RoleSummary
  extends ResultOf<typeof ownMembers>,
    Answered<typeof roleInputs, "policies">,
    Answered<typeof roleOutputs, "type"> {}

const roleSchema = Type.Unsafe<RoleSummary>(
  Type.Object({ ...answered(roleInputs), ...answered(roleOutputs), ...ownMembers.properties }),
);

const organizationArguments = inOrganization({});

const roleArguments = inOrganization({
  /** Exact name of the role. */
  name: Type.String({ minLength: 1 }),
});

export const getRoles: FunctionDefinition<typeof organizationArguments, TArray<typeof roleSchema>> = {
  name: "getRoles",
  dialect: "clickhouse",
  arguments: organizationArguments,
  result: Type.Array(roleSchema),
  run: (args, session) => session.lists.read("listRoles", scopeOf("organization", args, session)),
};

export const getRole: FunctionDefinition<typeof roleArguments, typeof roleSchema> = {
  name: "getRole",
  dialect: "clickhouse",
  arguments: roleArguments,
  result: roleSchema,
  async run({ name, ...place }, session) {
    const roles = await session.lists.read("listRoles", scopeOf("organization", place, session));
    return onlyOne<RoleSummary>(roles, "role", { name }, "organization");
  },
};

/** Arguments of {@link getRoles}. */
export interface GetRolesArgs extends Static<typeof organizationArguments> {}

/** Arguments of {@link getRole}. */
export interface GetRoleArgs extends Static<typeof roleArguments> {}
