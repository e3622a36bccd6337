import { enums } from "../api/enums.golden";
import type { Reading } from "../lifecycle/lists";
import { inOrganization, scopeOf } from "../lifecycle/scope";
import { roleInputs, roleOutputs } from "../resources/role/role";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import { type Answered, answeredObject, loose } from "./answered";
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
  type: Type.Optional(openSetOf(enums.roleType)),
  /** The rules that grant or deny permissions to the role. */
  policies: Type.Optional(Type.Array(loose(policySchema))),
});

/** A role of the organization. */
export interface RoleSummary
  extends ResultOf<typeof ownMembers>,
    Answered<typeof roleInputs, "policies">,
    Answered<typeof roleOutputs, "type"> {}

const roleSchema = answeredObject<RoleSummary>(ownMembers, roleInputs, roleOutputs);

// A type of its own, by which the published declarations tell these arguments from those of `getApiKeys`.
const organizationArguments = inOrganization<Record<never, never>>({});

const roleArguments = inOrganization({
  /** Exact name of the role. */
  name: Type.String({ minLength: 1 }),
});

/**
 * The roles of an organization, both system roles and custom roles: keys name them by their ids. Needs `dialect: clickhouse`;
 * with `neutral` keys name their roles themselves.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, the service refuses the request, or
 * no answer arrives
 * @example
 * ```typescript
 * export const custom = pipestack.getRoles().then((roles) => roles.filter(({ type }) => type === "custom").map(({ name }) => name));
 * ```
 */
export const getRoles: FunctionDefinition<typeof organizationArguments, TArray<typeof roleSchema>> = {
  name: "getRoles",
  dialect: "clickhouse",
  arguments: organizationArguments,
  result: Type.Array(roleSchema),
  run: (args, session) =>
    session.lists.read("listRoles", scopeOf("organization", args, session)) as Promise<RoleSummary[]>,
};

/**
 * The role of an organization that has this name. Fails unless exactly one exists; the error names all that exist.
 * Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, the service
 *   refuses the request, no answer arrives, or there is not exactly one such role
 * @example
 * ```typescript
 * const reports = pipestack.getRole({ name: "Reports" });
 * new pipestack.ApiKey("reporting", { assignedRoleIds: [reports.then(({ id }) => id)] });
 * ```
 * @example
 * ```typescript
 * const reports = pipestack.getRoleOutput({ name: "Reports" });
 * new pipestack.ApiKey("reporting", { assignedRoleIds: [reports.id] });
 * ```
 */
export const getRole: FunctionDefinition<typeof roleArguments, typeof roleSchema> = {
  name: "getRole",
  dialect: "clickhouse",
  arguments: roleArguments,
  result: roleSchema,
  async run({ name, ...place }, session) {
    const scope = scopeOf("organization", place, session);
    const roles = (reading: Reading) => session.lists.read("listRoles", scope, reading);
    return onlyOne<RoleSummary>(roles, "role", { name }, "organization");
  },
};

/** Arguments of {@link getRoles}. */
export interface GetRolesArgs extends Static<typeof organizationArguments> {}
/** Arguments of {@link getRole}. */
export interface GetRoleArgs extends Static<typeof roleArguments> {}
