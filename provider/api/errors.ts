/**
 * The failures of a call, told apart by type. A missing object, a missing route, a refused request, a broken answer and
 * a lost answer need five different reactions.
 */

/** The failed call, with what finds it in the service's logs. */
export interface CallSite {
  /** Name of the operation in the table of operations, such as `createAlert`. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** HTTP status; absent if no answer arrived. */
  readonly status?: number;
  /** The id of the request, from `requestId` in the management API's envelope or the header `x-request-id`. */
  readonly requestId?: string;
  /** Whether the same request had been sent before, and may have been carried out then. */
  isRepeated?: boolean;
}

/** A failed call. The message gives the reason, then the request; it never holds a credential. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";

  /** @param reason the cause, in the service's own words if it gave any */
  constructor(
    readonly site: CallSite,
    readonly reason: string,
  ) {
    const status = site.status === undefined ? "" : ` answered ${site.status}`;
    const request = site.requestId ? `, request ${site.requestId}` : "";
    super(`${reason} (${site.operation}: ${site.method} ${site.path}${status}${request})`);
  }
}

/**
 * The API itself says that the object does not exist. The state drops the object only if a complete list confirms this.
 */
export class MissingObject extends ApiError {
  override readonly name = "MissingObject";
}

/**
 * A redirect or refusal (3xx, 4xx) that does not come from the API itself but from a firewall, gateway or proxy. Some
 * of these answer so although they have passed the request on.
 */
export class ForeignRefusal extends ApiError {
  override readonly name: string = "ForeignRefusal";
}

/**
 * A 404 or 405 that comes from a gateway, a wrong address or a server without this route. It says nothing about the
 * object.
 */
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

/** The server sent a list of which it may have left out a part, so an object that the list lacks may exist. */
export class IncompleteList extends ApiError {
  override readonly name = "IncompleteList";

  /**
   * @param entries the received part
   * @param isGuess whether only the length suggests that entries are missing, and the server does not say so
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

/** No look shows the object, which is so new that reads may lag. */
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

/** The user cancelled or a time limit passed before the service answered. A write was not sent, or not sent again. */
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

/**
 * Whether sending a request again may succeed, if it was not carried out. The refusal of a proxy or firewall would
 * recur, unless it is a 429.
 */
export function mayBeSentAgain(error: ApiError): boolean {
  return !(error instanceof ForeignRefusal) || error.site.status === 429;
}

/** Statuses with which a gateway says that it gave up waiting for the service. */
const gatewayTimeouts: readonly (number | undefined)[] = [408, 504, 522, 524];

/** Whether the service may still be carrying out the request. */
export function mayHappenYet(error: ApiError): boolean {
  return error instanceof TimedOut || gatewayTimeouts.includes(error.site.status);
}

/** What is known of an object that a failed create may have created. */
export interface Doubt {
  /** The failure of the create request. */
  readonly reason: string;
  /** The object in a message: `an alert named "Slow queries" on service 7b0f…`. */
  readonly description: string;
  /** Ids of the existing objects that may be the created one. */
  readonly candidates: readonly string[];
  /** Ids of new objects with other content: the service may have changed the sent values. */
  readonly changed: readonly string[];
}

/** The answer to a create was lost, so an object may exist that is in no state. The message says how to find it. */
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
