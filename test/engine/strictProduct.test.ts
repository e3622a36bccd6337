import { expect } from "chai";
import { type FakeProduct, startFakeProduct } from "../fakeProduct/fakeProduct";
import { createWorkspace, type Workspace } from "./workspace";

const setups = {
  "both APIs": "both",
  "the management API alone": "management",
  "the observability API alone": "observability",
} as const;

type Apis = (typeof setups)[keyof typeof setups];

/** The settings that a user of these APIs has. The limits of the product would only make the test wait. */
function settingsOf(apis: Apis, { url, credentials }: FakeProduct): Record<string, string> {
  const { accessToken, ...management } = credentials;
  return {
    dialect: "clickhouse",
    requestsPerSecond: "1000",
    ...(apis === "observability" ? {} : { baseUrl: url, ...management }),
    ...(apis === "management" ? {} : { obsBaseUrl: url, accessToken }),
  };
}

const channel = { type: "webhook", webhookId: "77aa00000000000000000001" };
const config = {
  displayType: "line",
  sourceId: "77aa00000000000000000002",
  select: [{ aggFn: "count", where: "" }],
};

/** Everything that the setup has, at one threshold. */
function programOf(apis: Apis, threshold: number): string {
  const management = `
    new p.ServiceScaling("scaling", { numReplicas: ${threshold / 5}, minReplicaMemoryGb: 12, maxReplicaMemoryGb: ${4 * threshold} });
    const key = new p.ApiKey("key", { name: "key ${threshold}", roles: ["developer", "query_endpoints"], ipAccessList: [{ source: "10.0.0.${threshold}" }] });
    new p.QueryEndpoint("endpoint", { roles: ["sql_console_read_only"], openApiKeys: [key.id], allowedOrigins: ["https://b.example", "https://a${threshold}.example"] });
    exports.pipes = p.getPipesOutput();
    exports.pipe = p.getPipesOutput().apply(([{ id }]) => p.getPipe({ pipeId: id }));
    exports.settings = p.getPipesOutput().apply(([{ id }]) => p.getPipeSettings({ pipeId: id }));
    exports.endpoints = p.getReversePrivateEndpointsOutput();`;
  const observability = `
    exports.points = p.getChartSeriesOutput({
      series: [{ sourceId: ${JSON.stringify(config.sourceId)}, aggFn: "count", where: "", groupBy: ["teamId"] }],
      startTime: 1749999600000, endTime: 1750003200000, granularity: "10m", seriesReturnType: "column",
    });`;
  const range = { thresholdType: "between", threshold, thresholdMax: threshold + 1, channels: [channel] };
  const search = { source: "search", savedSearch: "65f1c0a2b3d4e5f607182931", groupBy: "ServiceName" };
  return `const p = require("pipestack");
    ${apis === "observability" ? "" : management}
    ${apis === "management" ? "" : observability}
    const board = new p.Dashboard("board", { name: "Board", tags: ["b", "a"], tiles: [
      { name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [
        { type: "time", sourceId: ${JSON.stringify(config.sourceId)}, aggFn: "quantile", level: 0.95, field: "Duration",
          where: "level:error", whereLanguage: "lucene", alias: "slowest", groupBy: ["host", "service"] },
      ] },
      ${JSON.stringify({ name: `Over ${threshold}`, x: 12, y: 0, w: 6, h: 4, config })},
    ] });
    new p.Alert("errors", { name: "Errors", source: "tile", dashboardId: board.id, tileId: board.tileIds.Errors,
      threshold: ${threshold}, thresholdType: "above", interval: "5m", channel: ${JSON.stringify(channel)} });
    new p.Alert("search", ${JSON.stringify({ ...search, ...range, interval: "1h" })});
    exports.webhooks = p.getWebhooksOutput().apply((all) => all.length);
    exports.sources = p.getSourcesOutput().apply((all) => all.length);`;
}

