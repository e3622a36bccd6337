import { expect } from "chai";
import { createSandbox, type SandboxOptions } from "../../sandbox/src";
import { startFakeProduct } from "../fakeProduct/fakeProduct";
import { createWorkspace, type Workspace } from "./workspace";

/** The records of a service, which may be changed behind the provider's back. */
type Records = Map<string, { id: string; name?: unknown; threshold?: unknown; tiles?: unknown }>;

/** A running service, whichever it is. */
interface Service {
  readonly settings: Record<string, string>;
  /** Method, path and status of every request. */
  lines(): string[];
  readonly dashboards: Records;
  readonly alerts: Records;
  /** What a number of keys, query endpoints and replicas is left. */
  management(): { keys: number; endpoints: number; replicas: unknown; memory: unknown };
  close(): Promise<void>;
}

interface SetUp {
  readonly title: string;
  readonly dialect: "neutral" | "clickhouse";
  readonly apis: "both" | "management" | "observability";
  start(setUp: SetUp): Promise<Service>;
}

const setUps: SetUp[] = [
  { title: "a sandbox with both APIs", dialect: "neutral", apis: "both", start: startSandbox },
  {
    title: "a sandbox of the product with both APIs",
    dialect: "clickhouse",
    apis: "both",
    start: startSandbox,
  },
  {
    title: "a sandbox of the product with the management API alone",
    dialect: "clickhouse",
    apis: "management",
    start: startSandbox,
  },
  {
    title: "a sandbox of the product with the observability API alone",
    dialect: "clickhouse",
    apis: "observability",
    start: startSandbox,
  },
  { title: "a strict product with both APIs", dialect: "clickhouse", apis: "both", start: startProduct },
  {
    title: "a strict product with the management API alone",
    dialect: "clickhouse",
    apis: "management",
    start: startProduct,
  },
  {
    title: "a strict product with the observability API alone",
    dialect: "clickhouse",
    apis: "observability",
    start: startProduct,
  },
];

const webhookIds = { sandbox: "65f1c0a2b3d4e5f607182921", product: "77aa00000000000000000001" };

/** The settings that a user of these APIs has. The limits of the product would only make the test wait. */
function settingsOf(
  { dialect, apis }: SetUp,
  addresses: { baseUrl: string; obsBaseUrl: string },
  all: Record<"organizationId" | "serviceId" | "keyId" | "keySecret" | "accessToken", string>,
): Record<string, string> {
  const { organizationId, serviceId, keyId, keySecret, accessToken } = all;
  return {
    dialect,
    requestsPerSecond: "1000",
    ...(apis === "observability"
      ? {}
      : { baseUrl: addresses.baseUrl, organizationId, serviceId, keyId, keySecret }),
    ...(apis === "management" ? {} : { obsBaseUrl: addresses.obsBaseUrl, accessToken }),
  };
}

async function startSandbox(setUp: SetUp): Promise<Service> {
  const { dialect, apis } = setUp;
  const options: SandboxOptions = { dialect, apis, rewrites: ["defaults", "reorder", "movingState"] };
  const sandbox = await createSandbox(options);
  if (dialect === "clickhouse") sandbox.rewrites.add("seriesAsConfig");
  const { store, credentials } = sandbox;
  const before = store.keys.size;
  const prefix = `/v1/organizations/${credentials.organizationId}`;
  return {
    settings: settingsOf(setUp, sandbox, credentials),
    lines: () =>
      sandbox.requests.map(({ method, path, status }) => {
        const own = path.replace(prefix, "").replace(`/services/${credentials.serviceId}`, "");
        return `${method} ${own} ${status}`;
      }),
    dashboards: store.dashboards as unknown as Records,
    alerts: store.alerts as unknown as Records,
    management() {
      const { numReplicas, minReplicaMemoryGb } = store.services.get(credentials.serviceId) ?? {};
      const endpoints = store.queryEndpoints.size;
      return { keys: store.keys.size - before, endpoints, replicas: numReplicas, memory: minReplicaMemoryGb };
    },
    close: () => sandbox.close(),
  };
}

async function startProduct(setUp: SetUp): Promise<Service> {
  const product = await startFakeProduct();
  return {
    settings: settingsOf(setUp, { baseUrl: product.url, obsBaseUrl: product.url }, product.credentials),
    lines: () => [...product.lines],
    dashboards: product.dashboards,
    alerts: product.alerts,
    management: () => ({
      keys: product.keys.size,
      endpoints: product.queryEndpoint ? 1 : 0,
      replicas: product.service.numReplicas,
      memory: product.service.minReplicaMemoryGb,
    }),
    close: () => product.close(),
  };
}

