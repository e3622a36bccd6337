import type { Invitation, Member } from "../../api/answers.golden";
import { InvalidIdentifier, MissingObject, mayHaveHappened, RefusedRequest } from "../../api/errors";
import type { Context } from "../../lifecycle/scope";
import { Unfinished } from "../../lifecycle/unfinished";
import { idText, type MembersOf, momentIn, type PropertyMap } from "../../values/data";

/** A person in the ClickHouse Cloud organization: a member, or somebody with an open invitation. */
export interface Person {
  readonly id: string;
  readonly status: "invited" | "member";
  /** The id of the user, or of an open invitation. */
  readonly recordId: string;
  readonly object: PropertyMap;
}

/**
 * Milliseconds to wait after a failed invitation request before the lists are read again, since the service may still be
 * working on the request.
 */
const settlingMilliseconds = 500;

/** An e-mail address in lower case, in which the service keeps it. */
export function emailText(email: unknown): string {
  return String(email).toLowerCase();
}

export function memberIn(member: Member): Person {
  const email = emailText(member.email);
  const object = { ...member, id: email, email, status: "member" };
  return { id: email, status: "member", recordId: String(member.userId), object };
}

// For some minutes after the program has declared a person, lists of the service may not show the person. These minutes must
// not count from the date of an older invitation, so the date is left out.
function invitedIn({ id, createdAt: _, ...invitation }: Invitation): Person {
  const email = emailText(invitation.email);
  const object = { ...invitation, id: email, email, status: "invited" };
  return { id: email, status: "invited", recordId: String(id), object };
}

/** Milliseconds by which the clocks of the service and of this machine may differ. */
const clockTolerance = 5 * 60_000;

const isExpired = ({ expireAt }: Invitation) =>
  typeof expireAt === "string" && momentIn(expireAt) + clockTolerance <= Date.now();

/**
 * Finds a person among the organization's members, and then among its open invitations, which end when they are accepted.
 * Expired invitations do not count.
 */
export async function findPerson(
  email: string,
  asOf: "run" | "now",
  context: Context,
): Promise<Person | undefined> {
  const { session, scope } = context;
  const ofEmail = (entry: Member | Invitation) => emailText(entry.email) === email;
  const members = await session.lists.read("listMembers", scope, { asOf });
  const member = members.find(ofEmail);
  if (member) return memberIn(member);
  const invitations = await session.lists.read("listInvitations", scope, { asOf });
  const invitation = invitations.find(ofEmail);
  if (invitation) return isExpired(invitation) ? undefined : invitedIn(invitation);
  if (asOf === "run") return undefined;
  // An invitation that is accepted between the two list requests is in neither list, so the members are listed again.
  const again = await session.lists.read("listMembers", scope, { asOf });
  const accepted = again.find(ofEmail);
  return accepted && memberIn(accepted);
}

/** Invites a person, and withdraws an expired invitation first. */
export async function invite(email: string, roleIds: unknown, context: Context): Promise<Person> {
  const { session, scope } = context;
  const invitations = await session.lists.read("listInvitations", scope, {
    asOf: "now",
  });
  for (const old of invitations.filter((entry) => emailText(entry.email) === email && isExpired(entry)))
    await withdraw(String(old.id), context);
  try {
    const body = { email, ...(roleIds !== undefined && { assignedRoleIds: roleIds }) };
    return invitedIn(await session.call("createInvitation", scope, body));
  } catch (error) {
    // The invitation request may fail although the person is invited: the answer was lost, or somebody else invited the person
    // at the same time. So the person is looked for once more.
    if (!mayHaveHappened(error) && !(error instanceof RefusedRequest && error.site.status !== 403))
      throw error;
    await session.interruption.pause(settlingMilliseconds);
    const found = await findPerson(email, "now", context).catch(() => undefined);
    if (!found) throw error;
    return found;
  }
}

/** Withdraws an invitation, or does nothing if it was accepted or has expired. */
export async function withdraw(invitationId: string, { session, scope }: Context): Promise<void> {
  await session.call("deleteInvitation", { ...scope, id: invitationId }).catch(tolerateMissing);
}

