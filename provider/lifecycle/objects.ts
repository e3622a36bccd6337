import {
  IncompleteList,
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  MissingRoute,
} from "../api/errors";
import type { OperationName } from "../api/operations";
import { type Data, isSameId } from "./data";
import type { Context, Contract, ResourceOperations } from "./resource";
import { undocumentedOperation } from "./session";

/** What the objects of a collection are called, and the operations on them. */
export interface Collection extends Pick<Contract, "noun"> {
  readonly operations: Required<ResourceOperations>;
}

/**
 * One object, from the list that all reads of its collection share. It is gone only if a successful list lacks it or
 * the API says so in its own words; every other failure is thrown, so that the state stays.
 */
export async function lookUp(
  { operations }: Pick<Contract, "operations">,
  id: string,
  { session, scope }: Context,
): Promise<Data | "gone" | "unseen"> {
  let unclear: unknown;
  if (operations.list && session.allows(operations.list)) {
    try {
      return (await session.find(operations.list, scope, id)) ?? "gone";
    } catch (error) {
      // The list is missing or incomplete, or the service is said to be gone: ask for the object itself.
      const isUnclear = [MissingRoute, MissingObject, IncompleteList].some((type) => error instanceof type);
      if (!isUnclear) throw error;
      unclear = error;
    }
  }
  if (!session.allows(operations.get)) return "unseen";
  try {
    const answer = (await session.call(operations.get, { ...scope, id })) as Data;
    return aboutObject(answer, operations.get, id, session);
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error;
    // A gateway that has lost the route answers the same 404, but not one that just served part of the list.
    if (error.isCertain || unclear instanceof IncompleteList) return "gone";
    throw unclear ?? error;
  }
}

/**
 * All objects of a type, each with the `id` of its resource; `unseen` if the settings leave no way to look.
 *
 * @throws ApiError if the service refuses, does not answer, or answers a part of a list
 */
export async function listObjects(
  { operations }: Pick<Contract, "operations">,
  { session, scope }: Context,
): Promise<readonly Data[] | "unseen"> {
  const { list, get } = operations;
  if (!session.allows(list ?? get)) return "unseen";
  if (list) return session.list(list, scope);
  try {
    return [{ ...((await session.call(get, scope)) as Data), id: scope.serviceId }];
  } catch (error) {
    if (error instanceof MissingObject) return [];
    throw error;
  }
}

/** Deletes an object; succeeds if it is already gone. */
export async function deleteObject(collection: Collection, id: string, context: Context): Promise<void> {
  const { noun, operations } = collection;
  const { session, scope } = context;
  if (!session.allows(operations.delete)) {
    session.warnOnce(`${noun}s are not deleted, since that needs ${undocumentedOperation}`);
    session.warnOnce(`${noun} ${id} stays in the service`);
    return;
  }
  try {
    await session.call(operations.delete, { ...scope, id });
  } catch (error) {
    if (error instanceof MissingObject && error.isCertain) return;
    // These may mean that the object is gone, or something else entirely: only a list can tell.
    const isUnclear = [MissingObject, MissingRoute, InvalidIdentifier].some((type) => error instanceof type);
    if (isUnclear && (await lookUp(collection, id, context)) === "gone") return;
    throw error;
  }
}

/** The answer of an operation, if it is about the object that was asked for. */
export function aboutObject(
  answer: Data,
  operation: OperationName,
  id: string,
  session: Context["session"],
): Data {
  if (isSameId(answer.id, id)) return answer;
  throw new MalformedResponse(session.siteOf(operation), `the answer describes another object, not ${id}`);
}
