import { Model } from "../../sandbox/core/model";
import type { ApiName } from "../../sandbox/core/request";
import { createSandbox, type Sandbox, type SandboxOptions, seededCredentials } from "../../sandbox/index";
import { judge as product } from "../productJudge";

const { organizationId, serviceId, secondServiceId, keyId, keySecret, accessToken } = seededCredentials;

export const connectionId = "65f1c0a2b3d4e5f607182900";
export const sourceId = "65f1c0a2b3d4e5f607182911";
export const traceSourceId = "65f1c0a2b3d4e5f607182912";
export const metricSourceId = "65f1c0a2b3d4e5f607182913";
export const webhookId = "65f1c0a2b3d4e5f607182921";
export const savedSearchId = "65f1c0a2b3d4e5f607182931";
export const unknownId = "65f1c0a2b3d4e5f6071829ff";
export const unknownUuid = "00000000-0000-4000-8000-000000000000";

export const apis = ["management", "observability"] as const;

export interface Answer {
  status: number;
  type: string;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  /** The content of the envelope in the API's answer: `result` or `data`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  payload: any;
  reason: unknown;
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const type = headers.get("content-type") ?? "";
  const body = type.startsWith("application/json") ? parsed(text) : undefined;
  const [payload, reason] = [body?.result ?? body?.data, body?.error ?? body?.message];
  return { status, type, headers, text, body, payload, reason };
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}

function signed(authorization: string): Record<string, string> {
  return authorization === "" ? {} : { authorization };
}

/** Converts a request body for `fetch`: a text is sent as it is, anything else as JSON. */
function contentOf(method: string, body: unknown, headers: Record<string, string>) {
  return {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  };
}

export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return answerOf(await fetch(url, contentOf(method, body, headers)));
}

/** The parts of a sandbox that tests need, whether or not it has a server. */
type SandboxView = Pick<Sandbox, "requests" | "store" | "rewrites" | "faults" | "reset">;

/** A sandbox in the process of the test, without a server. Tests set its clock ahead. */
export interface InProcess extends SandboxView {
  readonly model: Model;
  pass(milliseconds: number): void;
}

/** A client of a sandbox for tests, which signs its requests with the seeded credentials. */
export class Client<Kind extends SandboxView = InProcess> {
  private constructor(
    readonly sandbox: Kind,
    readonly ask: (
      api: ApiName,
      method: string,
      path: string,
      body?: unknown,
      headers?: Record<string, string>,
    ) => Promise<Answer>,
    private readonly dialect: SandboxOptions["dialect"],
  ) {}

  static async start(options: SandboxOptions = {}): Promise<Client<Sandbox>> {
    const sandbox = await createSandbox(options);
    const origins = { management: sandbox.baseUrl, observability: sandbox.obsBaseUrl };
    return new Client(
      sandbox,
      (api, method, path, body, headers) => send(method, origins[api] + path, body, headers),
      options.dialect,
    );
  }

  /** Starts a sandbox in the process of the test, for tests that need no sockets, and a client of it. */
  static inProcess({ faults = [], ...options }: SandboxOptions = {}): Client {
    let passed = 0;
    const clock = () => Date.now() + passed;
    // Each answer in the dialect of the product is compared with the product's documents.
    const judge = options.dialect === "clickhouse" && { ...product, requestFailure: () => undefined };
    const model = new Model({ ...options, clock, ...(judge && { judge }) });
    void model.faults.set(faults);
    const pass = (milliseconds: number) => {
      passed += milliseconds;
      model.advance(clock());
    };
    const { store, rewrites: active, faults: script, journal } = model;
    return new Client<InProcess>(
      {
        model,
        store,
        rewrites: active,
        faults: script,
        requests: journal.entries,
        reset: () => model.reset(),
        pass,
      },
      async (api, method, url, body, headers = {}) => {
        const { answer } = model.handle(api, { url, ...contentOf(method, body, headers) }, clock());
        if (!answer || typeof answer.body !== "string") throw new TypeError("fetch failed");
        const { status } = answer;
        return answerOf(
          new Response(status === 204 ? null : answer.body, { status, headers: answer.headers }),
        );
      },
      options.dialect,
    );
  }

  organization(method: string, path: string, body?: unknown, authorization = basic(keyId, keySecret)) {
    return this.ask(
      "management",
      method,
      `/v1/organizations/${organizationId}${path}`,
      body,
      signed(authorization),
    );
  }

  service(method: string, path: string, body?: unknown) {
    return this.organization(method, `/services/${serviceId}${path}`, body);
  }

  secondService(method: string, path: string, body?: unknown) {
    return this.organization(method, `/services/${secondServiceId}${path}`, body);
  }

  observability(method: string, path: string, body?: unknown, authorization = `Bearer ${accessToken}`) {
    return this.ask("observability", method, `/api/v2${path}`, body, signed(authorization));
  }

  stack(api: ApiName, method: string, path: string, body?: unknown) {
    const stack = this.dialect === "clickhouse" ? "/clickstack" : "/stack";
    return api === "management"
      ? this.service(method, stack + path, body)
      : this.observability(method, path, body);
  }
}

/**
 * Makes a client with a sandbox in the process of the test, which is reset before each test of the surrounding `describe`
 * block.
 */
export function useSandbox(options: SandboxOptions = {}): Client {
  const client = Client.inProcess(options);
  beforeEach(async () => {
    await client.sandbox.faults.clear();
    client.sandbox.rewrites.clear();
    await client.sandbox.reset();
  });
  return client;
}

export const tile = {
  ...{ name: "Requests", x: 0, y: 0, w: 12, h: 4 },
  series: [{ type: "time", dataSource: "events", aggFn: "count", where: "", groupBy: ["ServiceName"] }],
};

export const dashboard = {
  name: "Overview",
  tiles: [tile, { ...tile, name: "Errors", x: 12 }],
  tags: ["a", "b"],
};

export const alert = {
  ...{ name: "Too many", message: "Look at it", source: "search" },
  ...{ threshold: 5, thresholdType: "above", interval: "5m" },
  channel: { type: "webhook", webhookId },
};

export async function createTileAlert(client: Client<SandboxView>, position = 0, change: object = {}) {
  const { payload: board } = await client.service("POST", "/stack/dashboards", dashboard);
  const place = { source: "tile", dashboardId: board.id, tileId: board.tiles[position].id };
  const body = { ...alert, ...place, ...change };
  return { board, body, alert: (await client.service("POST", "/stack/alerts", body)).payload };
}
