import { uuid } from "../../api/settingsSchema";

import { resourceOf } from "../../lifecycle/lifecycle";
import { notShownYet } from "../../lifecycle/observe";
import type { Resource } from "../../lifecycle/resource";
import { type Context, contextOf, inOrganization } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { type State, trackingOf } from "../../lifecycle/state";
import { reportTakeover } from "../../lifecycle/takeover";
import type { PropertyMap } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import { containsUnknown } from "../../values/unknown";
import { noteComingList, noteList } from "../access/exclusiveRoles";
import {
  areSame,
  emailText,
  findPerson,
  hasRoles,
  invite,
  memberIn,
  type Person,
  remove,
  replacesInvitation,
  roleIdsOf,
  withRoles,
} from "./people";

/**
 * Inputs of a person in the ClickHouse Cloud organization.
 * @see "Create invitation", "Update organization member" in the documents of ClickHouse Cloud
 */
export const memberInputs = inOrganization({
  /** E-mail address of the person, in any case: the service keeps it in lower case. It is the `id` of the resource. */
  email: Type.String({
    pattern: "^[^\\s@/]+@[^\\s@/]+$",
    rule: "an e-mail address, such as ann@example.com",
    replaces: "declared",
  }),
  /**
   * Ids (uuid) of all roles of the person; `[]` for none. Default: the roles that the service gives, or that others assign, for
   * example with `RoleAssignment`. A change of roles replaces an open invitation, and the service sends another e-mail.
   */
  assignedRoleIds: Type.Optional(
    Type.Array(Type.String({ ...uuid, comparison: "id", of: "Role" }), {
      uniqueItems: true,
      comparison: "set",
      irremovable: "declare [] to take all roles away",
    }),
  ),
  /**
   * Whether destroying the resource removes the member from the organization, or withdraws the invitation. Default: false,
   * which leaves the person in the organization.
   */
  removeOnDelete: Type.Optional(Type.Boolean({ sent: "never" })),
});

export const memberOutputs = Type.Object({
  /** Status of the person: `invited` until the person accepts the invitation, and then `member`. */
  status: Type.Optional(Type.String()),
  /** Id of the person as a user, for the input `userId` of a `RoleAssignment`; undefined as long as the person is invited. */
  userId: Type.Optional(Type.String()),
  /** Name of the person; undefined as long as the person is invited. */
  name: Type.Optional(Type.String()),
  /** When the person joined the organization (ISO 8601); undefined as long as the person is invited. */
  joinedAt: Type.Optional(Type.String()),
  /**
   * When the invitation expires (ISO 8601). An expired invitation counts as deleted, so the first update after a refresh
   * invites the person again.
   */
  expireAt: Type.Optional(Type.String({ volatile: true })),
});

