import { perSession, type Session } from "../../lifecycle/session";
import type { Data } from "../../values/data";
import { containsUnknown, isUnknown } from "../../values/unknown";

/**
 * Records who declares the roles of an actor: its own list `assignedRoleIds`, or assignments. Both together would undo
 * each other.
 */
interface Declared {
  /** The titles of keys and members with `assignedRoleIds`, by actor, for messages. */
  readonly lists: Map<string, string>;
  /** The role that an assignment gives, by actor. */
  readonly assigned: Map<string, unknown>;
  /** The lists `assignedRoleIds` of keys and members that are yet to be created. */
  readonly coming: (readonly unknown[])[];
  hasProgram: boolean;
}

const declaredOf = perSession(
  (): Declared => ({ lists: new Map(), assigned: new Map(), coming: [], hasProgram: false }),
);

/** Forgets what a refresh has noted, since it describes the former program. */
function beginIn(session: Session): Declared {
  const declared = declaredOf(session);
  if (!declared.hasProgram) {
    declared.lists.clear();
    declared.hasProgram = true;
  }
  return declared;
}

/** Notes the roles that a new key or member declares, while its id is unknown. */
export function noteComingList({ assignedRoleIds }: Data, isNew: boolean, session: Session): void {
  const declared = beginIn(session);
  if (isNew && Array.isArray(assignedRoleIds)) declared.coming.push(assignedRoleIds);
}

/**
 * Notes the `assignedRoleIds` of a key or a member.
 *
 * @throws Error if the program assigns a role to it, too
 */
export function noteList(actor: string, title: string, { assignedRoleIds }: Data, session: Session): void {
  const { lists, assigned } = declaredOf(session);
  const key = actor.toLowerCase();
  if (assignedRoleIds === undefined || assignedRoleIds === null) lists.delete(key);
  else lists.set(key, title);
  if (lists.has(key) && assigned.has(key)) throw new Error(conflictOf(title, assigned.get(key)));
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
  const { lists, assigned, coming } = beginIn(session);
  if (actor !== undefined) {
    assigned.set(actor.toLowerCase(), roleId);
    const title = lists.get(actor.toLowerCase());
    return title === undefined ? {} : { failure: conflictOf(title, roleId) };
  }
  const mayHave = (list: readonly unknown[]) =>
    isUnknown(roleId) ? containsUnknown(list) : list.includes(roleId);
  return coming.some(mayHave)
    ? {
        warning:
          "a key or a member of the program may declare the same role in its assignedRoleIds, which is refused then; declare it in one of the two",
      }
    : {};
}

const conflictOf = (title: string, roleId: unknown) =>
  `${title} declares assignedRoleIds, which are all of its roles, and a RoleAssignment gives it ${typeof roleId === "string" ? `role ${roleId}` : "another role"}; declare the role in assignedRoleIds, or leave those out`;
