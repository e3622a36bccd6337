import { jsonAnswer, pageAnswer } from "../answer";
import type { Reply } from "../request";
import { dateIn, type FaultAnswer, limited, refusal } from "./answers";
import type { FaultDefinition } from "./definition";
import { gzipBomb, hugeAnswer } from "./large";
import { enveloped, withIds, withOtherShape } from "./payload";

interface Kind extends FaultDefinition {
  /** Makes the response of a request with the fault; absent if the fault lets the sandbox send the real response or none. */
  readonly answer?: FaultAnswer;
  /** How the fault ends the connection after half of the response; absent if the sandbox sends the whole response. */
  readonly cut?: Reply["cut"];
  /**
   * Whether the fault makes a read (of a list or of a single object) show old versions of records. For a kind of fault without
   * this function, all reads do.
   */
  isShownBy?(isList: boolean): boolean;
}

type Nature = Omit<Kind, "description" | "answer">;

const refused: Nature = { when: ["before"] };
const delayed: Nature = { when: ["before", "after"] };
const failed: Nature = { when: ["before", "after", "later"] };
const changed: Nature = { when: ["after"] };
const replaced: Nature = { when: ["after", "before"] };
const unseen: Nature = { when: ["after"], parameters: ["milliseconds", "requests"], affectsWrites: true };

const kind = (nature: Nature, description: string, answer?: FaultAnswer): Kind => ({
  ...nature,
  description,
  ...(answer && { answer }),
});

