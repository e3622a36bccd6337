import { labelOf } from "../values/compare";
import { isObject, parseJson } from "../values/json";
import { printable, shortened } from "../values/printable";
import { mismatch } from "../values/shape";
import type { Dialect } from "./dialect";
import { isFinal, isOwnRefusal, isReceipt, saysMissing } from "./errorFingerprints";
import {
  type ApiError,
  type CallSite,
  FailedService,
  ForeignRefusal,
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  MissingRoute,
  RefusedRequest,
} from "./errors";
import { isWrite, type Operation } from "./operation";
import { listIn, type Page, pageOf } from "./pages";
import { serverMessage } from "./serverMessage";
import { addressSetting, settingToCheck } from "./settings";
import type { FailedRequest, HttpResponse } from "./transportFailures";

/** The content of a successful answer of the API. */
export interface Payload {
  /** The content of the answer's envelope, checked for the properties that the provider needs. */
  readonly payload: unknown;
  /** For a list operation: the page of the list that the answer holds. */
  readonly page?: Page;
}

/** Reads a successful answer of the API. `hide` removes secrets from the server's words. */
export function payloadOf(
  operation: Operation,
  called: CallSite,
  response: HttpResponse,
  hide: (text: string) => string,
): Payload {
  const body = parseJson(response.data);
  // The request id is read only for malformed answers, since most answers are fine and need none.
  const malformed = (reason: string) =>
    new MalformedResponse(
      { ...called, status: response.status, requestId: requestIdOf(body, response, hide) },
      reason,
    );
  const { response: schema } = operation;
  if (schema === undefined) {
    // The 200 that a gateway gives to every request must not count as proof that the API deleted the object.
    if (isReceipt(operation, { status: response.status, body })) return { payload: undefined };
    throw malformed(`the answer is not the API's receipt; check ${addressOf(operation)}`);
  }
  if (operation.file) {
    const { data: text } = response;
    if (operation.file.test(text)) return { payload: { text } };
    throw malformed(`the answer is not the file that the operation returns; check ${addressOf(operation)}`);
  }
  if (operation.isBare && operation.api === "observability" && mismatch(schema, body, "") === undefined)
    return { payload: body };
  const member = operation.api === "management" ? "result" : "data";
  if (!isObject(body) || !(member in body) || !isFinal(operation, { status: response.status, body })) {
    const advice = `check ${addressOf(operation)}`;
    throw malformed(
      isPage(body)
        ? `the answer is a web page, not the API's JSON; ${advice}: it must be the address of the API itself`
        : `the answer is not the API's JSON with a member "${member}"; ${advice}`,
    );
  }
  const list = operation.method === "GET" ? listIn(body, member) : undefined;
  const payload = list?.entries ?? body[member];
  if (!operation.asksForData) for (const object of [payload].flat()) dropNullEntries(object);
  const problem = mismatch(schema, payload, member);
  if (problem !== undefined) throw malformed(`the answer is not what the operation returns: ${problem}`);
  if (operation.wrapped !== undefined) {
    const { [operation.wrapped]: object, ...beside } = payload as Record<string, unknown>;
    return { payload: { ...(object as object), ...beside } };
  }
  return list ? { payload, page: pageOf(list, response.headers) } : { payload };
}

/**
 * Removes the nulls among the entries of the lists inside an object, at any depth: some servers write one where an entry has
 * gone. A null in place of a whole object of a list is a malformed answer instead, since it hides which object is meant.
 */
function dropNullEntries(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value) && value.includes(null))
    value.splice(0, value.length, ...value.filter((entry) => entry !== null));
  for (const member of Object.values(value)) dropNullEntries(member);
}

/** The facts about a refused request that its error needs. */
interface Refused {
  readonly dialect: Dialect;
  readonly requestBody?: unknown;
  /** Whether the API at the address from the settings has answered other operations, so that the address is right. */
  readonly isAddressRight: boolean;
}

