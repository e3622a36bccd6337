/** The failures of an API call, as one class for each kind to which the provider has to react differently. */

/** The failed API call in an error, with the details that find it in the service's logs. */
export interface CallSite {
  /** Name of the failed operation in the provider's table of operations, such as `createAlert`. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** HTTP status of the answer; absent if no answer arrived. */
  readonly status?: number;
  /** The id that the service gave the request: `requestId` of the management API's envelope, or the header `x-request-id`. */
  readonly requestId?: string;
  /** Whether the same request had been sent before the failed one, and may have been carried out then. */
  isRepeated?: boolean;
}

/** A failed API call. The message gives the reason, then the request; it never holds a credential. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  /** The service's words as they came. They may repeat a secret, so no message, property or dump of the error has them. */
  readonly #words: string;

  /**
   * @param reason the cause of the failure, in the service's own words if it gave any, without secrets
   * @param words the service's own words as they came. Default: the reason
   */
  constructor(
    readonly site: CallSite,
    readonly reason: string,
    words: string = reason,
  ) {
    const status = site.status === undefined ? "" : ` answered ${site.status}`;
    const request = site.requestId ? `, request ${site.requestId}` : "";
    super(`${reason} (${site.operation}: ${site.method} ${site.path}${status}${request})`);
    this.#words = words;
  }

  /** Whether the service's own words match a pattern, also where the reason hides or withholds some of them. */
  says(pattern: RegExp): boolean {
    return pattern.test(this.#words);
  }
}

/** The API itself says that the object does not exist. The Pulumi state drops it only if a complete list lacks it, too. */
export class MissingObject extends ApiError {
  override readonly name = "MissingObject";
}

/** A redirect or refusal (3xx, 4xx) of a firewall, gateway or proxy; some of these have nevertheless passed the request on. */
export class ForeignRefusal extends ApiError {
  override readonly name: string = "ForeignRefusal";
}

/** A 404 or 405 of a gateway, a wrong address or a server without the route: it does not prove that the object is missing. */
export class MissingRoute extends ForeignRefusal {
  override readonly name = "MissingRoute";
}

/** The API understood the request and refused it (4xx), so the request was not carried out. */
export class RefusedRequest extends ApiError {
  override readonly name: string = "RefusedRequest";
}

/** A 400 about the id in the path of a request: some API routes answer this for a missing object, others for a malformed id. */
export class InvalidIdentifier extends RefusedRequest {
  override readonly name = "InvalidIdentifier";
}

/** The service failed (5xx) in all attempts that the operation allows. The request may have been carried out. */
export class FailedService extends ApiError {
  override readonly name = "FailedService";
}

/** A successful HTTP status with a body that the operation cannot return. The request was probably carried out. */
export class MalformedResponse extends ApiError {
  override readonly name = "MalformedResponse";
}

/** The server may have left out a part of a list, so an object that the list lacks may exist. */
export class IncompleteList extends ApiError {
  override readonly name = "IncompleteList";

  /** @param isGuess whether only the length of the list suggests that entries are missing */
  constructor(
    site: CallSite,
    reason: string,
    readonly entries: readonly unknown[],
    readonly isGuess: boolean,
  ) {
    super(site, reason);
  }
}

/** Neither a list nor a read shows the object, which is so new that the API's reads may lag. */
export class NotShownYet extends ApiError {
  override readonly name = "NotShownYet";
}

/** The connection to the service failed before the request was sent, so the service has not seen the request. */
export class Unreachable extends ApiError {
  override readonly name = "Unreachable";
}

/** The connection broke or timed out after the request was sent, so the request may have been carried out. */
export class LostAnswer extends ApiError {
  override readonly name: string = "LostAnswer";
}

/** No answer arrived in time: the service may still be working on the request. */
export class TimedOut extends LostAnswer {
  override readonly name = "TimedOut";
}

/** The user cancelled the call, or a time limit passed before an answer. A write was not sent, or was not repeated. */
export class Interrupted extends ApiError {
  override readonly name = "Interrupted";
}

/** Whether a request failed because its service does not run: while it does not, the API shows no pipes, for example. */
export function needsRunningService(error: unknown): error is ApiError {
  return error instanceof ApiError && error.site.status === 424;
}

/** Whether the service may have carried out a request although its call failed. */
export function mayHaveHappened(error: unknown): error is ApiError {
  const types = [LostAnswer, FailedService, MalformedResponse, ForeignRefusal];
  return (
    types.some((type) => error instanceof type) ||
    (error instanceof ApiError && error.site.isRepeated === true)
  );
}

/** Whether a request that was not carried out may succeed later. A proxy's or firewall's refusal recurs, unless it is a 429. */
export function mayBeSentAgain(error: ApiError): boolean {
  return !(error instanceof ForeignRefusal) || error.site.status === 429;
}

/** Statuses with which a gateway says that it gave up waiting for the service. */
const gatewayTimeouts: readonly (number | undefined)[] = [408, 504, 522, 524];

/** Whether the service may still be carrying out a request whose call failed. */
export function mayHappenYet(error: ApiError): boolean {
  return error instanceof TimedOut || gatewayTimeouts.includes(error.site.status);
}

/** The facts about an object that a failed create request may have created. */
export interface Doubt {
  /** The failure of the create request that may have created the object. */
  readonly reason: string;
  /** The description of the possibly created object in a message, such as `an alert named "Slow queries" on service 7b0f…`. */
  readonly description: string;
  /** Ids of the existing objects that the failed create request may have created. */
  readonly candidates: readonly string[];
  /** Ids of new objects whose content differs from the failed create request: the service may have changed the sent values. */
  readonly changed: readonly string[];
}

/** The answer to a create was lost: an object may exist that no Pulumi state has. The message says how to find it. */
export class PossiblyCreated extends Error {
  override readonly name = "PossiblyCreated";

  constructor(
    message: string,
    readonly doubt: Doubt,
  ) {
    super(message);
  }
}

/** A setting of the provider is missing or invalid. The message says which command sets it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
