import {
  type roleAssignmentInputs,
  type roleAssignmentOutputs,
  roleAssignmentResource,
} from "../../resources/roleAssignment/roleAssignment";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link RoleAssignment}. */
export interface RoleAssignmentArgs extends InputsOf<typeof roleAssignmentInputs> {}

export interface RoleAssignment
  extends OutputsOf<typeof roleAssignmentInputs, typeof roleAssignmentOutputs> {}

/**
 * The assignment of one role to one key or user. The others who have the role are left alone, whoever they are. Needs `dialect:
 * clickhouse`, and a key with the permission `control-plane:organization:manage`.
 *
 * Its `id` is `<role>:apiKey:<key>` or `<role>:user:<user>`, and every change replaces it. Declaring one that is there already
 * takes it over. Destroying it takes the role away, but never from the key that signs the requests.
 *
 * The API has no assignments: it replaces the list of a role's actors. So the provider reads the list immediately before each
 * write, and once more after it. Somebody else's change between that read and the write is lost.
 * @example
 * ```typescript
 * const reports = pipestack.getRoleOutput({ name: "Reports" });
 * const key = new pipestack.ApiKey("reporting", {});
 * new pipestack.RoleAssignment("reporting", { roleId: reports.id, apiKeyId: key.id });
 * ```
 */
export class RoleAssignment extends managedResource<RoleAssignmentArgs>(roleAssignmentResource) {}
