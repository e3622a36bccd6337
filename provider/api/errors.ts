/**
 * The failures of a call, told apart by type. A missing object, a missing route, a refused request, a broken
 * answer and a lost answer need five different reactions, and nobody has to read message texts to tell them apart.
 */

/** The failed call, as needed to find it in the service's logs. */
export interface CallSite {
  /** Name of the operation in the table of operations, such as `createAlert`. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** HTTP status; absent if no answer arrived. */
  readonly status?: number;
  /** `requestId` of the management API's envelope, or the `x-request-id` header. */
  readonly requestId?: string;
  /** Whether the request had been sent before, and may have been carried out then. */
  isRepeated?: boolean;
}

/** A failed call. The message gives the reason, then the request; it never holds a credential. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";

  /**
   * @param reason the cause, in the service's own words if it gave any
   */
  constructor(
    readonly site: CallSite,
    readonly reason: string,
  ) {
    const status = site.status === undefined ? "" : ` answered ${site.status}`;
    const request = site.requestId ? `, request ${site.requestId}` : "";
    super(`${reason} (${site.operation}: ${site.method} ${site.path}${status}${request})`);
  }
}

/** The API itself says that the object does not exist. A complete list has to confirm it before the state drops the object. */
export class MissingObject extends ApiError {
  override readonly name = "MissingObject";
}

/**
 * A redirect or a refusal (3xx, 4xx) that is not in the API's own words: a firewall, a gateway or a proxy answered. Some
 * answer so although they have passed the request on.
 */
export class ForeignRefusal extends ApiError {
  override readonly name: string = "ForeignRefusal";
}

/** A 404 or 405 of a gateway, a wrong address or an older server. It says nothing about the object. */
export class MissingRoute extends ForeignRefusal {
  override readonly name = "MissingRoute";
}

/** The API understood the request and refused it (4xx): it was not carried out. */
export class RefusedRequest extends ApiError {
  override readonly name: string = "RefusedRequest";
}

/** A 400 about the id in the path: some routes answer this for a missing object, others for a malformed id. */
export class InvalidIdentifier extends RefusedRequest {
  override readonly name = "InvalidIdentifier";
}

/** The service failed (5xx), after the retries that the operation allows. The request may have been carried out. */
export class FailedService extends ApiError {
  override readonly name = "FailedService";
}

/** A successful status with an answer that the operation cannot return. The request was probably carried out. */
export class MalformedResponse extends ApiError {
  override readonly name = "MalformedResponse";
}

/** A list that the server sent, or may have sent, in part. Missing objects may still exist. */
export class IncompleteList extends ApiError {
  override readonly name = "IncompleteList";

  /**
   * @param entries the received part
   * @param isGuess whether the server does not say that there is more, and only the length looks like it
   */
  constructor(
    site: CallSite,
    reason: string,
    readonly entries: readonly unknown[],
    readonly isGuess: boolean,
  ) {
    super(site, reason);
  }
}

/** Nothing shows an object that is so new that reads may lack it. */
export class NotShownYet extends ApiError {
  override readonly name = "NotShownYet";
}

/** The connection failed before the request was sent: the service has not seen it. */
export class Unreachable extends ApiError {
  override readonly name = "Unreachable";
}

/** The connection broke or timed out after the request was sent: it may have been carried out. */
export class LostAnswer extends ApiError {
  override readonly name: string = "LostAnswer";
}

/** No answer arrived in time: the request may still be carried out. */
export class TimedOut extends LostAnswer {
  override readonly name = "TimedOut";
}

/** The user cancelled, or a time limit was over, before the service answered: a write was not sent, or not again. */
export class Interrupted extends ApiError {
  override readonly name = "Interrupted";
}

/** Whether the service may have carried out the request although the call failed. */
export function mayHaveHappened(error: unknown): error is ApiError {
  const types = [LostAnswer, FailedService, MalformedResponse, ForeignRefusal];
  return (
    types.some((type) => error instanceof type) ||
    (error instanceof ApiError && error.site.isRepeated === true)
  );
}

/** Whether a request that was not carried out may succeed if it is sent again: a refusal other than 429 would recur. */
export function mayBeSentAgain(error: ApiError): boolean {
  return !(error instanceof ForeignRefusal) || error.site.status === 429;
}

/** Statuses of a gateway that gave up waiting. */
const gatewayTimeouts: readonly (number | undefined)[] = [408, 504, 522, 524];

/** Whether the service may still carry out the request. */
export function mayHappenYet(error: ApiError): boolean {
  return error instanceof TimedOut || gatewayTimeouts.includes(error.site.status);
}

/** What is known of an object that may have been created. */
export interface Doubt {
  /** The failure of the request. */
  readonly reason: string;
  /** The object in a message: `an alert named "Slow queries" on service 7b0f…`. */
  readonly description: string;
  /** Ids of the objects that may be it. */
  readonly candidates: readonly string[];
  /** Ids of new objects that the service may have made of it. */
  readonly changed: readonly string[];
}

/** The answer to a create was lost: an object may exist that no state knows of. The message says how to find it. */
export class PossiblyCreated extends Error {
  override readonly name = "PossiblyCreated";

  constructor(
    message: string,
    readonly doubt: Doubt,
  ) {
    super(message);
  }
}

/** A setting is missing or invalid. The message says which command sets it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