export const memberResource: Resource = resourceOf({
  type: "Member",
  noun: "member",
  inputs: memberInputs,
  outputs: memberOutputs,
  scope: "organization",
  dialect: "clickhouse",
  operations: {
    create: "createInvitation",
    list: "listMembers",
    get: "getMember",
    update: "updateMember",
    delete: "deleteMember",
  },
  calls: ["listInvitations", "deleteInvitation"],

  isNamedInOrganization: true,
  idIn: ({ email }) => (typeof email === "string" ? emailText(email) : undefined),
  listed: async ({ session, scope }) =>
    (await session.lists.read("listMembers", scope)).map((member) => memberIn(member).object),

  complete: ({ email, ...declared }) => ({
    inputs: {
      ...(email !== undefined && { email: typeof email === "string" ? emailText(email) : email }),
      ...declared,
    },
    failures: [],
  }),

  decode: (answer) => ({ ...answer, ...assignedRoleIdsOf(answer) }),

  cascadeWarnings: async ({ email, assignedRoleIds }, { status, assignedRoleIds: present }) => {
    const isReplaced =
      status === "invited" &&
      Array.isArray(assignedRoleIds) &&
      !containsUnknown(assignedRoleIds) &&
      !areSame((present ?? []) as readonly unknown[], assignedRoleIds);
    return isReplaced ? [replacesInvitation(emailText(email))] : [];
  },

  async creation({ body: { email, assignedRoleIds }, inputs, context }) {
    const id = emailText(email);
    const found = await findPerson(id, "now", context);
    if (found) {
      await reportTakeover(memberResource, id, inputs, found.object, context);
      if (inputs.removeOnDelete === true)
        context.session.warnOnce(
          `Member: ${id} was there before; destroying the resource removes the member, or withdraws the invitation`,
        );
    }
    const person = found ?? (await invite(id, assignedRoleIds, context));
    const { object } = await confirmed(await withRoles(person, assignedRoleIds, context), inputs, context);
    return { id, object };
  },

  async look({ moment, id, state, context }) {
    const email = emailText(id);
    // A preview may use a list of the organization's members that was read before. An update reads a new list, to see the person's
    // current roles before it overwrites them.
    const isFresh = moment === "afterWrite" || (moment === "beforeWrite" && Object.keys(state).length > 0);
    const person =
      (await findPerson(email, isFresh ? "now" : "run", context)) ??
      // During a refresh, a person counts as deleted only if a second list of members confirms it. A write to a person who is gone
      // fails anyway, so it needs no second list.
      (moment === "read" ? await findPerson(email, "now", context) : undefined);
    return person?.object ?? notShownYet(memberResource, id, state, context.session) ?? "gone";
  },

  async send(id, { desired: { assignedRoleIds }, state }, context) {
    const email = emailText(id);
    // An update that failed may have withdrawn the invitation, in whose place another one was to be.
    const inviteAnew = async () =>
      trackingOf(state).awaiting ? invite(email, assignedRoleIds, context) : undefined;
    const person = (await findPerson(email, "now", context)) ?? (await inviteAnew());
    if (!person) throw missing(id);
    return (await withRoles(person, assignedRoleIds, context)).object;
  },

  around: {
    async check(usual, olds, news, session) {
      const checked = await usual(olds, news, session);
      noteComingList("user", checked.inputs, Object.keys(olds).length === 0, session);
      return checked;
    },

    async diff(usual, id, state, inputs, session) {
      noteRoles(state, inputs, session);
      return usual(id, state, inputs, session);
    },

    async create(usual, inputs, session) {
      const created = await usual(inputs, session);
      noteRoles(created.state, inputs, session);
      return created;
    },

    // Once a person has accepted the invitation, its expiry date is no longer an output of the member.
    async update(usual, id, state, inputs, session) {
      const updated = await usual(id, state, inputs, session);
      return withoutExpiry(updated);
    },

    async read(usual, id, state, session) {
      const live = await usual(id, state, session);
      return typeof live === "string" ? live : { ...live, state: withoutExpiry(live.state) };
    },

    async delete(_usual, id, state, session) {
      const email = emailText(id);
      if (state.removeOnDelete !== true) {
        session.warnOnce(
          state.status === "invited"
            ? `Member: the invitation of ${email} stays open; removeOnDelete: true would withdraw it`
            : `Member: ${email} stays a member; removeOnDelete: true would remove the member`,
        );
        return;
      }
      const context = contextOf(memberResource, state, session);
      const person = await findPerson(email, "now", context);
      const unseen = person ? undefined : notShownYet(memberResource, email, state, session);
      if (unseen) throw unseen.reason;
      if (person) await remove(person, context);
    },
  },
});

function assignedRoleIdsOf(answer: PropertyMap): PropertyMap {
  const assignedRoleIds = roleIdsOf(answer);
  return assignedRoleIds === undefined ? {} : { assignedRoleIds };
}

const missing = (email: string) =>
  new Error(`${email} is neither a member nor invited; "pulumi up --refresh" invites again`);

/**
 * Makes sure that the service shows the declared roles of a person, if need be by a second list of members. Otherwise other
 * roles in the answer would be stored, and would never count as drift.
 *
 * @throws Error if the service does not show the declared roles
 */
async function confirmed(
  answered: Person,
  { assignedRoleIds }: PropertyMap,
  context: Context,
): Promise<Person> {
  const isAsDeclared = (person: Person) =>
    !Array.isArray(assignedRoleIds) || !roleIdsOf(person.object) || hasRoles(person, assignedRoleIds);
  if (isAsDeclared(answered)) return answered;
  const now = await findPerson(answered.id, "now", context);
  if (now && isAsDeclared(now)) return now;
  throw new Error(
    `member ${answered.id}: the service does not show the declared roles after the request; run the update again`,
  );
}

/**
 * Records which roles a `Member` resource declares for a user. A `RoleAssignment` of the same user is then refused, since the
 * two would undo each other.
 */
function noteRoles({ userId }: State, inputs: PropertyMap, session: Session): void {
  if (typeof userId === "string") noteList("user", userId, inputs, session);
}

function withoutExpiry(state: State): State {
  if (state.status !== "member") return state;
  const { expireAt: _, ...others } = state;
  return others;
}
