import type { GetRoleArgs, GetRolesArgs, RoleSummary } from "../../../functions/roles";
import * as functions from "../../../functions/roles";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getRolesOutput}. */
export interface GetRolesOutputArgs extends InputsOf<typeof functions.getRoles.arguments> {}

/** Arguments of {@link getRoleOutput}. */
export interface GetRoleOutputArgs extends InputsOf<typeof functions.getRole.arguments> {}

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
export const getRoles = plain<GetRolesArgs, RoleSummary[]>(functions.getRoles);

/**
 * Same as {@link getRoles}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * export const roles = pipestack.getRolesOutput().apply((all) => all.map(({ name }) => name));
 * ```
 */
export const getRolesOutput = withOutputs<GetRolesOutputArgs, RoleSummary[]>(functions.getRoles);

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
 */
export const getRole = plain<GetRoleArgs, RoleSummary>(functions.getRole);

/**
 * Same as {@link getRole}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const reports = pipestack.getRoleOutput({ name: "Reports" });
 * new pipestack.ApiKey("reporting", { assignedRoleIds: [reports.id] });
 * ```
 */
export const getRoleOutput = withOutputs<GetRoleOutputArgs, RoleSummary>(functions.getRole);
