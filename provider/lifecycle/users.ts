import { Interrupted } from "../api/errors";
import type { ListOperation } from "../api/operations";
import { type Data, isObject, isSameId } from "../values/data";
import { counted, enumerated, plural } from "../values/wording";
import { type Context, type Contract, resourceKey } from "./resource";
import type { Session } from "./session";

/** The ids in these members of an object, as a service answers it. */
export function idsIn(object: unknown, members: readonly string[], isId = false): unknown[] {
  if (Array.isArray(object)) return object.flatMap((entry) => idsIn(entry, members, isId));
  if (!isObject(object)) return isId ? [object] : [];
  return Object.entries(object).flatMap(([name, member]) => idsIn(member, members, members.includes(name)));
}

/**
 * Warns of what still uses an object that is about to be deleted. What this run has deleted before counts no more, so what
 * a destroy takes away in the right order is not named. Costs one list of each using type for all deletions of a run.
 *
 * @returns to be called once the object is deleted
 */
export async function warnOfUsers(contract: Contract, id: string, context: Context): Promise<() => void> {
  const { session } = context;
  const deleted = deletedBy(session);
  const along: string[] = [resourceKey(contract, id)];
  for (const user of contract.users?.() ?? []) {
    const keyOf = (object: Data) => resourceKey(user.contract, String(object.id));
    const found = (await existing(user.contract.operations.list, contract, context)).filter(
      (object) =>
        !deleted.has(keyOf(object)) &&
        !along.includes(keyOf(object)) &&
        idsIn(object, user.members).some((other) => isSameId(other, id)),
    );
    if (found.length === 0) continue;
    const users = `${counted(found.length, user.contract.noun)}: ${enumerated(found, ["id"])}`;
    session.warnOnce(`${contract.noun} ${id} is still used by ${users}. ${user.consequence}`);
    if (user.isDeletedToo) along.push(...found.map(keyOf));
  }
  return () => {
    for (const key of along) deleted.add(key);
  };
}

/** Keys of the objects that this run has deleted, and of those that the service has deleted with them. */
export function deletedBy(session: Session): Set<string> {
  return session.shared("deleted by this run", () => new Set<string>());
}

/** The objects that may use others; none where there is no list of them. */
async function existing(
  list: ListOperation | undefined,
  { noun }: Contract,
  context: Context,
): Promise<readonly Data[]> {
  const { session } = context;
  if (!list) return [];
  try {
    return await session.listBeforeDeletions(list, context.scope);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    session.warnOnce(`cannot tell what still uses ${plural(noun)}: ${(error as Error).message}`);
    return [];
  }
}
