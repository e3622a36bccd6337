import { isObject } from "../values/json";
import type { Operation } from "./operation";

/**
 * Recognizes the answers that only ClickHouse Cloud's or HyperDX's API itself gives. Proxies, gateways and web frameworks give
 * similar answers, which say nothing about an object, so an answer has to match exactly: no property more, none less.
 */

/** The parts of an answer that tell whether the API itself, and not a proxy, wrote it. */
export interface Refusal {
  readonly status: number;
  /** The parsed body of the answer, or its text if it is not JSON. */
  readonly body: unknown;
}

/** Whether the API itself refused the request, so that it was certainly not carried out. */
export function isOwnRefusal({ api }: Operation, { status, body }: Refusal): boolean {
  if (api === "management") return isManagementError(status, body);
  if (status === 401) return body === "Unauthorized";
  if (status === 400 || status === 404) {
    const sentence = saysOnly(body, "message")
      ? body.message
      : saysOnly(body, "error")
        ? body.error
        : undefined;
    return sentence !== undefined && !(status === 404 && missesOther.test(sentence));
  }
  // The rate limiter of HyperDX's API refuses a request in plain text or in an HTML page, never in JSON, so its sentence tells
  // the refusal apart.
  const isLimit = typeof body === "string" && body.includes("Too many requests, please try again later.");
  return status === 429 && isLimit;
}

/** Whether a 404 comes from the API itself, and says that the object in the path does not exist. */
export function saysMissing({ api, object }: Operation, { status, body }: Refusal): boolean {
  if (status !== 404 || object === undefined) return false;
  if (api === "management") return isManagementError(status, body) && isAbout(object, body.error);
  // For a missing dashboard or connection the observability API answers only the text "Not Found", so this text counts as the
  // API's.
  if (object === "dashboard" || object === "connection") return body === "Not Found";
  return saysOnly(body, "message") && isAbout(object, body.message);
}

/** Whether a successful answer to a delete request comes from the API itself, and not from a proxy. */
export function isReceipt({ api }: Operation, { status, body }: Refusal): boolean {
  if (status !== 200 || !isObject(body)) return false;
  const { status: repeated, requestId, ...members } = body;
  const isEmpty = Object.keys(members).length === 0;
  if (api === "observability") return isEmpty && repeated === undefined && requestId === undefined;
  return isEmpty && repeated === status && typeof requestId === "string";
}

/** Whether a successful status means that the request was carried out: some envelopes nevertheless report a failure. */
export function isFinal({ api }: Operation, { status, body }: Refusal): boolean {
  if (status !== 200 && status !== 201) return false;
  if (api === "observability" || !isObject(body)) return true;
  // Number() may throw for an object as `status`, so objects are excluded first.
  const isFailure = typeof body.status !== "object" && Number(body.status) >= 400;
  return body.error === undefined && !isFailure;
}

/** Whether a body is the management API's error `{status, error, requestId}`; errors of frameworks also have time and path. */
function isManagementError(status: number, body: unknown): body is { error: string } {
  return (
    isObject(body) &&
    Object.keys(body).length === 3 &&
    body.status === status &&
    typeof body.error === "string" &&
    typeof body.requestId === "string"
  );
}

/** Whether the body of an answer has the named text and no other property. */
function saysOnly<Name extends string>(
  body: unknown,
  name: Name,
): body is { readonly [name in Name]: string } {
  return isObject(body) && Object.keys(body).length === 1 && typeof body[name] === "string";
}

const places = "organi[sz]ations?|services?|teams?|tenants?|accounts?|users?|projects?|clusters?";
const parts =
  "routes?|paths?|ur[il]s?|pages?|endpoints?|methods?|hosts?|upstreams?|backends?|applications?|apis?";
const otherThings = `(${places}|${parts}|servers?|gateways?)`;

/** Matches 404s about something else than the requested object: "service not found", "no Route matched", "Cannot GET /". */
const missesOther = new RegExp(
  `\\b${otherThings}\\s(\\S{1,40}\\s)?((is|was|were|are|does|do|could|can)\\s)?(not|n't|unknown|missing|unavailable)\\b` +
    `|\\b(no|unknown|missing|invalid|such|find)\\s(\\S{1,20}\\s)?${otherThings}\\b|\\bcannot\\s(get|put|patch|post|delete)\\b`,
  "i",
);

/** Whether the error text of a 404 can be about the kind of object that the request asked for. */
function isAbout(object: string, sentence: string): boolean {
  // "query endpoint not found" does not mean a missing route, and "service not found" may be about the requested service. So
  // the noun of the requested object is first removed from the error text.
  const withoutObject = sentence
    .slice(0, 300)
    .replace(new RegExp(`\\b(api )?${object.replace(" ", "\\s?")}s?\\b`, "gi"), "it");
  return !missesOther.test(withoutObject.replace(/\s+/g, " "));
}