/** The error for an API's answer without a successful status. `hide` removes secrets from the server's words. */
export function refusalOf(
  operation: Operation,
  called: CallSite,
  response: HttpResponse,
  hide: (text: string) => string,
  { dialect, requestBody, isAddressRight }: Refused,
): ApiError {
  const { status } = response;
  const body = parseJson(response.data);
  const site = { ...called, status, requestId: requestIdOf(body, response, hide) };
  const said = serverMessage(body, (text) => text) ?? "";
  const reason = serverMessage(body, hide)?.replace(/[.;]$/, "") || "the server gave no reason";

  if (status < 400) {
    const target = printable(hide(String(response.headers.location ?? "another address"))).split("?")[0];
    return new ForeignRefusal(
      site,
      `redirected to ${target}, which is not followed; set the final address of the API as ${addressSetting(operation.api)}`,
    );
  }
  const words = { status, body };
  const place = placeAdvice(operation, status, said);
  if (saysMissing(operation, words))
    return new MissingObject(site, operation.object === "service" ? reason + place : reason, said);
  const isOfApi = isOwnRefusal(operation, words);
  const managed = managedAdvice(operation, dialect);
  if (status === 405 || (status === 404 && !isOfApi)) {
    const advice = isAddressRight
      ? (managed ??
        `the server answers other requests, and seems to be too old for ${called.operation}: update it, or do without`)
      : `the API itself does not answer like this, so check the settings ${addressSetting(operation.api)} and dialect, or update the server: it may be too old for ${called.operation}`;
    return new MissingRoute(site, `${reason}; ${advice}`, said);
  }
  if (status >= 500) return new FailedService(site, reason, said);
  const Refusal = isOfApi ? RefusedRequest : ForeignRefusal;
  if (status === 401) return new Refusal(site, `${reason}; check ${credentialsOf(operation)}`, said);
  if (status === 403)
    return new Refusal(
      site,
      `${reason}; ${isOfApi ? accessAdvice(operation, dialect) + (managed ? `; ${managed}` : "") : firewallAdvice}`,
      said,
    );
  if (status === 429)
    return new Refusal(
      site,
      `${reason}; set requestsPerSecond to what the service allows, or more maxRetries`,
      said,
    );
  if (!isOfApi) return new Refusal(site, reason + place, said);
  const detail = hide(withNames(reason, requestBody));
  const advice = hide(idsMeant(requestBody, said));
  if (status === 400 && saysInvalidId(said)) return new InvalidIdentifier(site, detail + advice, said);
  const isManaged = managed !== undefined && /\b(managed|read[- ]only)\b/i.test(said);
  return new Refusal(site, detail + place + advice + (isManaged ? `; ${managed}` : ""), said);
}

/** Replaces the index of a list entry in a refusal by the entry's name: `tiles.3.config` becomes `tiles["Errors"].config`. */
function withNames(reason: string, requestBody: unknown): string {
  return reason.replace(
    /\b([a-z]\w*)(?:\.(\d{1,4})\b|\[(\d{1,4})\])/gi,
    (place, list, afterDot, inBrackets) => {
      const label = isObject(requestBody)
        ? labelOf(requestBody, [list, Number(afterDot ?? inBrackets)])
        : place;
      return label.endsWith('"]') ? label : place;
    },
  );
}

/** Whether the API itself refused the request, and not a proxy in front of it: then the request was not carried out. */
export function isOwn(
  operation: Operation,
  { status, data }: NonNullable<FailedRequest["response"]>,
): boolean {
  return typeof data === "string" && isOwnRefusal(operation, { status, body: parseJson(data) });
}

/** Whether the reason of a refusal contains "invalid" and, later, "id" as whole words. */
function saysInvalidId(reason: string): boolean {
  const at = reason.search(/\binvalid\b/i);
  return at >= 0 && /\bid\b/i.test(reason.slice(at));
}

function credentialsOf(operation: Operation): string {
  return operation.api === "management"
    ? "the settings keyId and keySecret: the key must be one of this organization, enabled and not expired"
    : "the setting accessToken";
}

