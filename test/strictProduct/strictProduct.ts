import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import {
  type Collections,
  credentials,
  found,
  type Handler,
  missing,
  type Outcome,
  path,
  type Routes,
  refusedBody,
  removed,
  type Stored,
} from "./routes";
import { failureIn } from "./schemas";
import { logs, stackRoutes } from "./stackRoutes";

/** A server with the product's vocabulary only, written independently of the sandbox. */
export interface StrictProduct extends Collections {
  readonly url: string;
  readonly credentials: typeof credentials;
  /** Method, path and status of every request, oldest first. */
  readonly lines: string[];
  readonly service: Stored;
  readonly keys: Map<string, Stored>;
  queryEndpoint: Stored | undefined;
  close(): Promise<void>;
}

const emptySource = {
  ...{ kafka: null, objectStorage: null, kinesis: null, postgres: null },
  ...{ mysql: null, mongodb: null, bigquery: null, pubsub: null },
};

const pipe: Stored = {
  id: "4f0c9f43-9c1d-46a0-8c11-7b0f0f0e27a2",
  serviceId: credentials.serviceId,
  name: "orders",
  state: "Running",
  source: {
    ...emptySource,
    kafka: { type: "msk", brokers: "b:9092", topics: "orders", consumerGroup: null },
  },
  destination: { database: "default", table: "orders" },
  settings: { clickhouse_max_threads: 8 },
};
const reversePrivateEndpoints = [
  { id: "8e91b3a5-f204-4f38-8d60-c6a1e9d42b57", type: "MSK", status: "Ready" },
];

/** Rows as newer servers return them for `column` queries: 64-bit integers are strings. */
const rows = [
  { series_0: "5", __hdx_time_bucket: "2025-06-15T15:10:00Z", teamId: "a" },
  { series_0: "7", __hdx_time_bucket: "2025-06-15T15:10:00Z", teamId: "b" },
];

/** Starts both APIs at one address: their paths do not overlap. */
export async function startStrictProduct(): Promise<StrictProduct> {
  const base = `/v1/organizations/${credentials.organizationId}`;
  const product = {
    credentials,
    lines: [] as string[],
    service: {
      id: credentials.serviceId,
      name: "warehouse",
      clickhouseVersion: "25.8",
      ...{ provider: "aws", region: "eu-central-1", state: "running", releaseChannel: "default", tags: [] },
      autoscalingMode: "vertical",
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
    sources: new Map([[logs.id, logs]]),
    webhooks: new Map<string, Stored>(),
    savedSearches: new Map<string, Stored>(),
    connections: new Map([
      [String(logs.connection), { id: String(logs.connection), name: "Default" } as Stored],
    ]),
    queryEndpoint: undefined as Stored | undefined,
  };
  const answeredService = () => ({ result: { ...product.service, ...scalingOf(product.service) } });
  const scale: Handler = (_id, body) => {
    const { minReplicas, maxReplicas, numReplicas } = body;
    if ((minReplicas === undefined) !== (maxReplicas === undefined) || (minReplicas && numReplicas))
      return refusedBody("minReplicas and maxReplicas go together, and without numReplicas");
    Object.assign(product.service, body);
    return answeredService();
  };
  const routes: Routes = [
    ["PATCH", path("/scaling"), scale, "scaling"],
    ["PATCH", path("/replicaScaling"), scale, "replicaScaling"],
    ["GET", path(""), answeredService],
    ["GET", /^\/services$/, () => ({ result: [answeredService().result] })],
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
    ["PATCH", /^\/keys\/([^/]+)$/, (id, body) => changedKey(product.keys, id, body), "updateKey"],
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
    const unexpected = sent === "" ? undefined : "no body expected";
    const failure = bodyName === "any" ? undefined : bodyName ? failureIn(bodyName, body) : unexpected;
    const outcome = failure ? refusedBody(failure) : handle(match[1] ?? "", body);
    if ("error" in outcome) {
      const { status, error } = outcome;
      return answer(
        status,
        JSON.stringify(isManagement ? { status, error, requestId: randomUUID() } : { message: error }),
      );
    }
    const { result, meta, isBare } = outcome;
    const payload = result === undefined ? {} : { [isManagement ? "result" : "data"]: result };
    const envelope = isBare ? (result as object) : { ...payload, ...(meta && { meta }) };
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

function routeOf(routes: Routes, method: string, own: string) {
  const route = routes.find(([verb, pattern]) => verb === method && pattern.test(own));
  return [route, route?.[1].exec(own)] as const;
}

/** The scaling in force. */
function scalingOf({ autoscalingMode, numReplicas, ...service }: Stored): object {
  return {
    currentScaling: {
      effectiveAutoscalingMode: autoscalingMode,
      effectiveMinReplicas: service.minReplicas ?? numReplicas,
      effectiveMaxReplicas: service.maxReplicas ?? numReplicas,
      effectiveMinReplicaMemoryGb: service.minReplicaMemoryGb,
      effectiveMaxReplicaMemoryGb: service.maxReplicaMemoryGb,
      effectiveIdleScaling: service.idleScaling,
      effectiveIdleTimeoutMinutes: service.idleTimeoutMinutes,
    },
  };
}

function createKey(keys: Map<string, Stored>, { hashData, assignedRoleIds, ...body }: Stored): Outcome {
  const key = {
    state: "enabled",
    roles: [],
    expireAt: null,
    ...body,
    assignedRoles: [],
    ...rolesOf(body.roles, assignedRoleIds),
    id: randomUUID(),
    keySuffix: "abcd",
    createdAt: "2026-01-01T00:00:00Z",
  };
  keys.set(key.id, key);
  const pair = hashData ? {} : { keyId: "newKeyId", keySecret: "newKeySecret-5f4e3d2c1b" };
  return { result: { key, ...pair } };
}

function changedKey(keys: Map<string, Stored>, id: string, { assignedRoleIds, ...body }: Stored): Outcome {
  const key = keys.get(id);
  if (!key) return missing("key");
  return { result: Object.assign(key, body, rolesOf(body.roles, assignedRoleIds)) };
}

/** The roles that a body assigns, as answers show them; nothing where it says nothing of them. */
function rolesOf(roles: unknown, assignedRoleIds: unknown): object {
  if (Array.isArray(assignedRoleIds))
    return {
      assignedRoles: assignedRoleIds.map((roleId) => ({ roleId, roleName: "custom", roleType: "custom" })),
    };
  if (!Array.isArray(roles)) return {};
  return {
    assignedRoles: roles.map((role) => ({ roleId: `system-${role}`, roleName: role, roleType: "system" })),
  };
}
