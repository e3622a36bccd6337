import { createSandbox, type Sandbox, type SandboxOptions } from "../../sandbox/index";

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

/** Sends a request as it is given. A text body is sent as it is, anything else as JSON. */
export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
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
export class Client {
  constructor(readonly sandbox: Sandbox) {}

  static async start(options?: SandboxOptions): Promise<Client> {
    return new Client(await createSandbox(options));
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