const firewallAdvice = "the API itself does not answer like this: a firewall or a proxy may have refused it";

/**
 * The advice after a refusal that a fully managed ClickHouse Observability may have given. Its words are in no document, and it
 * has the same API as a self-managed one, so the advice leaves open which of them the service has.
 */
function managedAdvice(
  { api, whereFullyManaged }: Operation,
  { permissionPrefix }: Dialect,
): string | undefined {
  const isOfCloud = api === "management" && permissionPrefix !== undefined;
  return isOfCloud && whereFullyManaged !== undefined
    ? `fully managed ClickHouse Observability lets the API only read sources: if this service has it, ${whereFullyManaged}`
    : undefined;
}

function accessAdvice(operation: Operation, dialect: Dialect): string {
  const access = accessTo(operation, dialect);
  const key = "the key of the setting keyId";
  return access === undefined
    ? `${key} may lack a permission for this, or its IP access list this machine`
    : `${key} needs ${access} for this, and its IP access list must include this machine`;
}

/** The permissions or roles that an API key needs for an operation, by ClickHouse Cloud's documents, for advice after a 403. */
export function accessTo(operation: Operation, { permissionPrefix }: Dialect): string | undefined {
  const { permissions = [] } = operation;
  if (permissionPrefix === undefined)
    return isWrite(operation) ? "the role admin" : "the role developer or admin";
  const names = permissions.map((permission) => permissionPrefix + permission);
  return names.length > 0 ? `the permission${names.length > 1 ? "s" : ""} ${names.join(" and ")}` : undefined;
}

/** The advice to check a setting, if the management API does not find the organization or service of an object. */
function placeAdvice({ api }: Operation, status: number, reason: string): string {
  const [, place] = /\b(organi[sz]ation|service)\b/i.exec(reason) ?? [];
  if (api !== "management" || status !== 404 || !place) return "";
  const name = place.toLowerCase() === "service" ? "serviceId" : "organizationId";
  return `; check the property ${name}, or ${settingToCheck(name)}`;
}

/** The ids in a request body that a refusal may be about: servers say "Tile not found", and not which tile. */
function idsMeant(requestBody: unknown, reason: string): string {
  if (!/\b(not found|not exist|unknown|(in)?valid|no such|existing)\b/i.test(reason)) return "";
  const isMeant = ([name, id]: readonly [string, string]) => {
    const noun = name.replace(/Id$/, "").replace(/[A-Z]/g, "\\s?$&");
    // Tiles belong to dashboards, so the refusal of an unknown tile may be about a wrong dashboard.
    const nouns = noun === "dashboard" ? "dashboard|tile" : noun;
    return new RegExp(`\\b(${nouns})s?\\b`, "i").test(reason) && !reason.includes(id);
  };
  const ids = idsIn(requestBody).filter(isMeant);
  const texts = [...new Set(ids.map(([name, id]) => `${name} ${shortened(id)}`))];
  return texts.length > 0 ? ` (${texts.slice(0, mostIds).join(", ")})` : "";
}

/** Maximum number of ids that the advice in an error names. */
const mostIds = 5;

/** The ids of other objects in the properties of a request body, at any depth, with the names of the properties. */
function idsIn(body: unknown): (readonly [string, string])[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, member]) =>
    typeof member === "string" && /^(\w+Id|savedSearch|connection)$/.test(name)
      ? [[name, member] as const]
      : idsIn(member),
  );
}

function addressOf(operation: Operation): string {
  return settingToCheck(addressSetting(operation.api));
}

function isPage(body: unknown): boolean {
  return typeof body === "string" && /^\s*<(!doctype|html)/i.test(body);
}

function requestIdOf(
  body: unknown,
  response: HttpResponse,
  hide: (text: string) => string,
): string | undefined {
  const inBody = isObject(body) ? body.requestId : undefined;
  const id = inBody ?? response.headers["x-request-id"];
  return typeof id === "string" && /^[\w.:-]{1,100}$/.test(id) ? hide(id) : undefined;
}
