import { type roleInputs, type roleOutputs, roleResource } from "../../resources/role/role";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link Role}. */
export interface RoleArgs extends InputsOf<typeof roleInputs> {}

export interface Role extends OutputsOf<typeof roleInputs, typeof roleOutputs> {}

/**
 * A role of the organization: what its keys and members may do. Who has it is declared by {@link RoleAssignment}, by the
 * `assignedRoleIds` of a key or of a {@link Member}, or by nobody. Needs `dialect: clickhouse`, and a key with the permission
 * `control-plane:organization:manage`.
 *
 * A change of `organizationId` replaces the role, and everything else is updated in place, under the same id and with the same
 * actors. Destroying the resource deletes the role, unless the key that signs the requests has it. System roles cannot be
 * declared: `getRole` finds them.
 * @example
 * ```typescript
 * new pipestack.Role("readers", {
 *   policies: [
 *     {
 *       allowDeny: "ALLOW",
 *       permissions: ["control-plane:service:view", "control-plane:service:view-backups"],
 *       resources: ["instance/*"],
 *     },
 *   ],
 * });
 * ```
 */
export class Role extends managedResource<RoleArgs>(roleResource) {}
