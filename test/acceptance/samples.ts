import { setTimeout as pause } from "node:timers/promises";
import { isObject } from "../../provider/values/data";
import type { Api } from "../productJudge";
import { prometheus } from "../unit/resources/dashboardWholes";
import { organizationId, serviceId } from "../unit/resources/example";
import { home } from "../unit/resources/home";
import { sourcesByKind } from "../unit/resources/source.example";
import { contentOf } from "./client";
import type { Order } from "./gate";
import type { Target } from "./target";

/** The objects of the sandbox to which the example programs refer: the id in the programs, the path, and a body to create it. */
type Sample = readonly [id: string, path: string, body: object];

const connection = "65f1c0a2b3d4e5f607182900";
const logs = "65f1c0a2b3d4e5f607182911";

// A server requires the name of a table also of metrics, which are in several: the provider sends an empty one, too.
const metric = { ...sourcesByKind.metric, from: { databaseName: "otel", tableName: "" } };
const sources: readonly Sample[] = [
  [logs, "sources", { ...sourcesByKind.log, name: "Logs" }],
  ["65f1c0a2b3d4e5f607182912", "sources", { ...sourcesByKind.trace, name: "Traces", durationPrecision: 3 }],
  ["65f1c0a2b3d4e5f607182913", "sources", { ...metric, name: "Metrics" }],
  [prometheus, "sources", { ...sourcesByKind.promql, name: "Prometheus" }],
];

const hook = { service: "generic", url: "https://hooks.example.com/on-call" };
const contents: readonly Sample[] = [
  ["65f1c0a2b3d4e5f607182921", "webhooks", { ...hook, name: "on-call" }],
  ["aaaaaaaaaaaaaaaaaaaaaaa6", "webhooks", { ...hook, name: "of somebody else" }],
  [
    "65f1c0a2b3d4e5f607182931",
    "saved-searches",
    { name: "Errors", sourceId: logs, where: "SeverityText:error" },
  ],
  [
    "65f1c0a2b3d4e5f607182932",
    "saved-searches",
    { name: "Warnings", sourceId: logs, where: "SeverityText:warn" },
  ],
  [
    home.id,
    "dashboards",
    {
      ...{ name: "Home", tags: [] },
      tiles: [
        {
          ...{ name: "Errors", x: 0, y: 0, w: 12, h: 4 },
          config: { displayType: "number", sourceId: logs, select: [{ aggFn: "count", where: "" }] },
        },
      ],
    },
  ],
];

/**
 * Creates on a real server, through the gate, what every sandbox has and the example programs refer to.
 * @param address the gate's
 * @param order tells the gate, among other things, for which id of the sandbox an id of the server stands
 */
export async function createSamples(
  target: Target,
  address: string,
  order: (order: Order) => Promise<void>,
): Promise<void> {
  const lets = (sample: string, real: string) => order({ kind: "let", sample, real });
  const api: Api = target.organizationId ? "management" : "observability";
  if (target.organizationId) await lets(organizationId, target.organizationId);
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { "x-acceptance": "sample", "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return contentOf(answer);
  };
  let place = "/api/v2";
  if (api === "management") {
    await lets(serviceId, `${target.serviceId}`);
    await createAccess(ask, lets);
    if (target.isBilled)
      await order({ kind: "let service", sample: serviceId, own: await createService(ask) });
    place = `/v1/organizations/${organizationId}/services/${serviceId}/clickstack`;
  }
  await lets(connection, await connectionFor(api, place, ask));
  for (const [sample, path, body] of [...sources, ...contents]) {
    const created = await ask("POST", `${place}/${path}`, body);
    const { id, tiles } = created as { id: string; tiles?: { id: string }[] };
    await lets(sample, id);
    if (sample === home.id && tiles?.[0]) await lets(home.tileId, tiles[0].id);
  }
}

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

/** Creates a service for the types that are about the service itself, waits until it runs, and returns its id. */
async function createService(ask: Ask): Promise<string> {
  const services = `/v1/organizations/${organizationId}/services`;
  const body = { name: "service", provider: "aws", region: "eu-central-1", ipAccessList: [] };
  const { service } = (await ask("POST", services, body)) as { service: { id: string } };
  for (let looks = 1; ; looks++) {
    const { state } = Object(await ask("GET", `${services}/${service.id}`));
    if (state === "running" || state === "idle") return service.id;
    if (looks === 100) throw new Error(`the service ${service.id} is still ${state}`);
    await pause(Math.min(10_000, 250 * 2 ** Math.min(looks, 6)));
  }
}

/** Creates an API key and roles, and finds the roles that every organization has. */
async function createAccess(ask: Ask, lets: (sample: string, real: string) => Promise<void>): Promise<void> {
  const organization = `/v1/organizations/${organizationId}`;
  const present = await ask("GET", `${organization}/roles`);
  for (const [sample, name] of systemRoles) {
    const role = (present as { id: string; name: string }[]).find((each) => each.name.toLowerCase() === name);
    if (role) await lets(sample, role.id);
  }
  for (const [sample, name] of customRoles) {
    const policy = {
      ...{ allowDeny: "ALLOW", permissions: ["control-plane:service:view"] },
      resources: [`instance/${serviceId}`],
    };
    const role = await ask("POST", `${organization}/roles`, { name, policies: [policy], actors: [] });
    await lets(sample, (role as { id: string }).id);
  }
  const { key } = (await ask("POST", `${organization}/keys`, { name: "reader" })) as { key: { id: string } };
  await lets("c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204", key.id);
}

const systemRoles = [
  ["0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a01", "admin"],
  ["0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a02", "developer"],
  ["0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a03", "query_endpoints"],
] as const;
const customRoles = [
  ["0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a04", "Dashboards"],
  ["5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11", "Reports"],
] as const;

/** Creates a connection, or takes that of a source, where the API has no connections. */
async function connectionFor(api: Api, place: string, ask: Ask): Promise<string> {
  if (api === "observability") {
    const body = { name: "ClickHouse", host: "http://127.0.0.1:8123", username: "default", password: "" };
    return ((await ask("POST", `${place}/connections`, body)) as { id: string }).id;
  }
  const present = await ask("GET", `${place}/sources`);
  const [first] = (Array.isArray(present) ? present : []).filter(isObject);
  if (first === undefined)
    throw new Error(
      "the service has no source of data yet: open its page of dashboards once, which makes them",
    );
  return String(first.connection);
}