const table = {
  "101": kind(refused, "101: a switch to a protocol that nobody asked for", () => ({
    status: 101,
    headers: { connection: "upgrade", upgrade: "elsewhere" },
    body: "",
  })),
  "400": kind(refused, "400 in the API's own format", refusal(400, "the request is refused")),
  "401": kind(refused, "401 in the API's own format", refusal(401, "Unauthorized", "text")),
  "403": kind(refused, "403 in the API's own format", refusal(403, "not allowed")),
  // The observability API reports a missing dashboard in plain text. In all other cases both APIs report a missing object as
  // `not found` in their usual format.
  "404": kind(refused, "404 in the API's own format: the object does not exist", (context) =>
    /\/dashboards\//.test(context.url)
      ? refusal(404, "Not Found", "text")(context)
      : refusal(404, "not found")(context),
  ),
  "404-gateway": kind(refused, "404 page of a gateway: says nothing about the object", ({ method, url }) =>
    pageAnswer(404, `Cannot ${method} ${url}`),
  ),
  "404-framework": kind(
    refused,
    "404 in the JSON of a web framework: says nothing about the object",
    ({ url, now }) =>
      jsonAnswer(404, {
        timestamp: new Date(now).toISOString(),
        path: url,
        status: 404,
        error: "Not Found",
        message: null,
        requestId: "7d1f0c52-17",
      }),
  ),
  "404-envelope": kind(
    refused,
    "404 in the management API's envelope, but not in its words: says nothing about the object",
    ({ requestId }) => jsonAnswer(404, { status: 404, error: "Not Found", requestId }),
  ),
  "403-firewall": kind(failed, "403 page of a firewall", () => pageAnswer(403, "Request blocked")),
  "408": kind(failed, "408 page of a proxy", () => pageAnswer(408, "Request Timeout")),
  "409": kind(refused, "409 in the API's own format", refusal(409, "in conflict with another change")),
  "429": kind(
    { ...refused, parameters: ["seconds"] },
    "429 with Retry-After in seconds",
    limited((seconds) => ({ "retry-after": String(seconds) })),
  ),
  "429-date": kind(
    { ...refused, parameters: ["seconds"] },
    "429 with Retry-After as a date",
    limited((seconds, now) => ({ "retry-after": dateIn(seconds, now) })),
  ),
  "429-reset": kind(
    { ...refused, parameters: ["seconds"] },
    "429 with X-RateLimit-Reset in seconds",
    limited((seconds) => ({ "x-ratelimit-reset": String(seconds) })),
  ),
  "429-bare": kind(
    refused,
    "429 that does not say how long to wait",
    limited(() => ({})),
  ),
  "429-gateway": kind(
    { ...failed, parameters: ["seconds"] },
    "429 page of a gateway, with Retry-After in seconds",
    ({ fault: { seconds = 1 } }) => pageAnswer(429, "Slow down", { "retry-after": String(seconds) }),
  ),
  "500": kind(failed, "500 in the API's own format", refusal(500, "something went wrong")),
  "502": kind(failed, "502 page of a gateway", () => pageAnswer(502, "Bad Gateway")),
  "503": kind(
    { ...failed, parameters: ["seconds"] },
    "503, with Retry-After if `seconds` is set",
    refusal(503, "not available for now"),
  ),
  "504": kind(failed, "504 page of a content network", () => pageAnswer(504, "Gateway Timeout")),
  refused: kind(
    { ...refused, parameters: ["milliseconds"], affectsConnections: true },
    "closed port from the nth call on, until the fault is cleared or has expired",
  ),
  certificate: kind(
    { ...refused, affectsConnections: true },
    "TLS certificate of another host from the nth call on, until the fault is cleared",
  ),
  reset: kind(failed, "connection reset in place of a response"),
  "reset-during": kind(
    { ...changed, cut: "reset" },
    "connection reset in the middle of the response",
    ({ realAnswer }) => realAnswer,
  ),
  delay: kind({ ...delayed, parameters: ["milliseconds"] }, "delayed response"),
  "cut-off": kind(
    { ...changed, cut: "close" },
    "half the response, shorter than its Content-Length, then a closed connection",
    ({ realAnswer }) => realAnswer,
  ),
  "cut-short": kind(changed, "half the response, with a matching Content-Length", ({ realAnswer }) => ({
    ...realAnswer,
    body: realAnswer.body.slice(0, realAnswer.body.length / 2),
  })),
  "not-json": kind(replaced, "page of a gateway with status 200", () => pageAnswer(200, "Sign in to go on")),
  "no-content": kind(replaced, "204 without a body", () => ({ status: 204, headers: {}, body: "" })),
  accepted: kind(
    { when: ["after", "before", "later"] },
    "202: the request may be carried out later, or never",
    ({ api, requestId }) => jsonAnswer(202, api === "management" ? { status: 202, requestId } : {}),
  ),
  ignored: kind(
    { when: ["before"], affectsWrites: true },
    "success without a change: an update is answered with the old object",
  ),
  stale: kind(unseen, "success with the old object, which every read shows for a while"),
  "stale-list": kind(
    { ...unseen, isShownBy: (isList: boolean) => isList },
    "success, but lists show what was there before for a while",
  ),
  "stale-get": kind(
    { ...unseen, isShownBy: (isList: boolean) => !isList },
    "success, but single reads show what was there before for a while",
  ),
  "stale-reads": kind(unseen, "success, but lists and single reads show what was there before for a while"),
  "other-shape": kind(
    changed,
    "JSON of another shape: an object in place of a list, or a list in place of an object",
    ({ api, realAnswer }) => withOtherShape(api, realAnswer),
  ),
  "empty-object": kind(replaced, "empty object as the whole response", () => jsonAnswer(200, {})),
  "null-data": kind(replaced, "null in the API's envelope", ({ api, requestId }) =>
    jsonAnswer(200, enveloped(api, null, requestId)),
  ),
  "other-id": kind(
    changed,
    "response about another object: the id of another one, or of none",
    ({ api, realAnswer, store, ids, now }) =>
      withIds(api, realAnswer, (id) => store.otherIdThan(id) ?? ids.alike(id, now)),
  ),
  "no-id": kind(changed, "objects without their ids", ({ api, realAnswer }) =>
    withIds(api, realAnswer, () => undefined),
  ),
  "path-id": kind(changed, "objects whose ids are paths, such as ../66f0", ({ api, realAnswer }) =>
    withIds(api, realAnswer, (id) => `../${id}`),
  ),
  "blank-id": kind(changed, "objects whose ids are a blank", ({ api, realAnswer }) =>
    withIds(api, realAnswer, () => " "),
  ),
  "foreign-id": kind(
    changed,
    "objects whose ids have another form: UUIDs in place of 24 hex digits, and vice versa",
    ({ api, realAnswer, ids, now }) => withIds(api, realAnswer, (id) => ids.unlike(id, now)),
  ),
  huge: kind({ ...replaced, parameters: ["megabytes"] }, "response of 200 MB", ({ api, requestId, fault }) =>
    hugeAnswer(api, requestId, fault.megabytes),
  ),
  "gzip-bomb": kind(
    { ...replaced, parameters: ["megabytes"] },
    "small response that unpacks to 1000 MB",
    ({ api, requestId, fault }) => gzipBomb(api, requestId, fault.megabytes),
  ),
  redirect: kind(
    { ...refused, parameters: ["location"] },
    "307 to another origin",
    ({ url, fault: { location = "https://elsewhere.invalid" } }) =>
      pageAnswer(307, "Temporary Redirect", { location: location + url }),
  ),
} satisfies Record<string, Kind>;

export type FaultKind = keyof typeof table;

export const faultKindNames = Object.keys(table) as FaultKind[];

export const faultKinds = Object.fromEntries(
  Object.entries<Kind>(table).map(([name, { answer, cut, isShownBy, ...definition }]) => [name, definition]),
) as { readonly [kind in FaultKind]: FaultDefinition };

export function kindOf(name: FaultKind): Kind {
  return table[name];
}