/**
 * Removes a member, or withdraws an open invitation. The service may refuse the id of somebody who is still a member, as it does
 * for an id of an identity provider. So a refused person counts as removed only if the lists do not show the person.
 */
export async function remove(person: Person, context: Context): Promise<void> {
  const { session, scope } = context;
  const operation = person.status === "member" ? "deleteMember" : "deleteInvitation";
  let requests = 0;
  try {
    await session.call(operation, { ...scope, id: person.recordId }, undefined, () => requests++);
  } catch (error) {
    tolerateMissing(error);
    // The first attempt may have removed the person, and its answer was lost.
    if (error instanceof MissingObject && requests > 1) return;
    const now = await findPerson(person.id, "now", context);
    if (now?.status === "member" && person.status === "invited") return remove(now, context);
    if (now) throw error;
  }
}

function tolerateMissing(error: unknown): void {
  if (!(error instanceof MissingObject || error instanceof InvalidIdentifier)) throw error;
}

export function roleIdsOf({ assignedRoles }: MembersOf<Member>): readonly unknown[] | undefined {
  return Array.isArray(assignedRoles)
    ? assignedRoles.map((role: PropertyMap | null) => role?.roleId)
    : undefined;
}

/**
 * Gives a person exactly the named roles. An open invitation cannot be changed: the provider withdraws it, and the service
 * sends another invitation by e-mail.
 */
export async function withRoles(person: Person, roleIds: unknown, context: Context): Promise<Person> {
  if (!Array.isArray(roleIds) || hasRoles(person, roleIds)) return person;
  const { session, scope } = context;
  if (person.status === "member") {
    const place = { ...scope, id: person.recordId };
    return memberIn(await session.call("updateMember", place, { assignedRoleIds: roleIds }));
  }
  session.warnOnce(replacesInvitation(person.id));
  await withdraw(person.recordId, context);
  try {
    const now = await findPerson(person.id, "now", context);
    if (now?.status === "member") return await withRoles(now, roleIds, context);
    return await invite(person.id, roleIds, context);
  } catch (error) {
    return inviteAgain(person, roleIds, error as Error, context);
  }
}

/** The warning that a change of roles replaces an open invitation. */
export const replacesInvitation = (email: string) =>
  `Member: another invitation takes the place of the open one of ${email}: the service sends another e-mail, and the link in the former one no longer works`;

/**
 * Invites a person again with the former roles, after an invitation with other roles failed.
 *
 * @throws Error that says whether the person is invited now
 */
async function inviteAgain(
  former: Person,
  roleIds: readonly unknown[],
  { message }: Error,
  context: Context,
): Promise<Person> {
  const { id: email } = former;
  const formerIds = roleIdsOf(former.object);
  const failed = `the invitation of ${email} was withdrawn, and another one failed: ${message}`;
  if (!formerIds)
    throw new Unfinished(
      "update",
      `${failed}\nThe former one is gone, since the service did not show which roles it had: the next "pulumi up" invites again`,
    );
  const now = await invite(email, formerIds, context).catch((error: Error) => error);
  if (now instanceof Error)
    throw new Unfinished(
      "update",
      `${failed}\n${email} may not be invited now, since inviting with the former roles failed, too: ${now.message}; the next "pulumi up" invites again`,
    );
  if (hasRoles(now, roleIds)) return now;
  throw new Unfinished(
    "update",
    `${failed}\n${email} is ${now.status === "member" ? "a member" : "invited"} with ${hasRoles(now, formerIds) ? "the former roles" : "other roles"} now`,
  );
}

export function hasRoles({ object }: Person, roleIds: readonly unknown[]): boolean {
  return areSame(roleIdsOf(object) ?? [], roleIds);
}

export function areSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  const [one, other] = [some, others].map((list) => new Set(list.map(idText)));
  return one?.size === other?.size && [...(one ?? [])].every((id) => other?.has(id));
}
