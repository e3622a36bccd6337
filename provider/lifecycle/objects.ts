import {
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  MissingRoute,
  mayHaveHappened,
  PossiblyCreated,
} from "../api/errors";
import { type Answer, type OperationName, operations, type PathParameters } from "../api/operations";
import type { Data } from "./data";
import type { Session } from "./session";

/** The operations that show and remove objects of one kind. */
export interface Collection {
  /** What one object is called in a message: "alert". */
  readonly noun: string;
  readonly list: ListOperation;
  readonly get: "getKey" | "getAlert" | "getDashboard";
  readonly remove: "deleteKey" | "deleteAlert" | "deleteDashboard";
}

type ListOperation = "listKeys" | "listAlerts" | "listDashboards";

/**
 * One object, from the list that all reads of its collection share. It is gone only where a successful list lacks it or
 * the API says so in its own words; every other failure is thrown, so that the state stays.
 */
export async function lookUp(
  session: Session,
  collection: Collection,
  parameters: PathParameters,
  id: string,
): Promise<Data | "gone" | "unseen"> {
  if (session.allows(collection.list)) {
    try {
      const objects = await session.list(collection.list, parameters);
      return objects.find((object) => object.id === id) ?? "gone";
    } catch (error) {
      if (!(error instanceof MissingRoute)) throw error;
    }
  }
  if (!session.allows(collection.get)) return "unseen";
  try {
    const object = await session.call(collection.get, { ...parameters, id });
    if (object.id === id) return object;
    throw new MalformedResponse(
      siteOf(collection.get),
      `the answer is about another ${collection.noun} than ${id}`,
    );
  } catch (error) {
    if (error instanceof MissingObject) return "gone";
    throw error;
  }
}

/** Removes one object; it is no mistake if it is gone already. */
export async function remove(
  session: Session,
  collection: Collection,
  parameters: PathParameters,
  id: string,
): Promise<void> {
  if (!session.allows(collection.remove)) {
    session.warnOnce(
      `the ${collection.noun} ${id} is left in the service: deleting it takes an operation that the API document does not show, which "operations: documented" rules out`,
    );
    return;
  }
  try {
    await session.call(collection.remove, { ...parameters, id });
  } catch (error) {
    if (error instanceof MissingObject) return;
    // These two may mean that the object is gone, or something else entirely: only a list can tell.
    const unclear = error instanceof InvalidIdentifier || error instanceof MissingRoute;
    if (unclear && (await lookUp(session, collection, parameters, id)) === "gone") return;
    throw error;
  }
}

function siteOf(name: OperationName) {
  return { operation: name, method: operations[name].method, path: operations[name].path };
}

/**
 * Calls an operation that creates an object, once. Where the call fails although it may have been carried out, the
 * error says what may have been left in the service and what to do about it.
 */
export async function createOnce<Name extends "createAlert" | "createDashboard" | "createKey">(
  session: Session,
  name: Name,
  parameters: PathParameters,
  body: Data,
  leftBehind: string,
): Promise<Answer<Name>> {
  try {
    return await session.call(name, parameters, body);
  } catch (error) {
    if (!mayHaveHappened(error)) throw error;
    throw new PossiblyCreated(`${error.message}\nThe request may have been carried out: ${leftBehind}`);
  }
}
