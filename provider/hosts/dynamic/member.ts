import { type memberInputs, type memberOutputs, memberResource } from "../../resources/member/member";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link Member}. */
export interface MemberArgs extends InputsOf<typeof memberInputs> {}

export interface Member extends OutputsOf<typeof memberInputs, typeof memberOutputs> {}

/**
 * A person of the organization, known by the e-mail address, which is the `id`. A person who is neither member nor invited is
 * invited; an existing member or invitation is taken over. Needs `dialect: clickhouse`, and a key with the permission
 * `control-plane:organization:manage`.
 *
 * An invitation vanishes when it is accepted, and a member appears: the resource then manages the member, and shows no drift. A
 * change of `email` or `organizationId` replaces the resource, and everything else is updated in place. Destroying it leaves
 * the person in the organization, unless `removeOnDelete` is true.
 *
 * The address is personal: it is in the state of the stack, and in messages about this resource alone.
 * @example
 * ```typescript
 * const reports = pipestack.getRoleOutput({ name: "Reports" });
 * new pipestack.Member("ann", { email: "ann@example.com", assignedRoleIds: [reports.id] });
 * ```
 */
export class Member extends managedResource<MemberArgs>(memberResource) {}
