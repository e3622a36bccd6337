import { expect } from "chai";
import type { TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { createSandbox, type OperationName, type Sandbox, type Service } from "../../../sandbox/index";
import { Declared, sessionOf } from "../drift/fixture";
import { type Setup, setups } from "../resources/life";

/** How many objects of each type a stack has; as many alerts as servers have entries on a page. */
const objects = 6;
const alerts = 100;

/** What each command sends, by operation; `missing` are routes that the server does not have. */
type Counts = { readonly [operation in OperationName | "missing"]?: number };

const each = objects;

const looks = { listWebhooks: 1, listSavedSearches: 1, listDashboards: 1, listAlerts: 1 };
const creations = {
  ...looks,
  createWebhook: each,
  createSavedSearch: each,
  createDashboard: each,
  createAlert: alerts,
};
const updates = {
  ...looks,
  updateWebhook: each,
  updateSavedSearch: each,
  updateDashboard: each,
  updateAlert: alerts,
};
// One list of the alerts tells of all dashboards and webhooks which alerts use them.
const deletions = {
  deleteAlert: alerts,
  listAlerts: 1,
  deleteDashboard: each,
  deleteSavedSearch: each,
  deleteWebhook: each,
};

const ofOrganization = (scaling: "updateScaling" | "updateReplicaScaling") => ({
  up: {
    listKeys: 1,
    createKey: each,
    getService: each,
    [scaling]: each,
    getQueryEndpoint: each,
    putQueryEndpoint: each,
  },
  update: {
    listKeys: 1,
    updateKey: each,
    getService: each,
    [scaling]: each,
    getQueryEndpoint: each,
    putQueryEndpoint: each,
  },
  refresh: { listKeys: 1, getQueryEndpoint: each },
  // Scalings stay.
  destroy: { deleteKey: each, deleteQueryEndpoint: each },
});

const connections = {
  up: { listConnections: 1, createConnection: each },
  update: { listConnections: 1, updateConnection: each },
  refresh: { listConnections: 1 },
  destroy: { listSources: 1, listDashboards: 1, deleteConnection: each },
};

const expected: {
  readonly [setup in keyof typeof setups]: { readonly [command: string]: Counts };
} = {
  "both APIs of the document": {
    // This API has no list of services: each endpoint that is not there yet is confirmed by its service.
    up: {
      ...creations,
      ...connections.up,
      ...ofOrganization("updateScaling").up,
      missing: 1,
      getService: 2 * each,
    },
    refresh: {
      ...looks,
      ...connections.refresh,
      ...ofOrganization("updateScaling").refresh,
      missing: 1,
      getService: each,
    },
    "no-op up": {},
    "up after a change": { ...updates, ...connections.update, ...ofOrganization("updateScaling").update },
    destroy: { ...deletions, ...connections.destroy, ...ofOrganization("updateScaling").destroy },
  },
  "the product's management API alone": {
    up: { ...creations, ...ofOrganization("updateReplicaScaling").up, listServices: 1 },
    refresh: { ...looks, ...ofOrganization("updateReplicaScaling").refresh, listServices: 1 },
    "no-op up": {},
    "up after a change": { ...updates, ...ofOrganization("updateReplicaScaling").update },
    destroy: { ...deletions, ...ofOrganization("updateReplicaScaling").destroy },
  },
  "an observability server alone": {
    up: { ...creations, ...connections.up },
    refresh: { ...looks, ...connections.refresh },
    "no-op up": {},
    "up after a change": { ...updates, ...connections.update },
    destroy: { ...deletions, ...connections.destroy },
  },
};

/** Programs by type, before and after a change, in the order in which the engine creates the objects. */
function programsFor(sandbox: Sandbox, { dialect, apis }: Setup, services: readonly string[]) {
  const isProduct = dialect === "clickhouse";
  const [sourceId] = sandbox.store.sources.keys();
  const [webhookId] = sandbox.store.webhooks.keys();
  const series = isProduct
    ? { type: "time", aggFn: "count", where: "", groupBy: [], sourceId, whereLanguage: "lucene" }
    : { type: "time", aggFn: "count", where: "", groupBy: ["host"] };
  const programs: { readonly [type in TypeName]?: (index: number, made: Made) => readonly [Data, Data] } = {
    ApiKey: (index) => [{ name: `Key ${index}`, roles: ["developer"] }, { roles: ["admin"] }],
    ServiceScaling: (index) => [
      isProduct
        ? { serviceId: services[index], minReplicaMemoryGb: 16, maxReplicaMemoryGb: 32 }
        : { serviceId: services[index], numReplicas: 2 },
      isProduct ? { maxReplicaMemoryGb: 64 } : { numReplicas: 3 },
    ],
    QueryEndpoint: (index, made) => [
      {
        serviceId: services[index],
        roles: ["sql_console_read_only"],
        openApiKeys: [made.ApiKey?.id],
        allowedOrigins: "https://a.example.com",
      },
      { allowedOrigins: "https://b.example.com" },
    ],
    Webhook: (index) => [
      { name: `Hook ${index}`, service: "generic", url: "https://example.com/hook" },
      { description: "Pages whoever is on call" },
    ],
    Connection: (index) => [
      { name: `Lake ${index}`, host: "https://lake.example.com", username: "reader" },
      { username: "writer" },
    ],
    SavedSearch: (index) => [
      {
        name: `Search ${index}`,
        sourceId,
        select: "Body",
        where: "SeverityText:error",
        whereLanguage: "lucene",
      },
      { where: "SeverityText:warn" },
    ],
    Dashboard: (index) => [
      { name: `Board ${index}`, tiles: [{ name: "Errors", x: 0, y: 0, w: 8, h: 6, series: [series] }] },
      { tags: ["production"] },
    ],
    Alert: (index, made) => [
      {
        name: `Alert ${index}`,
        ...{ threshold: index, thresholdType: "above", interval: "5m" },
        ...{ source: "tile", dashboardId: made.Dashboard?.id },
        tileId: (made.Dashboard?.state.tileIds as { Errors?: string } | undefined)?.Errors,
        channel: { type: "webhook", webhookId },
      },
      { threshold: 1000 + index },
    ],
  };
  const isServed = (type: string) =>
    apis === "management"
      ? type !== "Connection"
      : apis === "both" || !["ApiKey", "ServiceScaling", "QueryEndpoint"].includes(type);
  return Object.entries(programs).filter(([type]) => isServed(type)) as [
    TypeName,
    NonNullable<(typeof programs)[TypeName]>,
  ][];
}

/** One object of each type that exists already. */
type Made = { [type in TypeName]?: Declared };

describe("the requests of a stack", () => {
  for (const [name, setup] of Object.entries(setups)) {
    it(`are one list of each kind and one write of each object: ${name}`, async () => {
      const { dialect, apis } = setup;
      const sandbox = await createSandbox({ dialect, apis });
      try {
        const services = Array.from({ length: objects }, (_, index) => addService(sandbox, index));
        const kinds = programsFor(sandbox, setup, services);
        const made: Made = {};
        const stack: { declared: Declared; change: Data }[][] = [];
        const opened = () => sessionOf(sandbox, { dialect, requestsPerSecond: "1000" });

        const { session, warnings } = opened();
        for (const [type, programOf] of kinds) {
          const count = type === "Alert" ? alerts : objects;
          const ofType = Array.from({ length: count }, (_, index) => {
            const [program, change] = programOf(index, made);
            return { declared: new Declared(type, program), change };
          });
          await Promise.all(ofType.map(({ declared }) => declared.up(session)));
          made[type] = ofType[0]?.declared;
          stack.push(ofType);
        }
        const sent: Record<string, Counts> = { up: countsIn(sandbox) };

        const refreshed = opened();
        await Promise.all(stack.flat().map(({ declared }) => declared.refresh(refreshed.session)));
        sent.refresh = countsIn(sandbox);

        const unchanged = opened();
        await Promise.all(stack.flat().map(({ declared }) => declared.up(unchanged.session)));
        sent["no-op up"] = countsIn(sandbox);

        const updated = opened();
        const changed = stack.map((ofType) =>
          ofType.map(({ declared: { type, program, id, state, inputs }, change }) =>
            Object.assign(new Declared(type, { ...program, ...change }), { id, state, inputs }),
          ),
        );
        await Promise.all(changed.flat().map((declared) => declared.up(updated.session)));
        sent["up after a change"] = countsIn(sandbox);

        const { session: destroying } = opened();
        for (const ofType of changed.reverse())
          await Promise.all(ofType.map((declared) => declared.delete(destroying)));
        sent.destroy = countsIn(sandbox);

        expect(sent).to.deep.equal(expected[name as keyof typeof setups]);
        expect([...warnings, ...refreshed.warnings, ...updated.warnings]).to.deep.equal([]);
      } finally {
        await sandbox.close();
      }
    });
  }
});

/** A copy of the second service, since the first is the primary one of its warehouse. */
function addService({ store, credentials }: Sandbox, index: number): string {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const model = store.services.get(credentials.secondServiceId) as Service;
  store.services.set(id, { ...structuredClone(model), id, name: `service ${index}` });
  return id;
}

/** The requests since the last time, by operation. */
function countsIn({ requests }: Sandbox): Counts {
  const counts: Record<string, number> = {};
  for (const { operation = "missing" } of requests.splice(0))
    counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}
