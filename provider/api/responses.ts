import Ajv, { type ValidateFunction } from "ajv";
import type { AxiosResponse } from "axios";
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
import { isObject, parseJson } from "./json";
import type { Operation } from "./operation";
import { isFinal, isOwnRefusal, isReceipt, saysMissing } from "./ownWords";
import { type Page, pageOf } from "./pages";
import { printable } from "./printable";
import { serverMessage } from "./serverMessage";

/** What a successful answer holds. */
export interface Payload {
  /** What the envelope holds, with the members that the provider needs. */
  readonly payload: unknown;
  /** The list that it is, or a part of one. */
  readonly page?: Page;
}

/** Reads a successful answer. `hide` removes credentials from what the server says. */
export function payloadOf(
  operation: Operation,
  called: CallSite,
  response: AxiosResponse<string>,
  hide: (text: string) => string,
): Payload {
  const body = parseJson(response.data);
  // Most answers are fine, and need no request id without credentials.
  const malformed = (reason: string) =>
    new MalformedResponse(
      { ...called, status: response.status, requestId: requestIdOf(body, response, hide) },
      reason,
    );
  if (operation.response === undefined) {
    // What a gateway answers everything with must not pass for a deletion.
    if (isReceipt(operation, { status: response.status, body })) return { payload: undefined };
    throw malformed("the answer is not the API's receipt; check the address of the API");
  }
  if (operation.isBare && operation.api === "observability" && checkerOf(operation)(body))
    return { payload: body };
  const member = operation.api === "management" ? "result" : "data";
  if (!isObject(body) || !(member in body) || !isFinal(operation, { status: response.status, body })) {
    throw malformed(
      `the answer is not the API's JSON with a member "${member}"; check the address of the API`,
    );
  }
  const check = checkerOf(operation);
  if (check(body[member])) {
    const isList = operation.method === "GET" && Array.isArray(body[member]);
    const payload = body[member];
    return isList ? { payload, page: pageOf(body, member, response.headers) } : { payload };
  }
  const [failure] = check.errors ?? [];
  const where = `${member}${(failure?.instancePath ?? "").replaceAll("/", ".")}`;
  throw malformed(`the answer is not what the operation returns: ${where} ${failure?.message}`);
}

const ajv = new Ajv({ strict: false });
const anything = {};

/** ajv compiles each schema once. */
function checkerOf({ response }: Operation): ValidateFunction {
  return ajv.compile(response ?? anything);
}

/** The error for an answer without a successful status. `hide` removes credentials from what the server says. */
export function refusalOf(
  operation: Operation,
  called: CallSite,
  response: AxiosResponse<string>,
  hide: (text: string) => string,
): ApiError {
  const { status } = response;
  const body = parseJson(response.data);
  const site = { ...called, status, requestId: requestIdOf(body, response, hide) };
  const said = serverMessage(body, hide) ?? "the server gave no reason";

  if (status < 400) {
    const target = printable(hide(String(response.headers.location ?? "another address"))).split("?")[0];
    return new ForeignRefusal(
      site,
      `redirected to ${target}, which is not followed; set the final address of the API`,
    );
  }
  const words = { status, body };
  if (saysMissing(operation, words)) return new MissingObject(site, said);
  const isOfApi = isOwnRefusal(operation, words);
  if (status === 405 || (status === 404 && !isOfApi)) {
    return new MissingRoute(site, `${said}; the API itself does not answer like this, so check its address`);
  }
  if (status >= 500) return new FailedService(site, said);
  const Refusal = isOfApi ? RefusedRequest : ForeignRefusal;
  if (status === 401) return new Refusal(site, `${said}; check ${credentialsOf(operation)}`);
  if (status === 403) return new Refusal(site, `${said}; the credentials may not do this`);
  if (isOfApi && status === 400 && saysInvalidId(said)) return new InvalidIdentifier(site, said);
  return new Refusal(site, said);
}

/** Whether an API itself refused a request, which was then not carried out. */
export function isOwn(operation: Operation, { status, data }: AxiosResponse<unknown>): boolean {
  return typeof data === "string" && isOwnRefusal(operation, { status, body: parseJson(data) });
}

/** Whether it contains "invalid" and, later, "id" as whole words. */
function saysInvalidId(said: string): boolean {
  const at = said.search(/\binvalid\b/i);
  return at >= 0 && /\bid\b/i.test(said.slice(at));
}

function credentialsOf(operation: Operation): string {
  return operation.api === "management" ? "the settings keyId and keySecret" : "the setting accessToken";
}

function requestIdOf(
  body: unknown,
  response: AxiosResponse,
  hide: (text: string) => string,
): string | undefined {
  const inBody = isObject(body) ? body.requestId : undefined;
  const id = inBody ?? response.headers["x-request-id"];
  return typeof id === "string" && /^[\w.:-]{1,100}$/.test(id) ? hide(id) : undefined;
}
