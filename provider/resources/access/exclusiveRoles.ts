import { Owners } from "../../lifecycle/owners";
import { perSession, type Session } from "../../lifecycle/session";
import { isSameId, type PropertyMap } from "../../values/data";
import { containsUnknown, isUnknown } from "../../values/unknown";

/**
 * The `assignedRoleIds` of API keys and members, and the roles from `RoleAssignment` resources. A program may not declare both
 * for the same key or member, since they would undo each other.
 */
const ownersOf = perSession(() => ({
  apiKey: new Owners<unknown, unknown>(),
  user: new Owners<unknown, unknown>(),
}));

/** The kind of those that have roles: API keys, or members as users. */
export type ActorKind = "apiKey" | "user";

/**
 * Records the `assignedRoleIds` of a new API key or member whose id is not known yet, for warnings about a `RoleAssignment`
 * that may give it the same role.
 */
export function noteComingList(
  kind: ActorKind,
  { assignedRoleIds }: PropertyMap,
  isNew: boolean,
  session: Session,
): void {
  ownersOf(session)[kind].noteComing(assignedRoleIds, isNew);
}

/**
 * @throws Error if an API key or member declares `assignedRoleIds`, and a `RoleAssignment` of the program gives it a role as
 * well
 */
export function noteList(
  kind: ActorKind,
  id: string,
  { assignedRoleIds }: PropertyMap,
  session: Session,
): void {
  const list = assignedRoleIds ?? undefined;
  const assigned = ownersOf(session)[kind].noteOwn(id, list);
  if (list !== undefined && assigned !== undefined) throw new Error(conflictOf(kind, id, assigned));
}

/**
 * @param id the id of the key or user; undefined while a preview does not know it
 * @returns a failure if the key or member declares `assignedRoleIds`, and a warning if it may do so
 */
export function noteAssignment(
  kind: ActorKind,
  id: string | undefined,
  roleId: unknown,
  session: Session,
): { readonly failure?: string; readonly warning?: string } {
  const { own, coming } = ownersOf(session)[kind].noteOther(id, roleId);
  if (id !== undefined) return own === undefined ? {} : { failure: conflictOf(kind, id, roleId) };
  const mayHave = (list: unknown) =>
    Array.isArray(list) && (isUnknown(roleId) ? containsUnknown(list) : list.includes(roleId));
  return coming.some(mayHave)
    ? {
        warning: `${kind === "user" ? "a member" : "a key"} of the program may declare the same role in its assignedRoleIds, which is refused then; declare it in one of the two`,
      }
    : {};
}

/** Whether a key or member declares a role in its `assignedRoleIds`, as after a move from a `RoleAssignment` that is deleted. */
export function isInList(kind: ActorKind, id: string, roleId: string, session: Session): boolean {
  const list = ownersOf(session)[kind].ownOf(id);
  return Array.isArray(list) && list.some((other) => isSameId(other, roleId));
}

/**
 * The message about a role that is declared twice names a member by the user's id, since messages of other resources must not
 * show the member's e-mail address.
 */
function conflictOf(kind: ActorKind, id: string, roleId: unknown): string {
  const title = kind === "user" ? `the member of user ${id}` : `API key ${id}`;
  return `${title} declares assignedRoleIds, which are all of its roles, and a RoleAssignment gives it ${typeof roleId === "string" ? `role ${roleId}` : "another role"}; declare the role in assignedRoleIds, or leave those out`;
}
