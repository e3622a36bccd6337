import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { type BodyName, faultIn } from "./schemas";

interface Stored {
  id: string;
  [member: string]: unknown;
}

/** What a route answers: a result, or an error with its status. */
type Outcome = { readonly result?: unknown } | { readonly status: number; readonly error: string };
type Handler = (id: string, body: Stored) => Outcome;

/** A server that speaks the product's words only, written without looking at the sandbox. */
export interface FakeProduct {
  readonly url: string;
  readonly credentials: typeof credentials;
  /** Method, path and status of every request, oldest first. */
  readonly lines: string[];
  readonly service: Stored;
  readonly keys: Map<string, Stored>;
  readonly dashboards: Map<string, Stored>;
  readonly alerts: Map<string, Stored>;
  queryEndpoint: Stored | undefined;
  close(): Promise<void>;
}

const credentials = {
  organizationId: "9a7c1f04-5e2b-4d86-b3a1-0c8d6e5f4a21",
  serviceId: "1be2d3c4-a5f6-4708-91b2-c3d4e5f60718",
  keyId: "FakeProductKey123",
  keySecret: "FakeProductSecret-0a9b8c7d6e5f",
  accessToken: "fake-product-token-11aa22bb33cc",
};

const webhooks = [
  { id: "77aa00000000000000000001", name: "on-call", service: "generic", url: "https://a.example" },
];
const sources = [{ id: "77aa00000000000000000002", name: "Logs", kind: "log" }];

const pipe: Stored = {
  id: "4f0c9f43-9c1d-46a0-8c11-7b0f0f0e27a2",
  serviceId: credentials.serviceId,
  name: "orders",
  state: "Running",
  source: { kafka: { type: "msk", brokers: "b:9092", topics: "orders" } },
  destination: { database: "default", table: "orders" },
  settings: { clickhouse_max_threads: 8 },
};
const reversePrivateEndpoints = [
  { id: "8e91b3a5-f204-4f38-8d60-c6a1e9d42b57", type: "MSK", status: "Ready" },
];

/** Rows as the newer server answers them where columns are asked for: 64-bit integers are text. */
const rows = [
  { series_0: "5", __hdx_time_bucket: "2025-06-15T15:10:00Z", teamId: "a" },
  { series_0: "7", __hdx_time_bucket: "2025-06-15T15:10:00Z", teamId: "b" },
];

const missing = (what: string): Outcome => ({ status: 404, error: `${what} not found` });
const refusedBody = (error: string): Outcome => ({ status: 400, error });

