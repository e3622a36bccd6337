import {
  ApiError,
  IncompleteList,
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  MissingRoute,
  NotShownYet,
} from "../api/errors";
import type { ListOperation, OperationName, PathParameters } from "../api/operations";
import { isNew } from "../values/age";
import { type Data, isSameId } from "../values/data";
import type { AsOf } from "./lists";
import type { Collection, Definition } from "./resource";
import type { Context, Scope } from "./scope";
import type { Session } from "./session";
import { isSeen, type Observed, type State, stampIn, Unseen } from "./state";

/** How to look at an object in the service. */
interface Look {
  /** The last known state of the object. Default: none is known. */
  readonly state?: State;
  /** How fresh the list has to be. Default: `run`. */
  readonly asOf?: AsOf;
  /** Whether the list may show an outdated object: the object is then read by itself. */
  isDoubtful?(entry: Data): boolean;
  /** Whether the service has just answered a deletion with the statement that the object does not exist. */
  readonly isDenied?: boolean;
  /** Whether this process may have deleted the object just now. Then a missing object is gone, however new it is. */
  readonly isDeleted?: boolean;
}

/** The parts of a resource that looking at its objects needs. */
export interface Observable extends Pick<Definition, "noun" | "operations" | "isDeletedAlong" | "listed"> {
  /** A member that every object has: a list or answer without it shows only a part. Default: none is known. */
  readonly sureMember?: string;
}

/** Parts of the messages about an object that lists and reads may not show yet. */
export const recently = "which was created less than 3 minutes ago";
export const tryLater = "try again in 3 minutes";
export const mayLag = `reads may lag behind, or somebody has deleted it; ${tryLater}`;

/**
 * Looks at an object in the service. The object is gone only if two looks agree: a complete list lacks it, and the API
 * itself says that it does not exist. If the API has only lists for the type, the second look is another list; for a
 * singleton it is a look at its service. Besides, the object has to be older than the lag of reads, or to have been
 * deleted along with another one.
 *
 * @throws ApiError if a look fails
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
      : observeSingleton(resource, context));
  const { state = {}, isDeleted } = look;
  if (observed !== "gone" || isDeleted) return observed;
  const unseen = notShownYet(resource, id, state, context.session);
  if (!unseen || (await resource.isDeletedAlong?.(state, context, look.isDenied === true))) return "gone";
  return unseen;
}

/**
 * The reason why an object that no look shows does not count as gone: it was created so recently that reads may lag.
 * Undefined if it is gone.
 */
export function notShownYet(
  resource: Observable,
  id: string,
  state: State,
  session: Session,
): Unseen | undefined {
  if (!isNew({ createdAt: state.createdAt, id }, stampIn(state))) return undefined;
  return new Unseen(tooNew(resource, id, session));
}

/** The error about an object that was created a moment ago, and that neither a list nor a read shows. */
function tooNew({ noun, operations }: Observable, id: string, session: Session): NotShownYet {
  return new NotShownYet(
    session.siteOf(operations.get ?? (operations.list as ListOperation)),
    `the service does not show ${noun} ${id}, ${recently}: ${mayLag}`,
  );
}

/** Looks at a service. One list of an organization's services serves all these looks. */
function observeService({ session, scope }: Context, { isDoubtful }: Look = {}): Promise<Observed> {
  const { organizationId, serviceId = "" } = scope;
  return lookTwice({
    first: () => session.lists.find("listServices", { organizationId }, serviceId),
    // A key that manages a service may lack the permission to list services, so a failed list is no error.
    mayFail: (error) => error instanceof ApiError,
    isEnough: (entry) => !isDoubtful?.(entry),
    second: async () =>
      aboutObject(await session.call("getService", scope), "getService", serviceId, session),
    // Where a server has no list of services, the answer to reading the service is enough.
    isProof: (denial, unclear) => unclear instanceof MissingRoute && isNamed("service", denial),
  });
}

async function observeMember(
  { operations, sureMember, listed }: Observable & Collection,
  id: string,
  context: Context,
  { asOf = "run", isDoubtful, isDenied }: Look,
): Promise<Observed> {
  const { get } = operations;
  const inList = async (from: AsOf) => {
    const entry = listed
      ? (await listed(context, from)).find((object) => isSameId(object.id, id))
      : await context.session.lists.find(operations.list, context.scope, id, from);
    return entry && { ...entry, id };
  };
  if (!get) return (await inList(asOf)) ?? (isDenied ? undefined : await inList("now")) ?? "gone";
  return lookTwice({
    first: () => inList(asOf),
    mayFail: isInconclusive,
    isEnough: (entry) => isWhole(entry, sureMember) && !isDoubtful?.(entry),
    second: () => objectItself(get, id, context),
    // A list that shows only a part of the object cannot stand in: missing members would show as drift.
    fallsBack: (entry) => isWhole(entry, sureMember),
  });
}

