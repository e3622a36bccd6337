import {
  IncompleteList,
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  MissingRoute,
} from "../api/errors";
import type { OperationName, PathParameters } from "../api/operations";
import { type Data, isSameId } from "./data";
import { type Session, undocumentedOperation } from "./session";

/** The operations on objects of one kind. */
export interface Collection {
  /** What one object is called in a message: "alert". */
  readonly noun: string;
  readonly create: "createKey" | "createAlert" | "createDashboard";
  readonly list: ListOperation;
  readonly get: "getKey" | "getAlert" | "getDashboard";
  readonly remove: "deleteKey" | "deleteAlert" | "deleteDashboard";
}

type ListOperation = "listKeys" | "listAlerts" | "listDashboards";

/**
 * One object, from the list that all reads of its collection share. It is gone only where a successful list lacks it or
 * the API says so in words that only it has; every other failure is thrown, so that the state stays.
 */
export async function lookUp(
  session: Session,
  collection: Collection,
  parameters: PathParameters,
  id: string,
): Promise<Data | "gone" | "unseen"> {
  let unclear: unknown;
  if (session.allows(collection.list)) {
    try {
      return byId(await session.list(collection.list, parameters)).get(id.toLowerCase()) ?? "gone";
    } catch (error) {
      // A server without the list or with a part of it, or one that says that the service is gone: the object can tell.
      const isUnclear = [MissingRoute, MissingObject, IncompleteList].some((type) => error instanceof type);
      if (!isUnclear) throw error;
      unclear = error;
    }
  }
  if (!session.allows(collection.get)) return "unseen";
  try {
    return aboutObject(
      session,
      collection.get,
      await session.call(collection.get, { ...parameters, id }),
      id,
    );
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error;
    // A gateway without the route may say the same, but not one that has let a part of the list through.
    if (error.isCertain || unclear instanceof IncompleteList) return "gone";
    throw unclear ?? error;
  }
}

const indexes = new WeakMap<readonly Data[], ReadonlyMap<string, Data>>();

/** The objects of a list by their ids in lower case: thousands of reads look into the same one. */
function byId(objects: readonly Data[]): ReadonlyMap<string, Data> {
  const index =
    indexes.get(objects) ?? new Map(objects.map((object) => [String(object.id).toLowerCase(), object]));
  indexes.set(objects, index);
  return index;
}

/** Removes one object; it is no mistake if it is gone already. */
export async function remove(
  session: Session,
  collection: Collection,
  parameters: PathParameters,
  id: string,
): Promise<void> {
  if (!session.allows(collection.remove)) {
    session.warnOnce(`no ${collection.noun} is deleted: that takes ${undocumentedOperation}`);
    session.warnOnce(`the ${collection.noun} ${id} is left in the service`);
    return;
  }
  try {
    await session.call(collection.remove, { ...parameters, id });
  } catch (error) {
    if (error instanceof MissingObject && error.isCertain) return;
    // These may mean that the object is gone, or something else entirely: only a list can tell.
    const isUnclear = [MissingObject, MissingRoute, InvalidIdentifier].some((type) => error instanceof type);
    if (isUnclear && (await lookUp(session, collection, parameters, id)) === "gone") return;
    throw error;
  }
}

/** The answer of an operation, if it is about the object that was asked for. */
export function aboutObject(session: Session, name: OperationName, answer: Data, id: string): Data {
  if (isSameId(answer.id, id)) return answer;
  throw new MalformedResponse(session.siteOf(name), `the answer is about another object than ${id}`);
}
