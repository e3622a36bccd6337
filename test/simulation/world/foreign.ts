import type { Random } from "../random";

/** An HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const html = { "content-type": "text/html" };
const json = { "content-type": "application/json" };

function page(title: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
}

/** Answers of gateways, firewalls, proxies and other services. None of them tells the provider anything about an object. */
export const foreignAnswers = {
  express: { status: 404, headers: html, body: "<pre>Cannot GET /v1/organizations</pre>" },
  kong: { status: 404, headers: json, body: '{"message":"no Route matched with those values"}' },
  webflux: {
    status: 404,
    headers: json,
    body: '{"timestamp":"2027-01-15T12:00:00.000+00:00","path":"/v1/organizations","status":404,"error":"Not Found","message":"No static resource","requestId":"5d41402a-1"}',
  },
  spring: {
    status: 404,
    headers: json,
    body: '{"timestamp":"2027-01-15T12:00:00.000+00:00","status":404,"error":"Not Found","path":"/v1/organizations"}',
  },
  // This answer of a gateway has the form of the management API's errors, but does not say what was not found.
  envelope: {
    status: 404,
    headers: json,
    body: '{"status":404,"error":"Not Found","requestId":"0f8b7c55-2a4e-4c1d-9b3f-6d5e4c3b2a19"}',
  },
  text404: { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found\n" },
  waf: { status: 403, headers: html, body: page("Access denied") },
  method: { status: 405, headers: html, body: page("405 Not Allowed") },
  slow: { status: 408, headers: html, body: page("408 Request Time-out") },
  conflict: { status: 409, headers: json, body: '{"message":"another request is in progress"}' },
  early: { status: 425, headers: html, body: page("425 Too Early") },
  login: { status: 302, headers: { location: "https://login.example/?back=1" }, body: "" },
  other: { status: 303, headers: { location: "https://status.example/" }, body: "" },
  maintenance: { status: 200, headers: html, body: page("We will be back soon") },
  health: { status: 200, headers: json, body: '{"status":"UP"}' },
  failedInside: { status: 200, headers: json, body: '{"status":500,"error":"upstream failed"}' },
  accepted: { status: 202, headers: json, body: "{}" },
  badGateway: { status: 502, headers: html, body: page("502 Bad Gateway") },
  unavailable: {
    status: 503,
    headers: { ...html, "retry-after": "2" },
    body: page("503 Service Unavailable"),
  },
  gatewayTimeout: { status: 504, headers: html, body: page("504 Gateway Time-out") },
} satisfies Record<string, Answer>;

export type ForeignName = keyof typeof foreignAnswers;

export const foreignNames = Object.keys(foreignAnswers) as readonly ForeignName[];

/**
 * Generates a header, valid or not, by which a server asks clients to wait.
 * @param now the time on the server's clock
 */
export function waitHeaders(random: Random, now: number): Record<string, string> {
  const date = (milliseconds: number) => new Date(now + milliseconds).toUTCString();
  return random.pick<() => Record<string, string>>([
    () => ({}),
    () => ({ "retry-after": String(random.integer(1, 20)) }),
    () => ({ "retry-after": "0" }),
    () => ({ "retry-after": "-5" }),
    () => ({ "retry-after": "3, 3" }),
    () => ({ "retry-after": "soon" }),
    () => ({ "retry-after": date(random.integer(1, 30) * 1000) }),
    () => ({ "retry-after": date(-60_000) }),
    () => ({ "retry-after": "100000" }),
    () => ({ "x-ratelimit-reset": (random.next() * 10).toFixed(3) }),
    () => ({ "x-ratelimit-reset": String(Math.floor(now / 1000) + 5) }),
  ])();
}
