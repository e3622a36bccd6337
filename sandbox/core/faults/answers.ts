import { type Answer, jsonAnswer, pageAnswer } from "../answer";
import { ApiError, type ErrorShape } from "../apiError";
import type { Identifiers } from "../identifiers";
import type { ApiName } from "../request";
import type { Store } from "../store";
import type { Fault } from "./fault";
import type { FaultKind } from "./kinds";
import { gzipBomb, hugeAnswer, type LargeAnswer } from "./large";
import { enveloped, withIds, withOtherShape } from "./payload";

/** What the answer of a fault depends on. */
export interface FaultContext {
  fault: Fault;
  api: ApiName;
  method: string;
  url: string;
  requestId: string;
  now: number;
  /** The answer without the fault; an empty object where nothing was carried out. */
  realAnswer: Answer;
  store: Store;
  ids: Identifiers;
  /** How the API reports an error. */
  errorAnswer(error: ApiError): Answer;
}

/** The answer of a fault, of which a fault that breaks the connection sends a part; undefined if nothing is sent. */
export function answerTo(context: FaultContext): Answer | LargeAnswer | undefined {
  return answers[context.fault.kind]?.(context);
}

const answers: { readonly [kind in FaultKind]?: (context: FaultContext) => Answer | LargeAnswer } = {
  "101": () => ({ status: 101, headers: { connection: "upgrade", upgrade: "elsewhere" }, body: "" }),
  "400": refusal(400, "the request is refused"),
  "401": refusal(401, "Unauthorized", "text"),
  "403": refusal(403, "not allowed"),
  // Both APIs answer so; the observability API has other words for dashboards.
  "404": (context) =>
    /\/dashboards\//.test(context.url)
      ? refusal(404, "Not Found", "text")(context)
      : refusal(404, "not found")(context),
  "404-envelope": ({ requestId }) => jsonAnswer(404, { status: 404, error: "Not Found", requestId }),
  "404-framework": ({ url, now }) =>
    jsonAnswer(404, {
      timestamp: new Date(now).toISOString(),
      path: url,
      status: 404,
      error: "Not Found",
      message: null,
      requestId: "7d1f0c52-17",
    }),
  "404-gateway": ({ method, url }) => pageAnswer(404, `Cannot ${method} ${url}`),
  "403-firewall": () => pageAnswer(403, "Request blocked"),
  "408": () => pageAnswer(408, "Request Timeout"),
  "409": refusal(409, "in conflict with another change"),
  "429": limited((seconds) => ({ "retry-after": String(seconds) })),
  "429-date": limited((seconds, now) => ({ "retry-after": dateIn(seconds, now) })),
  "429-reset": limited((seconds) => ({ "x-ratelimit-reset": String(seconds) })),
  "429-bare": limited(() => ({})),
  "429-gateway": ({ fault: { seconds = 1 } }) =>
    pageAnswer(429, "Slow down", { "retry-after": String(seconds) }),
  "500": refusal(500, "something went wrong"),
  "502": () => pageAnswer(502, "Bad Gateway"),
  "503": refusal(503, "not available for now"),
  "reset-during": ({ realAnswer }) => realAnswer,
  "cut-off": ({ realAnswer }) => realAnswer,
  "cut-short": ({ realAnswer }) => ({
    ...realAnswer,
    body: realAnswer.body.slice(0, realAnswer.body.length / 2),
  }),
  "no-content": () => ({ status: 204, headers: {}, body: "" }),
  accepted: ({ api, requestId }) => jsonAnswer(202, api === "management" ? { status: 202, requestId } : {}),
  "not-json": () => pageAnswer(200, "Sign in to go on"),
  "other-shape": ({ api, realAnswer }) => withOtherShape(api, realAnswer),
  "empty-object": () => jsonAnswer(200, {}),
  "null-data": ({ api, requestId }) => jsonAnswer(200, enveloped(api, null, requestId)),
  "other-id": ({ api, realAnswer, store, ids, now }) =>
    withIds(api, realAnswer, (id) => store.otherIdThan(id) ?? ids.alike(id, now)),
  "no-id": ({ api, realAnswer }) => withIds(api, realAnswer, () => undefined),
  "path-id": ({ api, realAnswer }) => withIds(api, realAnswer, (id) => `../${id}`),
  "blank-id": ({ api, realAnswer }) => withIds(api, realAnswer, () => " "),
  "foreign-id": ({ api, realAnswer, ids, now }) => withIds(api, realAnswer, (id) => ids.unlike(id, now)),
  huge: ({ api, requestId, fault }) => hugeAnswer(api, requestId, fault.megabytes),
  "gzip-bomb": ({ api, requestId, fault }) => gzipBomb(api, requestId, fault.megabytes),
  redirect: ({ url, fault: { location = "https://elsewhere.invalid" } }) =>
    pageAnswer(307, "Temporary Redirect", { location: location + url }),
};

function refusal(status: number, text: string, shape?: ErrorShape) {
  return ({ errorAnswer, fault: { seconds } }: FaultContext) =>
    errorAnswer(
      new ApiError(status, text, shape, seconds === undefined ? {} : { "retry-after": `${seconds}` }),
    );
}

function limited(headers: (seconds: number, now: number) => Record<string, string>) {
  const text = "Too many requests, please try again later.";
  return ({ errorAnswer, now, fault: { seconds = 1 } }: FaultContext) =>
    errorAnswer(new ApiError(429, text, "html", headers(seconds, now)));
}

/** An HTTP date. It has whole seconds: rounded up, so that the wait is never too short. */
function dateIn(seconds: number, now: number): string {
  return new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();
}