/** Everything that the set-up has, at one threshold. */
function programOf({ dialect, apis, start }: SetUp, threshold: number): string {
  const isProduct = dialect === "clickhouse";
  const channel = {
    type: "webhook",
    webhookId: start === startSandbox ? webhookIds.sandbox : webhookIds.product,
  };
  const onSearch = isProduct
    ? {
        savedSearch: "65f1c0a2b3d4e5f607182931",
        groupBy: "ServiceName",
        channels: [channel],
        thresholdType: "between",
        thresholdMax: threshold + 1,
      }
    : { channel, thresholdType: "below" };
  const lines = isProduct
    ? {
        config: {
          displayType: "line",
          sourceId: "65f1c0a2b3d4e5f607182911",
          select: [{ aggFn: "count", where: "" }],
        },
      }
    : { series: [{ type: "number" }] };
  const memory = isProduct ? "minReplicaMemoryGb: 12, maxReplicaMemoryGb: 16" : "";
  const management = `
    new p.ServiceScaling("scaling", { numReplicas: 4, ${memory} });
    const key = new p.ApiKey("key", { roles: ["developer", "query_endpoints"] });
    new p.QueryEndpoint("endpoint", { roles: ["sql_console_read_only"], openApiKeys: [key.id], allowedOrigins: ["https://b.example", "https://a.example"] });`;
  return `const p = require("pipestack");
    ${apis === "observability" ? "" : management}
    const board = new p.Dashboard("board", { name: "Board", tags: ["b", "a"], tiles: [
      { name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count", where: "level:error", groupBy: ["host", "service"] }] },
      ${JSON.stringify({ name: `Over ${threshold}`, x: 12, y: 0, w: 6, h: 4, ...lines })},
    ] });
    new p.Alert("errors", { name: "Errors", source: "tile", dashboardId: board.id, tileId: board.tileIds.Errors,
      threshold: ${threshold}, thresholdType: "above", interval: "5m", channel: ${JSON.stringify(channel)} });
    new p.Alert("search", ${JSON.stringify({ source: "search", threshold, interval: "1h", ...onSearch })});
    exports.webhooks = p.getWebhooksOutput().apply((all) => all.length);
    exports.sources = p.getSourcesOutput().apply((all) => all.length);`;
}

for (const setUp of setUps) {
  describe(`All resources on ${setUp.title}`, () => {
    let service: Service;
    let workspace: Workspace;
    const { apis } = setUp;
    const [stackCount, count] = [3, apis === "observability" ? 3 : 6];
    let earlier = 0;

    before(async () => {
      service = await setUp.start(setUp);
      workspace = await createWorkspace({ settings: service.settings, program: programOf(setUp, 10) });
    });
    after(async () => {
      await workspace?.close();
      await service?.close();
    });

    /** The requests since the last look; each of them has to succeed. */
    function requests(): string[] {
      const lines = service.lines().slice(earlier);
      earlier += lines.length;
      expect(lines.filter((line) => !line.endsWith(" 200"))).to.deep.equal([]);
      return lines.map((line) => line.slice(0, -" 200".length));
    }
    const alertAt = (threshold: unknown) =>
      [...service.alerts.values()].filter((alert) => alert.threshold === threshold).length;

    it("are created, each by one request", async () => {
      const { summary } = await workspace.up();
      expect(summary).to.deep.equal({ create: count });
      const lines = requests();
      expect(lines.filter((line) => /^POST .*\/(dashboards|alerts)$/.test(line))).to.have.length(stackCount);
      expect([service.dashboards.size, service.alerts.size, alertAt(10)]).to.deep.equal([1, 2, 2]);
      const outputs = await workspace.outputs();
      expect(outputs.webhooks).to.be.greaterThan(0);
      expect(outputs.sources).to.be.greaterThan(0);
      if (apis === "observability") return;
      expect(service.management()).to.deep.equal({
        keys: 1,
        endpoints: 1,
        replicas: 4,
        memory: setUp.dialect === "clickhouse" ? 12 : 8,
      });
    });

    it("show no changes, before and after a refresh", async () => {
      await workspace.preview({ args: ["--expect-no-changes"] });
      await workspace.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(requests().every((line) => line.startsWith("GET "))).to.equal(true);
    });

    it("are updated in place, with the tiles that have alerts", async () => {
      const [alertIds, [dashboard]] = [[...service.alerts.keys()], service.dashboards.keys()];
      await workspace.write(programOf(setUp, 20));
      const { summary } = await workspace.up();
      expect([summary.update, summary.same ?? 0]).to.deep.equal([stackCount, count - stackCount]);
      expect([...service.alerts.keys()]).to.have.members(alertIds);
      expect([...service.dashboards.keys()]).to.deep.equal([dashboard]);
      expect(alertAt(20)).to.equal(2);
      const puts = requests().filter((line) => line.startsWith("PUT "));
      const home = apis === "management" ? /^PUT \/clickstack\// : /^PUT \/api\/v2\//;
      expect(puts).to.have.length(stackCount);
      expect(puts.filter((line) => !home.test(line))).to.deep.equal([]);
    });

    it("show what others changed, and nothing else, and put it back", async () => {
      const [alert] = [...service.alerts.values()].filter(({ name }) => name === "Errors");
      const [dashboard] = service.dashboards.values();
      const [, tile] = (dashboard?.tiles ?? []) as object[];
      Object.assign(alert ?? {}, { threshold: 99 });
      Object.assign(tile ?? {}, { w: 3 });
      const preview = await workspace.preview({ args: ["--refresh"] });
      expect([preview.summary.update, preview.summary.same]).to.deep.equal([2, count - 2]);
      expect(preview.steps.filter(({ op }) => op === "update").map(({ name }) => name)).to.have.members([
        "board",
        "errors",
      ]);
      await workspace.up({ args: ["--refresh"] });
      await workspace.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect([alertAt(20), alertAt(99)]).to.deep.equal([2, 0]);
      requests();
    });

    it("are deleted, and nothing is left", async () => {
      const { summary } = await workspace.destroy();
      expect(summary).to.deep.equal({ delete: count });
      expect([service.dashboards.size, service.alerts.size]).to.deep.equal([0, 0]);
      if (apis !== "observability") expect(service.management()).to.include({ keys: 0, endpoints: 0 });
      requests();
      const other = {
        both: /none/,
        management: /\/api\/v2\//,
        observability: / \/(services|keys|clickstack)/,
      };
      expect(service.lines().filter((line) => other[apis].test(line))).to.deep.equal([]);
    });
  });
}
