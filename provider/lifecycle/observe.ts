import {
  ApiError,
  IncompleteList,
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  MissingRoute,
  NotShownYet,
} from "../api/errors";
import type { ListOperation, ObjectOperation, OperationName } from "../api/operations";
import { isNew } from "../values/age";
import { isSameId, type PropertyMap } from "../values/data";
import type { Collection, Definition } from "./definition";
import type { AsOf, Reading } from "./lists";
import { type Context, namesOf } from "./scope";
import type { Session } from "./session";
import { isSeen, type Observed, type State, stampIn, Unseen } from "./state";

interface Look {
  /** The last known Pulumi state of the object. Default: none is known. */
  readonly state?: State;
  /**
   * How fresh the list has to be in which the object is looked for. Default: `run`, the list that the reads of a Pulumi run
   * share.
   */
  readonly asOf?: AsOf;
  /** Whether the list may show an outdated version of the object, so that the object is read by its id. */
  isDoubtful?(entry: PropertyMap): boolean;
  /** Whether the API has just answered a delete request with the statement that the object does not exist. */
  readonly isDenied?: boolean;
  /** Whether this process may just have deleted the object: missing then means gone, however new the object is. */
  readonly isDeleted?: boolean;
}

export interface Observable extends Pick<Definition, "noun" | "operations" | "isCascadeDeleted" | "listed"> {
  /** A property that every object has: a list or answer without it shows only a part of the object. Default: none is known. */
  readonly completenessField?: string;
}

/**
 * The id of an object that was just read, in small letters if people have written it in capitals and the list has not. A list matches
 * both, and the path of a write need not. A list in capitals proves nothing: some servers write only their lists so.
 */
export function spelledId(
  { operations: { list } }: Pick<Definition, "operations">,
  id: string,
  { session, scope }: Context,
): string {
  const listed = list && session.lists.latest(list, scope)?.find((object) => isSameId(object.id, id));
  const shown = String(listed?.id ?? id);
  return shown === shown.toLowerCase() ? shown : id;
}

/** Parts of the messages about an object so new that lists and reads may not show it yet. */
export const recently = "which was created less than 3 minutes ago";
export const tryLater = "try again in 3 minutes";
export const mayLag = `reads may lag behind, or somebody has deleted it; ${tryLater}`;

/**
 * Reads an object from the API. It is gone only if two reads agree: a complete list lacks it, and the API itself says that it
 * does not exist. If the API has only a list, the second read is another list; for a singleton it reads its service. Besides,
 * the object must be older than the time by which reads may lag, or the API must have deleted it along with another.
 *
 * @throws ApiError if a read fails
 */
export async function observe(
  resource: Observable,
  id: string,
  context: Context,
  look: Look = {},
): Promise<Observed> {
  const { list, get } = resource.operations;
  const observed = await (list
    ? observeMember(resource as Observable & Collection, id, context, look)
    : get === "getService"
      ? observeService(context, look)
      : observeSingleton(resource, context, look));
  const { state = {}, isDeleted } = look;
  if (observed !== "gone" || isDeleted) return observed;
  const unseen = notShownYet(resource, id, state, context.session);
  if (!unseen || (await resource.isCascadeDeleted?.(state, context, look.isDenied === true))) return "gone";
  return unseen;
}

/** The reason why an unseen object is not gone: it is so new that reads may lag. Undefined if the object is gone. */
export function notShownYet(
  resource: Observable,
  id: string,
  state: State,
  session: Session,
): Unseen | undefined {
  if (!isNew({ createdAt: state.createdAt, id }, stampIn(state))) return undefined;
  return new Unseen(tooNew(resource, id, session));
}

function tooNew({ noun, operations }: Observable, id: string, session: Session): NotShownYet {
  return new NotShownYet(
    session.siteOf(operations.get ?? (operations.list as ListOperation)),
    `the service does not show ${noun} ${id}, ${recently}: ${mayLag}`,
  );
}

/** Reads a service of ClickHouse Cloud. All these reads share one list of the organization's services. */
function observeService(
  { session, scope }: Context,
  { isDoubtful }: Pick<Look, "isDoubtful">,
  asOf: AsOf = "run",
): Promise<Observed> {
  const { organizationId, serviceId = "" } = scope;
  return lookTwice({
    first: () => session.lists.find("listServices", { organizationId }, serviceId, asOf),
    // An API key that manages a service may lack the permission to list services, so a failed list of services is no error.
    mayFail: (error) => error instanceof ApiError,
    isEnough: (entry) => !isDoubtful?.(entry),
    second: async () =>
      aboutObject(await session.call("getService", scope), "getService", serviceId, session),
    // On a server without a list of services, the API's answer that the service does not exist is enough proof that it is gone.
    isProof: (denial, unclear) => unclear instanceof MissingRoute && isNamed("service", denial),
  });
}

async function observeMember(
  { operations, completenessField, listed }: Observable & Collection,
  id: string,
  context: Context,
  { asOf = "run", isDoubtful, isDenied, isDeleted }: Look,
): Promise<Observed> {
  const { get } = operations;
  const inList = async (from: AsOf) => {
    const entry = listed
      ? (await listed(context, from, id)).find((object) => isSameId(object.id, id))
      : await context.session.lists.find(operations.list, context.scope, id, from);
    return entry && { ...entry, id };
  };
  if (!get) return (await inList(asOf)) ?? (isDenied ? undefined : await inList("now")) ?? "gone";
  return lookTwice({
    first: () => inList(asOf),
    mayFail: isInconclusive,
    isEnough: (entry) => isWhole(entry, completenessField) && !isDoubtful?.(entry),
    second: () => objectItself(get, id, context),
    // Where a deletion is known, the length of a list that lacks the object is no reason to doubt it.
    isProof: (_, unclear) =>
      unclear instanceof IncompleteList && unclear.isGuess && (isDenied || isDeleted) === true,
    // A list with only a part of the object cannot replace reading the object: the missing properties would show as drift.
    fallsBack: (entry) => isWhole(entry, completenessField),
  });
}

