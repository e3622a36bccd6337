import {
  ApiError,
  IncompleteList,
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  MissingRoute,
} from "../api/errors";
import type { ListOperation, OperationName } from "../api/operations";
import { type Data, isSameId } from "./data";
import { creationTimeOf, hasJustCreated } from "./ledger";
import type { Collection, Context, Contract } from "./resource";

/** What is known of an object before a look at it. */
interface Known {
  /** When the service created it, as far as the state knows. */
  readonly createdAt?: unknown;
  /** Whether the API has just said in its own words that there is no such object. */
  readonly isDenied?: boolean;
}

/**
 * One object, from the list that all reads of its collection share. It is gone only if two looks agree: a complete list
 * lacks it, and the API says in its own words that there is no such object. Where the API
 * shows objects in lists alone, the second look is another list. Every other failure is thrown, so that the state stays.
 */
export async function lookUp(
  { operations }: Pick<Contract, "operations">,
  id: string,
  { session, scope }: Context,
  { createdAt, isDenied = false }: Known = {},
): Promise<Data | "gone"> {
  const { list, get } = operations;
  let unclear: unknown;
  if (list) {
    try {
      const found = await session.find(list, scope, id);
      if (found) return found;
      if (!get && isDenied) return "gone";
      if (!get) return await lookUpInNextList(list, id, { session, scope }, createdAt);
    } catch (error) {
      if (!get || !leavesOpen(error)) throw error;
      unclear = error;
    }
  }
  if (!get) throw new TypeError("nothing shows the object");
  try {
    return await objectItself(get, id, { session, scope });
  } catch (error) {
    // Some routes call the id of a missing object invalid.
    if (error instanceof InvalidIdentifier && list && !unclear) return "gone";
    if (!(error instanceof MissingObject)) throw error;
    if (unclear) throw unclear;
    return "gone";
  }
}

/** For so many milliseconds after its creation lists may lack an object, the difference of the clocks included. */
const longestLag = 180_000;

/** @throws IncompleteList if the object was created a moment ago: whether lists lag or it was deleted, nothing tells */
async function lookUpInNextList(
  list: ListOperation,
  id: string,
  { session, scope }: Context,
  createdAt: unknown,
): Promise<Data | "gone"> {
  const found = await session.findFresh(list, scope, id);
  const time = creationTimeOf({ createdAt, id });
  const isNew = time !== undefined && Math.abs(Date.now() - time) < longestLag;
  if (!found && (isNew || hasJustCreated(session, id)))
    throw new IncompleteList(
      session.siteOf(list),
      `the list lacks ${id}, which was created less than 3 minutes ago: it may lag behind, or somebody has deleted ${id}; try again in 3 minutes`,
      [],
      false,
    );
  return found ?? "gone";
}

/** Whether a look failed because what it asks for, or what that belongs to, is not there: another one may tell more. */
export function leavesOpen(error: unknown): boolean {
  if (error instanceof MissingRoute || error instanceof IncompleteList) return true;
  return error instanceof ApiError && error.site.status === 404;
}

/**
 * What a look shows; undefined where the server has no route for it.
 *
 * @throws every other failure
 */
export async function ifServed<Shown>(look: Promise<Shown>): Promise<Shown | undefined> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof MissingRoute) return undefined;
    throw error;
  }
}

/**
 * All objects of a type, each with the `id` of its resource.
 *
 * @throws ApiError if the service refuses, does not answer, or answers a part of a list
 */
export async function listObjects(
  { operations }: Pick<Contract, "operations">,
  { session, scope }: Context,
): Promise<readonly Data[]> {
  const { list, get } = operations;
  if (list) return session.list(list, scope);
  if (!get) return [];
  try {
    return [{ ...((await session.call(get, scope)) as Data), id: scope.serviceId }];
  } catch (error) {
    if (error instanceof MissingObject) return [];
    throw error;
  }
}

/** Deletes an object; succeeds if it is already gone. */
export async function deleteObject(
  collection: Collection,
  id: string,
  context: Context,
  createdAt?: unknown,
): Promise<void> {
  const { session, scope } = context;
  try {
    await session.call(collection.operations.delete, { ...scope, id });
  } catch (error) {
    if (!mayBeGone(error)) throw error;
    const known = { createdAt, isDenied: error instanceof MissingObject };
    if ((await ifServed(lookUp(collection, id, context, known))) !== "gone") throw error;
  }
}

/** Whether a deletion failed in a way that may mean that the object is gone, or something else entirely: a look tells. */
export function mayBeGone(error: unknown): boolean {
  const types = [MissingObject, MissingRoute, InvalidIdentifier, MalformedResponse];
  return types.some((type) => error instanceof type);
}

/** An object as the service shows it by itself. */
export async function objectItself(
  get: OperationName,
  id: string,
  { session, scope }: Context,
): Promise<Data> {
  const answer = (await session.call(get, { ...scope, id })) as Data;
  return aboutObject(answer, get, id, session);
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
