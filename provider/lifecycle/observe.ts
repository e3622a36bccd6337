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

/** How to look at an object. */
interface Look {
  /** The last known state of the object. Default: none is known. */
  readonly state?: State;
  /** The moment that a list has to show. Default: `run`. */
  readonly asOf?: AsOf;
  /** Whether a list shows the object so that it may be out of date: it is then asked for by itself. */
  isDoubtful?(entry: Data): boolean;
  /** Whether the service has just said to a deletion that there is no such object. */
  readonly isDenied?: boolean;
  /** Whether this process may have deleted the object just now, however new it is. */
  readonly isDeleted?: boolean;
}

/** A resource as far as its objects can be looked at. */
export interface Observable extends Pick<Definition, "noun" | "operations" | "isDeletedAlong" | "listed"> {
  /** A member that every object has: a list or an answer without it shows a part. Default: none is known. */
  readonly sureMember?: string;
}

/** How messages say that an object may not show yet, and when it does. */
export const recently = "which was created less than 3 minutes ago";
export const tryLater = "try again in 3 minutes";
export const mayLag = `reads may lag behind, or somebody has deleted it; ${tryLater}`;

/**
 * Looks at an object. It is gone only if it is older than reads lag, or known to have gone with another one, and two looks
 * agree: a complete list lacks it, and the API says in its own words that there is no such object. Where the API shows objects in lists alone, the second look is
 * another list; that of a singleton is one at its service.
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

/** Why an object that no look shows does not count as gone; undefined if it does. */
export function notShownYet(
  resource: Observable,
  id: string,
  state: State,
  session: Session,
): Unseen | undefined {
  if (!isNew({ createdAt: state.createdAt, id }, stampIn(state))) return undefined;
  return new Unseen(tooNew(resource, id, session));
}

/** The error about an object that nothing shows, although this state has it from a moment ago. */
function tooNew({ noun, operations }: Observable, id: string, session: Session): NotShownYet {
  return new NotShownYet(
    session.siteOf(operations.get ?? (operations.list as ListOperation)),
    `the service does not show ${noun} ${id}, ${recently}: ${mayLag}`,
  );
}

/** Looks at the service of a scope. One list serves all looks at the services of an organization. */
function observeService({ session, scope }: Context, { isDoubtful }: Look = {}): Promise<Observed> {
  const { organizationId, serviceId = "" } = scope;
  return lookTwice({
    first: () => session.lists.find("listServices", { organizationId }, serviceId),
    // Nobody needs the permission to list services in order to manage one.
    mayFail: (error) => error instanceof ApiError,
    isEnough: (entry) => !isDoubtful?.(entry),
    second: async () =>
      aboutObject(await session.call("getService", scope), "getService", serviceId, session),
    // A server without a list of services leaves one look.
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
    // The members that a partial answer lacks would show as drift.
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

/** Whether a denial says which noun it is about: frameworks answer "Not Found" in many envelopes, this API's among them. */
function isNamed(noun: string, { reason }: MissingObject): boolean {
  return new RegExp(noun.replace(" ", "\\W?"), "i").test(reason);
}

/** Whether a denial begins as the API's do. */
function hasCode({ reason }: MissingObject): boolean {
  return /^NOT_FOUND\b/.test(reason);
}

interface TwoLooks {
  /** A look at a list. */
  first(): Promise<Data | undefined>;
  /** Whether a failure of it is left to the second look. */
  mayFail(error: unknown): boolean;
  /** Whether an object as the list shows it needs no second look. */
  isEnough(entry: Data): boolean;
  /** A look at the object by itself. */
  second(): Promise<Data>;
  /** Whether the second look's denial counts although the first look failed. Default: it does not. */
  isProof?(denial: MissingObject, unclear: ApiError): boolean;
  /** Whether the list's word counts where the second look finds nothing. Default: it does not. */
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
    // A server without this route may still have a list that lacks the object.
    if (error instanceof MissingRoute && !unclear && !entry) return new Unseen(error);
    // Some routes call the id of a missing object invalid.
    const denies = error instanceof MissingObject || error instanceof InvalidIdentifier;
    if (entry || !denies) throw error;
    if (unclear && error instanceof MissingObject && isProof?.(error, unclear)) return "gone";
    return unclear ? new Unseen(error instanceof MissingObject ? unclear : error) : "gone";
  }
}

/** Whether an object, as a list or an answer shows it, has the member that every object has. */
export function isWhole(object: Data, sureMember: string | undefined): boolean {
  return sureMember === undefined || (object[sureMember] ?? undefined) !== undefined;
}

/** Whether a look failed because its object, or its place, is not there: another look may tell more. */
function isInconclusive(error: unknown): boolean {
  if (error instanceof MissingRoute || error instanceof IncompleteList) return true;
  return error instanceof ApiError && error.site.status === 404;
}

/** The path parameters that name an object. One outside of any service may be a service itself, whose id has its own parameter. */
export function namesOf(id: string, { serviceId = id }: Scope): PathParameters {
  return { id, serviceId };
}

async function objectItself(get: OperationName, id: string, { session, scope }: Context): Promise<Data> {
  const answer = (await session.call(get, { ...scope, ...namesOf(id, scope) })) as Data;
  return { ...aboutObject(answer, get, id, session), id };
}

/** The answer of an operation, if it is about the object that was asked for. */
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
 * All objects of a type, each with the `id` of its resource.
 *
 * @throws ApiError if the service refuses, does not answer, or answers a part of a list
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