for (const [title, apis] of Object.entries(setups)) {
  describe(`All resources, on a product that tolerates nothing unknown, with ${title}`, () => {
    let product: FakeProduct;
    let workspace: Workspace;
    const [stackCount, count] = [3, apis === "observability" ? 3 : 6];
    let earlier = 0;

    before(async () => {
      product = await startFakeProduct();
      workspace = await createWorkspace({
        settings: settingsOf(apis, product),
        program: programOf(apis, 10),
      });
    });
    after(async () => {
      await workspace?.close();
      await product?.close();
    });

    /** The requests since the last look; each of them has to succeed. */
    function requests(): string[] {
      const lines = product.lines.slice(earlier);
      earlier += lines.length;
      expect(lines.filter((line) => !line.endsWith(" 200"))).to.deep.equal([]);
      return lines.map((line) => line.slice(0, -" 200".length));
    }
    const alertAt = (threshold: unknown) =>
      [...product.alerts.values()].filter((alert) => alert.threshold === threshold).length;

    it("are created, each by one request", async () => {
      const { summary } = await workspace.up();
      expect(summary).to.deep.equal({ create: count });
      const lines = requests();
      expect(lines.filter((line) => /^POST .*\/(dashboards|alerts)$/.test(line))).to.have.length(stackCount);
      expect([product.dashboards.size, product.alerts.size, alertAt(10)]).to.deep.equal([1, 2, 2]);
      const outputs = await workspace.outputs();
      expect(outputs.webhooks).to.be.greaterThan(0);
      expect(outputs.sources).to.be.greaterThan(0);
      if (apis !== "management") {
        const tsBucket = Date.UTC(2025, 5, 15, 15, 10);
        expect(outputs.points).to.deep.equal([
          { tsBucket, values: [5], group: ["a"] },
          { tsBucket, values: [7], group: ["b"] },
        ]);
      }
      if (apis === "observability") return;
      expect([product.keys.size, product.queryEndpoint !== undefined]).to.deep.equal([1, true]);
      expect(product.service).to.include({ numReplicas: 2, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 40 });
      expect(outputs.settings).to.deep.equal({ engine_max_threads: 8 });
      expect(outputs.pipe).to.deep.include({ name: "orders", settings: outputs.settings });
      expect([outputs.pipes, outputs.endpoints].map((list) => (list as unknown[]).length)).to.deep.equal([
        1, 1,
      ]);
    });

    it("show no changes, before and after a refresh", async () => {
      await workspace.preview({ args: ["--expect-no-changes"] });
      await workspace.preview({ args: ["--refresh", "--expect-no-changes"] });
      const writes = requests().filter((line) => !/^GET |\/charts\/series$/.test(line));
      expect(writes).to.deep.equal([]);
    });

    it("are updated in place, with the tiles that have alerts", async () => {
      const [alertIds, [dashboard]] = [[...product.alerts.keys()], product.dashboards.keys()];
      await workspace.write(programOf(apis, 20));
      const [keyIds] = [[...product.keys.keys()]];
      const { summary } = await workspace.up();
      expect(summary).to.deep.equal({ update: count });
      expect([...product.alerts.keys()]).to.have.members(alertIds);
      expect([...product.dashboards.keys()]).to.deep.equal([dashboard]);
      expect(alertAt(20)).to.equal(2);
      const lines = requests();
      const puts = lines.filter((line) => line.startsWith("PUT "));
      const home = apis === "management" ? /^PUT \/clickstack\// : /^PUT \/api\/v2\//;
      expect(puts).to.have.length(stackCount);
      expect(puts.filter((line) => !home.test(line))).to.deep.equal([]);
      if (apis === "observability") return;
      expect([...product.keys.keys()]).to.deep.equal(keyIds);
      expect([...product.keys.values()]).to.have.deep.nested.property("[0].ipAccessList", [
        { source: "10.0.0.20" },
      ]);
      expect(product.service).to.include({ numReplicas: 4, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 80 });
      expect(product.queryEndpoint?.allowedOrigins).to.include("https://a20.example");
    });

    it("show what others changed, and nothing else, and put it back", async () => {
      const [alert] = [...product.alerts.values()].filter(({ name }) => name === "Errors");
      const [dashboard] = product.dashboards.values();
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
      expect([product.dashboards.size, product.alerts.size]).to.deep.equal([0, 0]);
      expect([product.keys.size, product.queryEndpoint]).to.deep.equal([0, undefined]);
      requests();
      const other = {
        both: /none/,
        management: /\/api\/v2\//,
        observability: / \/(services|keys|clickstack)/,
      };
      expect(product.lines.filter((line) => other[apis].test(line))).to.deep.equal([]);
    });
  });
}
