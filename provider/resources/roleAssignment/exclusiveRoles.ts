import { Owners } from "../../lifecycle/owners";
import { perSession, type Session } from "../../lifecycle/session";
import type { Data } from "../../values/data";
import { containsUnknown, isUnknown } from "../../values/unknown";

/**
 * The `assignedRoleIds` of actors, which are keys and members, and the role that an assignment gives to each. Both together
 * would undo each other.
 */
const ownersOf = perSession(() => new Owners<unknown, unknown>());

/** Notes the roles that a new key or member declares, while its id is unknown. */
export function noteComingList({ assignedRoleIds }: Data, isNew: boolean, session: Session): void {
  ownersOf(session).noteComing(assignedRoleIds, isNew);
}

/**
 * Notes the `assignedRoleIds` of a key or a member.
 *
 * @throws Error if the program assigns a role to it, too
 */
export function noteList(actor: string, { assignedRoleIds }: Data, session: Session): void {
  const list = assignedRoleIds ?? undefined;
  const assigned = ownersOf(session).noteOwn(actor, list);
  if (list !== undefined && assigned !== undefined) throw new Error(conflictOf(actor, assigned));
}

/**
 * Notes the assignment of a role to an actor, whose id may be unknown yet.
 *
 * @returns the failure and the warning, if a key or member declares its roles itself, or may do so
 */
export function noteAssignment(
  actor: string | undefined,
  roleId: unknown,
  session: Session,
): { readonly failure?: string; readonly warning?: string } {
  const { own, coming } = ownersOf(session).noteOther(actor, roleId);
  if (actor !== undefined) return own === undefined ? {} : { failure: conflictOf(actor, roleId) };
  const mayHave = (list: unknown) =>
    Array.isArray(list) && (isUnknown(roleId) ? containsUnknown(list) : list.includes(roleId));
  return coming.some(mayHave)
    ? {
        warning:
          "a key or a member of the program may declare the same role in its assignedRoleIds, which is refused then; declare it in one of the two",
      }
    : {};
}

/** The message names no e-mail address of a member, since no other resource's messages may show it. */
function conflictOf(actor: string, roleId: unknown): string {
  const [kind, id] = actor.split("/");
  const title = kind === "user" ? `the member of user ${id}` : `API key ${id}`;
  return `${title} declares assignedRoleIds, which are all of its roles, and a RoleAssignment gives it ${typeof roleId === "string" ? `role ${roleId}` : "another role"}; declare the role in assignedRoleIds, or leave those out`;
}