/** Starts the product: both APIs at one address, as their paths do not overlap. */
export async function startFakeProduct(): Promise<FakeProduct> {
  const base = `/v1/organizations/${credentials.organizationId}`;
  const product = {
    credentials,
    lines: [] as string[],
    service: {
      id: credentials.serviceId,
      name: "warehouse",
      clickhouseVersion: "25.8",
      ...{
        numReplicas: 3,
        idleScaling: true,
        idleTimeoutMinutes: 15,
        minReplicaMemoryGb: 8,
        maxReplicaMemoryGb: 16,
      },
    } as Stored,
    keys: new Map<string, Stored>(),
    dashboards: new Map<string, Stored>(),
    alerts: new Map<string, Stored>(),
    queryEndpoint: undefined as Stored | undefined,
  };
  const scale: Handler = (_id, body) => ({ result: Object.assign(product.service, body) });
  const routes: [string, RegExp, Handler, BodyName?][] = [
    ["PATCH", path("/scaling"), scale, "scaling"],
    ["PATCH", path("/replicaScaling"), scale, "replicaScaling"],
    ["GET", path(""), () => ({ result: product.service })],
    ["GET", path("/serviceQueryEndpoint"), () => found(product.queryEndpoint, "query endpoint")],
    [
      "POST",
      path("/serviceQueryEndpoint"),
      (_id, body) => {
        product.queryEndpoint = { ...body, id: "endpoint" };
        return { result: product.queryEndpoint };
      },
      "queryEndpoint",
    ],
    [
      "DELETE",
      path("/serviceQueryEndpoint"),
      () => {
        product.queryEndpoint = undefined;
        return {};
      },
    ],
    ["GET", path("/clickpipes"), () => ({ result: [pipe] })],
    ["GET", path("/clickpipes/([^/]+)"), (id) => found(id === pipe.id ? pipe : undefined, "pipe")],
    [
      "GET",
      path("/clickpipes/([^/]+)/settings"),
      (id) => (id === pipe.id ? { result: pipe.settings } : missing("pipe")),
    ],
    ["GET", path("/clickpipesReversePrivateEndpoints"), () => ({ result: reversePrivateEndpoints })],
    ["GET", /^\/keys$/, () => ({ result: [...product.keys.values()] })],
    ["POST", /^\/keys$/, (_id, body) => createKey(product.keys, body), "createKey"],
    ["PATCH", /^\/keys\/([^/]+)$/, (id, body) => change(product.keys, id, body), "updateKey"],
    ["DELETE", /^\/keys\/([^/]+)$/, (id) => removed(product.keys, id)],
    ...stackRoutes("clickstack", product),
  ];
  const observability: Routes = [
    ["POST", /^\/api\/v2\/charts\/series$/, () => ({ result: rows }), "chartSeries"],
    ...stackRoutes("api", product),
  ];

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks).toString();
    const [wholePath = "", method = ""] = [request.url, request.method];
    const isManagement = wholePath.startsWith(base);
    const own = isManagement ? wholePath.slice(base.length) : wholePath;
    const answer = (status: number, body: string, type = "application/json") => {
      product.lines.push(`${method} ${own.replace(`/services/${credentials.serviceId}`, "")} ${status}`);
      response.writeHead(status, { "content-type": type }).end(body);
    };
    const pair = Buffer.from(`${credentials.keyId}:${credentials.keySecret}`).toString("base64");
    const expected = isManagement ? `Basic ${pair}` : `Bearer ${credentials.accessToken}`;
    if (request.headers.authorization !== expected) return answer(401, "Unauthorized", "text/plain");
    const [route, match] = routeOf(isManagement ? routes : observability, method, own);
    if (!route || !match) return answer(404, `<pre>Cannot ${method} ${wholePath}</pre>`, "text/html");
    const [, , handle, bodyName] = route;
    const body = sent === "" ? undefined : JSON.parse(sent);
    const fault = bodyName ? faultIn(bodyName, body) : sent && "no body expected";
    const outcome = fault ? refusedBody(fault) : handle(match[1] ?? "", body);
    if ("error" in outcome) {
      const { status, error } = outcome;
      return answer(
        status,
        JSON.stringify(isManagement ? { status, error, requestId: randomUUID() } : { message: error }),
      );
    }
    const { result } = outcome;
    const envelope = result === undefined ? {} : { [isManagement ? "result" : "data"]: result };
    answer(
      200,
      JSON.stringify(isManagement ? { status: 200, requestId: randomUUID(), ...envelope } : envelope),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(product, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  });
}

function path(rest: string): RegExp {
  return new RegExp(`^/services/${credentials.serviceId}${rest}$`);
}

type Routes = [string, RegExp, Handler, BodyName?][];

function routeOf(routes: Routes, method: string, own: string) {
  const route = routes.find(([verb, pattern]) => verb === method && pattern.test(own));
  return [route, route?.[1].exec(own)] as const;
}

