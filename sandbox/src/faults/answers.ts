import { type Answer, jsonAnswer, pageAnswer } from "../answer";
import { ApiError, type ErrorShape } from "../apiError";
import type { ApiName } from "../journal";
import type { Store } from "../store";
import type { Fault } from "./fault";
import type { FaultKind } from "./kinds";
import { gzipBomb, hugeAnswer, type LargeAnswer } from "./large";
import { aboutOthers, enveloped, inOtherShape, withoutIds } from "./payload";

/** The request that met a fault, as far as the answer depends on it. */
export interface Met {
  fault: Fault;
  api: ApiName;
  method: string;
  url: string;
  requestId: string;
  /** What would be answered without the fault; an empty object where nothing was carried out. */
  truth: Answer;
  store: Store;
  /** How the API words an error. */
  inOwnWords(error: ApiError): Answer;
}

/** What is answered in a fault; in part, in a fault that breaks the connection on the way. */
export function answerTo(met: Met): Answer | LargeAnswer | undefined {
  return answers[met.fault.kind]?.(met);
}

const answers: { readonly [kind in FaultKind]?: (met: Met) => Answer | LargeAnswer } = {
  "400": refusal(400, "the request is refused"),
  "401": refusal(401, "Unauthorized", "text"),
  "403": refusal(403, "not allowed"),
  "404": refusal(404, "not found"),
  "404-gateway": ({ method, url }) => pageAnswer(404, `Cannot ${method} ${url}`),
  "409": refusal(409, "in conflict with another change"),
  "429": limited((seconds) => ({ "retry-after": String(seconds) })),
  "429-date": limited((seconds) => ({ "retry-after": dateIn(seconds) })),
  "429-reset": limited((seconds) => ({ "x-ratelimit-reset": String(seconds) })),
  "429-bare": limited(() => ({})),
  "500": refusal(500, "something went wrong"),
  "502": () => pageAnswer(502, "Bad Gateway"),
  "503": refusal(503, "not available for now"),
  "reset-during": ({ truth }) => truth,
  "cut-off": ({ truth }) => truth,
  "cut-short": ({ truth }) => ({ ...truth, body: truth.body.slice(0, truth.body.length / 2) }),
  "not-json": () => pageAnswer(200, "Sign in to go on"),
  "other-shape": ({ api, truth }) => inOtherShape(api, truth),
  "empty-object": () => jsonAnswer(200, {}),
  "null-data": ({ api, requestId }) => jsonAnswer(200, enveloped(api, null, requestId)),
  "other-id": ({ api, truth, store }) => aboutOthers(api, truth, store),
  "no-id": ({ api, truth }) => withoutIds(api, truth),
  huge: ({ api, requestId, fault }) => hugeAnswer(api, requestId, fault.megabytes),
  "gzip-bomb": ({ api, requestId, fault }) => gzipBomb(api, requestId, fault.megabytes),
  redirect: ({ url, fault: { location = "https://elsewhere.invalid" } }) =>
    pageAnswer(307, "Temporary Redirect", { location: location + url }),
};

function refusal(status: number, text: string, shape?: ErrorShape) {
  return ({ inOwnWords, fault: { seconds } }: Met) =>
    inOwnWords(
      new ApiError(status, text, shape, seconds === undefined ? {} : { "retry-after": `${seconds}` }),
    );
}

function limited(headers: (seconds: number) => Record<string, string>) {
  const text = "Too many requests, please try again later.";
  return ({ inOwnWords, fault: { seconds = 1 } }: Met) =>
    inOwnWords(new ApiError(429, text, "html", headers(seconds)));
}

/** A date of HTTP, which has whole seconds: rounded up, so that the wait is not shorter than it should be. */
function dateIn(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString();
}