async function observeSingleton({ noun, operations }: Observable, context: Context): Promise<Observed> {
  try {
    return (await context.session.call(operations.get as OperationName, context.scope)) as Data;
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error;
    if (!isNamed(noun, error) && !hasCode(error))
      throw new MissingRoute(
        error.site,
        `${error.reason}; the API itself would say NOT_FOUND or name the ${noun}, so check the setting baseUrl`,
      );
    const service = await observeService(context);
    return isSeen(service) ? "gone" : service;
  }
}

/**
 * Whether the API's denial names the missing noun. Proxies and web frameworks also answer "Not Found", in many
 * envelopes.
 */
function isNamed(noun: string, { reason }: MissingObject): boolean {
  return new RegExp(noun.replace(" ", "\\W?"), "i").test(reason);
}

/** Whether the denial begins with the error code of the API. */
function hasCode({ reason }: MissingObject): boolean {
  return /^NOT_FOUND\b/.test(reason);
}

interface TwoLooks {
  /** Looks for the object in a list. */
  first(): Promise<Data | undefined>;
  /** Whether an error of the list is ignored, so that only reading the object decides. */
  mayFail(error: unknown): boolean;
  /** Whether the object in the list is complete and fresh, so that it need not be read by itself. */
  isEnough(entry: Data): boolean;
  /** Reads the object by itself. */
  second(): Promise<Data>;
  /** Whether the API's denial counts as proof although the list failed. Default: it does not. */
  isProof?(denial: MissingObject, unclear: ApiError): boolean;
  /** Whether the object in the list counts where reading the object finds nothing. Default: it does not. */
  fallsBack?(entry: Data): boolean;
}

async function lookTwice({
  first,
  mayFail,
  isEnough,
  second,
  isProof,
  fallsBack,
}: TwoLooks): Promise<Observed> {
  let entry: Data | undefined;
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
    // The server has no route to read the object. A list that lacks the object is no proof by itself.
    if (error instanceof MissingRoute && !unclear && !entry) return new Unseen(error);
    // Some routes answer that the id of a missing object is invalid.
    const denies = error instanceof MissingObject || error instanceof InvalidIdentifier;
    if (entry || !denies) throw error;
    if (unclear && error instanceof MissingObject && isProof?.(error, unclear)) return "gone";
    return unclear ? new Unseen(error instanceof MissingObject ? unclear : error) : "gone";
  }
}

/** Whether a list or an answer shows the whole object, by a member that every object has. */
export function isWhole(object: Data, sureMember: string | undefined): boolean {
  return sureMember === undefined || (object[sureMember] ?? undefined) !== undefined;
}

/** Whether an error may mean that the object or its route is missing, so that a second look has to decide. */
function isInconclusive(error: unknown): boolean {
  if (error instanceof MissingRoute || error instanceof IncompleteList) return true;
  return error instanceof ApiError && error.site.status === 404;
}

/**
 * The path parameters that name an object. An object that belongs to no service may be a service itself, whose id has
 * its own parameter.
 */
export function namesOf(id: string, { serviceId = id }: Scope): PathParameters {
  return { id, serviceId };
}

async function objectItself(get: OperationName, id: string, { session, scope }: Context): Promise<Data> {
  const answer = (await session.call(get, { ...scope, ...namesOf(id, scope) })) as Data;
  return { ...aboutObject(answer, get, id, session), id };
}

/**
 * Checks that an answer is about the requested object.
 *
 * @throws MalformedResponse if it is about another one
 */
export function aboutObject(answer: Data, operation: OperationName, id: string, session: Session): Data {
  if (isSameId(answer.id, id)) return answer;
  throw new MalformedResponse(session.siteOf(operation), `the answer describes another object, not ${id}`);
}

/**
 * The result of a look; undefined if the server has no route for it.
 *
 * @throws every other failure
 */
export async function ifServed<Answer>(look: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof MissingRoute) return undefined;
    throw error;
  }
}

/**
 * Lists all objects of a type, each with the `id` of its resource.
 *
 * @throws ApiError if the service refuses, does not answer, or answers an incomplete list
 */
export async function listObjects(
  { operations, listed }: Pick<Observable, "operations" | "listed">,
  context: Context,
): Promise<readonly Data[]> {
  const { session, scope } = context;
  if (listed) return listed(context, "run");
  if (operations.list) return session.lists.read(operations.list, scope);
  try {
    const object = (await session.call(operations.get as OperationName, scope)) as Data;
    return [{ ...object, id: scope.serviceId }];
  } catch (error) {
    if (error instanceof MissingObject) return [];
    throw error;
  }
}
