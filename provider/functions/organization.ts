import { enums } from "../api/enums.golden";
import type { Reading } from "../lifecycle/lists";
import { inOrganization, scopeOf } from "../lifecycle/scope";
import { emailText } from "../resources/member/people";
import { openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import type { FunctionDefinition, ResultOf } from "./definition";
import { onlyOne } from "./listing";

const memberSchema = Type.Object({
  /** Id of the member as a user, for `userId` of a `RoleAssignment`. */
  userId: Type.String(),
  /** E-mail address of the member, in lower case. */
  email: Type.String(),
  /** Name of the member. */
  name: Type.Optional(Type.String()),
  /** When the member joined the organization (ISO 8601). */
  joinedAt: Type.Optional(Type.String()),
  /** The roles of the member in the organization. */
  assignedRoles: Type.Optional(
    Type.Array(
      Type.Object({
        /** Id of a role that the member has (uuid). */
        roleId: Type.Optional(Type.String()),
        /** Name of a role that the member has. */
        roleName: Type.Optional(Type.String()),
        /** Origin of a role that the member has: the service (`system`) or the organization (`custom`). */
        roleType: Type.Optional(openSetOf(enums.roleType)),
      }),
    ),
  ),
});

/** A member of the organization. */
export interface MemberSummary extends ResultOf<typeof memberSchema> {}

const memberArguments = inOrganization({
  /** E-mail address of the member, in any case. */
  email: Type.String({ minLength: 1 }),
});

/**
 * The member of an organization who has this e-mail address. Fails if there is none, also while the person is only invited; the error
 * names the members. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, the service
 *   refuses the request, no answer arrives, or the organization has no such member
 * @example
 * ```typescript
 * const ada = pipestack.getMember({ email: "ada@example.com" });
 * const reports = pipestack.getRoleOutput({ name: "Reports" });
 * new pipestack.RoleAssignment("ada-reports", { roleId: reports.id, userId: ada.then(({ userId }) => userId) });
 * ```
 */
export const getMember: FunctionDefinition<typeof memberArguments, typeof memberSchema> = {
  name: "getMember",
  dialect: "clickhouse",
  arguments: memberArguments,
  result: memberSchema,
  async run({ email, ...place }, session) {
    const scope = scopeOf("organization", place, session);
    const members = async (reading: Reading) => {
      const listed = await session.lists.read("listMembers", scope, reading);
      return listed.map((member) => ({ ...member, email: emailText(member.email) }));
    };
    return onlyOne<MemberSummary>(members, "member", { email: emailText(email) }, "organization");
  },
};

const quotaSchema = Type.Object({
  /** Code of the quota, such as `services-per-organization`. */
  quotaCode: Type.String(),
  /** Name of the quota, for people. */
  name: Type.Optional(Type.String()),
  /** What the quota limits. */
  description: Type.Optional(Type.String()),
  /** What each limit of the quota is for: `organization` or `warehouse`. */
  scope: Type.Optional(Type.String()),
  /** The limit. */
  value: Type.Integer(),
  /** How much of the limit is used now; absent where the service does not count it, as for a quota of each warehouse. */
  usage: Type.Optional(Type.Integer()),
  /** Whether support can raise the quota's limit. */
  adjustable: Type.Optional(Type.Boolean()),
});

/** A limit of the organization, and how much of it is used. */
export interface Quota extends ResultOf<typeof quotaSchema> {}

// A type of its own, by which the published declarations tell these arguments from those of other functions.
const quotasArguments = inOrganization<Record<never, never>>({});

/**
 * The limits of an organization and how much of them is used: of services, API keys and replicas. Needs `dialect: clickhouse`.
 * @throws Error if an argument is invalid, a setting is missing or another dialect is set, the service refuses the request, or
 * no answer arrives
 * @example
 * ```typescript
 * const quotas = pipestack.getQuotas();
 * export const full = quotas.then((all) => all.filter(({ usage, value }) => usage === value).map(({ name }) => name));
 * ```
 */
export const getQuotas: FunctionDefinition<typeof quotasArguments, TArray<typeof quotaSchema>> = {
  name: "getQuotas",
  dialect: "clickhouse",
  arguments: quotasArguments,
  result: Type.Array(quotaSchema),
  run: (args, session) =>
    session.call("getQuotas", scopeOf("organization", args, session)) as unknown as Promise<Quota[]>,
};

/** Arguments of {@link getMember}. */
export interface GetMemberArgs extends Static<typeof memberArguments> {}
/** Arguments of {@link getQuotas}. */
export interface GetQuotasArgs extends Static<typeof quotasArguments> {}
