import { Model } from "../../sandbox/core/model";
import type { ApiName } from "../../sandbox/core/request";
import { createSandbox, type Sandbox, type SandboxOptions, seededCredentials } from "../../sandbox/index";

/** What an API answered. `body` is the parsed JSON, undefined if it was none. */
export interface Answer {
  status: number;
  type: string;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export function basic(keyId: string, keySecret: string): string {
  return `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
}

/** The models that answer in this process, and their APIs, by their addresses. */
const models = new Map<string, readonly [Model, ApiName, clock: () => number]>();

let started = 0;

/** A sandbox in this process, in which time passes as it is told. */
interface InProcess extends Asked {
  /** Lets so many milliseconds pass. */
  pass(milliseconds: number): void;
}

/** What tests ask of a sandbox, whether it is served or not. */
type Asked = Pick<
  Sandbox,
  "baseUrl" | "obsBaseUrl" | "credentials" | "requests" | "store" | "rewrites" | "faults" | "reset" | "close"
>;

/** A sandbox without sockets: requests to its addresses reach it through {@link send} alone. */
function inProcess({ dialect, rewrites, faults = [] }: SandboxOptions): InProcess {
  let passed = 0;
  const clock = () => Date.now() + passed;
  const model = new Model({ dialect, rewrites, clock });
  started += 1;
  const [baseUrl, obsBaseUrl] = [`model://${started}.management`, `model://${started}.observability`];
  models.set(baseUrl, [model, "management", clock]).set(obsBaseUrl, [model, "observability", clock]);
  void model.faults.set(faults);
  return {
    ...{ baseUrl, obsBaseUrl, store: model.store, rewrites: model.rewrites, faults: model.faults },
    credentials: seededCredentials,
    requests: model.journal.entries,
    reset: () => model.reset(),
    pass(milliseconds) {
      passed += milliseconds;
      model.advance(clock());
    },
    async close() {
      models.delete(baseUrl);
      models.delete(obsBaseUrl);
    },
  };
}

function answerOf(
  [model, api, clock]: readonly [Model, ApiName, () => number],
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
): Response {
  const { answer } = model.handle(api, { method, url, headers, body }, clock());
  if (!answer || typeof answer.body !== "string") throw new TypeError("fetch failed");
  const { status } = answer;
  return new Response(status === 204 ? null : answer.body, { status, headers: answer.headers });
}

/** Sends a request as it is given. A text body is sent as it is, anything else as JSON. */
export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const init = {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  };
  const [, origin = "", path = ""] = /^(model:\/\/[^/]+)(.*)$/.exec(url) ?? [];
  const model = models.get(origin);
  const response = model ? answerOf(model, path, init) : await fetch(url, init);
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return {
    status: response.status,
    type,
    headers: response.headers,
    text,
    body: type.startsWith("application/json") ? JSON.parse(text) : undefined,
  };
}

/** A running sandbox and requests to it, signed with the seeded credentials. */
export class Client<Kind extends Asked = Asked> {
  constructor(readonly sandbox: Kind) {}

  /** Of a sandbox that is served. */
  static async start(options?: SandboxOptions): Promise<Client<Sandbox>> {
    return new Client(await createSandbox(options));
  }

  /** Of one in this process, for tests of anything but sockets. */
  static inProcess(options: SandboxOptions = {}): Client<InProcess> {
    return new Client(inProcess(options));
  }

  get organization(): string {
    return `${this.sandbox.baseUrl}/v1/organizations/${this.sandbox.credentials.organizationId}`;
  }

  get authorization(): string {
    return basic(this.sandbox.credentials.keyId, this.sandbox.credentials.keySecret);
  }

  /** A request to the management API; `path` is relative to the organization. */
  organizationRequest(method: string, path: string, body?: unknown, authorization = this.authorization) {
    return send(method, `${this.organization}${path}`, body, { authorization });
  }

  /** A request to the management API; `path` is relative to the first service. */
  service(method: string, path: string, body?: unknown) {
    return this.organizationRequest(method, `/services/${this.sandbox.credentials.serviceId}${path}`, body);
  }

  /** A request to the management API; `path` is relative to the second service. */
  secondService(method: string, path: string, body?: unknown) {
    return this.organizationRequest(
      method,
      `/services/${this.sandbox.credentials.secondServiceId}${path}`,
      body,
    );
  }

  /** A request to the observability API; `path` is relative to /api/v2. */
  observability(method: string, path: string, body?: unknown, authorization?: string) {
    return send(method, `${this.sandbox.obsBaseUrl}/api/v2${path}`, body, {
      authorization: authorization ?? `Bearer ${this.sandbox.credentials.accessToken}`,
    });
  }

  get webhookId(): string {
    return [...this.sandbox.store.webhooks.keys()][0] ?? "";
  }
}

/** A tile that both APIs accept. */
export const tile = {
  name: "Requests",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "time", dataSource: "events", aggFn: "count", where: "", groupBy: ["ServiceName"] }],
};

/** A dashboard that both APIs accept. */
export const dashboard = {
  name: "Overview",
  tiles: [tile, { ...tile, name: "Errors", x: 12 }],
  tags: ["a", "b"],
};