/** The same nouns, under a service of the management API or on the observability API. */
function stackRoutes(
  where: "clickstack" | "api",
  { dashboards, alerts }: Pick<FakeProduct, "dashboards" | "alerts">,
): Routes {
  const at = (rest: string) =>
    where === "api" ? new RegExp(`^/api/v2/${rest}$`) : path(`/clickstack/${rest}`);
  const saveDashboard = (
    known: Stored | undefined,
    { tags = known?.tags ?? [], ...body }: Stored,
  ): Outcome => {
    const ids = new Set((known?.tiles as Stored[] | undefined)?.map(({ id }) => id));
    const tiles = (body.tiles as Stored[]).map((tile) => answeredTile(tile, ids));
    const id = known?.id ?? objectId();
    const result = { ...body, id, tags, tiles };
    dashboards.set(id, result);
    // Alerts go with their tiles.
    for (const alert of alerts.values()) {
      if (alert.dashboardId === id && !tiles.some((tile) => tile.id === alert.tileId))
        alerts.delete(alert.id);
    }
    return { result };
  };
  const saveAlert = (known: Stored | undefined, body: Stored): Outcome => {
    const [channel] = (body.channels as Stored[] | undefined) ?? [body.channel as Stored];
    if (!webhooks.some(({ id }) => id === channel?.webhookId)) return refusedBody("Webhook not found");
    const tiles = dashboards.get(String(body.dashboardId))?.tiles as Stored[] | undefined;
    if (body.source === "tile" && !tiles?.some(({ id }) => id === body.tileId))
      return refusedBody("Tile not found");
    const id = known?.id ?? objectId();
    const { name = null, message = null } = body;
    const channels = body.channels ?? [channel];
    const result = { ...known, ...body, id, name, message, channel, channels, teamId: "team", state: "OK" };
    alerts.set(id, result);
    return { result };
  };
  return [
    ["GET", at("sources"), () => ({ result: sources })],
    ["GET", at("webhooks"), () => ({ result: webhooks })],
    ["GET", at("dashboards"), () => ({ result: [...dashboards.values()] })],
    ["POST", at("dashboards"), (_id, body) => saveDashboard(undefined, body), "dashboard"],
    [
      "PUT",
      at("dashboards/([^/]+)"),
      (id, body) => (dashboards.has(id) ? saveDashboard(dashboards.get(id), body) : missing("Dashboard")),
      "dashboard",
    ],
    [
      "DELETE",
      at("dashboards/([^/]+)"),
      (id) => {
        for (const alert of alerts.values()) if (alert.dashboardId === id) alerts.delete(alert.id);
        return removed(dashboards, id);
      },
    ],
    ["GET", at("alerts"), () => ({ result: [...alerts.values()] })],
    ["POST", at("alerts"), (_id, body) => saveAlert(undefined, body), "alert"],
    [
      "PUT",
      at("alerts/([^/]+)"),
      (id, body) => (alerts.has(id) ? saveAlert(alerts.get(id), body) : missing("Alert")),
      "alert",
    ],
    ["DELETE", at("alerts/([^/]+)"), (id) => removed(alerts, id)],
  ];
}

/** Newer servers answer every tile with `config`, and know no `dataSource`. */
function answeredTile({ series, asRatio = false, ...tile }: Stored, known: ReadonlySet<string>): Stored {
  const id = known.has(tile.id) ? tile.id : objectId();
  if (series === undefined) return { ...tile, id };
  const all = series as { type: string; sourceId?: string; groupBy?: string[]; [member: string]: unknown }[];
  const displayType = all[0]?.type === "time" ? "line" : all[0]?.type;
  const groupBy = all[0]?.groupBy?.join(",");
  const select = all.map(({ aggFn = "count", field = "", where = "", whereLanguage = "lucene", ...one }) => ({
    aggFn,
    valueExpression: field,
    where,
    whereLanguage,
    ...(one.level === undefined ? {} : { level: one.level }),
    ...(one.alias === undefined ? {} : { alias: one.alias }),
  }));
  const sourceId = all[0]?.sourceId ?? sources[0]?.id;
  const config = { displayType, sourceId, asRatio, ...(groupBy ? { groupBy } : {}), select };
  return { ...tile, id, config };
}

function createKey(keys: Map<string, Stored>, { hashData, ...body }: Stored): Outcome {
  const key = {
    state: "enabled",
    ...body,
    id: randomUUID(),
    keySuffix: "abcd",
    createdAt: "2026-01-01T00:00:00Z",
  };
  keys.set(key.id, key);
  const pair = hashData ? {} : { keyId: "newKeyId", keySecret: "newKeySecret-5f4e3d2c1b" };
  return { result: { key, ...pair } };
}

function found(object: Stored | undefined, what: string): Outcome {
  return object ? { result: object } : missing(what);
}

function change(objects: Map<string, Stored>, id: string, body: Stored): Outcome {
  const object = objects.get(id);
  return object ? { result: Object.assign(object, body) } : missing("object");
}

function removed(objects: Map<string, Stored>, id: string): Outcome {
  return objects.delete(id) ? {} : missing("object");
}

function objectId(): string {
  return randomBytes(12).toString("hex");
}