async function observeSingleton(
  { noun, operations }: Observable,
  context: Context,
  { asOf }: Look,
): Promise<Observed> {
  try {
    return await context.session.call(operations.get as ObjectOperation, context.scope);
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error;
    if (!isNamed(noun, error) && !hasCode(error))
      throw new MissingRoute(
        error.site,
        `${error.reason}; the API itself would say NOT_FOUND or name the ${noun}, so check the setting baseUrl`,
      );
    // Each write makes the list of a run stale, so the creates of many singletons share another one.
    const isWriting = asOf === "write" && context.session.hasWritten;
    const service = await observeService(context, {}, isWriting ? "write" : "run");
    return isSeen(service) ? "gone" : service;
  }
}

/**
 * Whether the API's answer that an object does not exist names the kind of object, such as "alert": proxies and web frameworks
 * also answer "Not Found".
 */
function isNamed(noun: string, denial: MissingObject): boolean {
  return denial.says(new RegExp(noun.replace(" ", "\\W?"), "i"));
}

/** Whether the API's statement that an object does not exist begins with the error code of the API. */
function hasCode(denial: MissingObject): boolean {
  return denial.says(/^NOT_FOUND\b/);
}

interface TwoLooks {
  /** The first look: finds the object in the API's list. */
  first(): Promise<PropertyMap | undefined>;
  /**
   * Whether a failure of the list request is ignored. Then reading the object by its id alone decides whether the object
   * exists.
   */
  mayFail(error: unknown): boolean;
  /** Whether the object in the list is complete and fresh, so that it need not be read by its id. */
  isEnough(entry: PropertyMap): boolean;
  second(): Promise<PropertyMap>;
  /**
   * Whether the API's answer that the object does not exist is proof even though the list request failed. Default: it is not.
   */
  isProof?(denial: MissingObject, unclear: ApiError): boolean;
  /** Whether the object in the list is returned if reading it by its id does not tell whether it exists. Default: it is not. */
  fallsBack?(entry: PropertyMap): boolean;
}

async function lookTwice({
  first,
  mayFail,
  isEnough,
  second,
  isProof,
  fallsBack,
}: TwoLooks): Promise<Observed> {
  let entry: PropertyMap | undefined;
  let unclear: ApiError | undefined;
  try {
    entry = await first();
  } catch (error) {
    if (!mayFail(error)) throw error;
    unclear = error as ApiError;
  }
  if (entry && isEnough(entry)) return entry;
  try {
    return await second();
  } catch (error) {
    if (entry && fallsBack?.(entry) && isInconclusive(error)) return entry;
    // The server has no route to read the object by its id. A list that lacks the object does not prove alone that the object
    // is gone.
    if (error instanceof MissingRoute && !unclear && !entry) return new Unseen(error);
    // Some API routes answer that the id of a missing object is invalid, so this answer, too, says that the object does not
    // exist.
    const denies = error instanceof MissingObject || error instanceof InvalidIdentifier;
    if (entry || !denies) throw error;
    if (unclear && error instanceof MissingObject && isProof?.(error, unclear)) return "gone";
    return unclear ? new Unseen(error instanceof MissingObject ? unclear : error) : "gone";
  }
}

/** Whether a list or an answer shows the whole object, by a property that every object has. */
export function isWhole(object: PropertyMap, completenessField: string | undefined): boolean {
  return completenessField === undefined || (object[completenessField] ?? undefined) !== undefined;
}

/** Whether a read's error may mean that the object or its API route is missing, so that a second read has to decide. */
function isInconclusive(error: unknown): boolean {
  if (error instanceof MissingRoute || error instanceof IncompleteList) return true;
  return error instanceof ApiError && error.site.status === 404;
}

async function objectItself(
  get: ObjectOperation,
  id: string,
  { session, scope }: Context,
): Promise<PropertyMap> {
  const answer = await session.call(get, { ...scope, ...namesOf(id, scope) });
  return { ...aboutObject(answer, get, id, session), id };
}

/** @throws MalformedResponse if the API's answer is about another object than the requested one */
export function aboutObject<Answered extends PropertyMap>(
  answer: Answered,
  operation: OperationName,
  id: string,
  session: Session,
): Answered {
  if (isSameId(answer.id, id)) return answer;
  throw new MalformedResponse(session.siteOf(operation), `the answer describes another object, not ${id}`);
}

/** The answer of a read; undefined if the server has no route for it. All other failures are thrown. */
export async function ifServed<Answer>(look: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof MissingRoute) return undefined;
    throw error;
  }
}

/**
 * Lists all objects of a type of resource, each with the `id` of its resource.
 * @throws ApiError if the service refuses, does not answer, answers an incomplete list, or lacks the singleton (such as a query
 * endpoint)
 */
export async function listObjects(
  { operations, listed }: Pick<Observable, "operations" | "listed">,
  context: Context,
  reading?: Reading,
): Promise<readonly PropertyMap[]> {
  const { session, scope } = context;
  if (listed) return listed(context, "run");
  if (operations.list) return session.lists.read(operations.list, scope, reading);
  const object = await session.call(operations.get as ObjectOperation, scope);
  return [{ ...object, id: scope.serviceId }];
}
