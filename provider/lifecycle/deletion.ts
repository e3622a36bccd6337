import { InvalidIdentifier, MalformedResponse, MissingObject, MissingRoute } from "../api/errors";
import { ifServed, type Observable, observe, Unseen } from "./observe";
import { type Context, type Contract, resourceKey } from "./resource";
import type { State } from "./state";
import { deletedBy } from "./users";

/** Deletes an object; succeeds if it is already gone. An object without an operation for it stays as it is. */
export async function deleteObject(
  resource: Observable & Pick<Contract, "type">,
  id: string,
  state: State,
  context: Context,
): Promise<void> {
  const { session, scope } = context;
  if (!resource.operations.delete) return;
  let requests = 0;
  try {
    await session.call(resource.operations.delete, { ...scope, id }, undefined, () => requests++);
  } catch (error) {
    if (!mayBeGone(error)) throw error;
    const isDenied = error instanceof MissingObject;
    // A repeated request does not find what the lost one before it has deleted.
    const isDeleted = isDenied && (requests > 1 || deletedBy(session).has(resourceKey(resource, id)));
    const found = await ifServed(observe(resource, id, context, { state, isDenied, isDeleted }));
    if (found instanceof Unseen && !(found.reason instanceof MissingRoute)) throw found.reason;
    if (found !== "gone") throw error;
  }
}

/** Whether a deletion failed in a way that may mean that the object is gone, or something else entirely: a look tells. */
function mayBeGone(error: unknown): boolean {
  const types = [MissingObject, MissingRoute, InvalidIdentifier, MalformedResponse];
  return types.some((type) => error instanceof type);
}
