import { expect } from "chai";
import {
  alertsAt,
  chartPoints,
  chartQuery,
  declaredAt,
  requestsOf,
  settingsOf,
  declaredTypes as variables,
} from "../product/declared";
import { type StrictProduct, startStrictProduct } from "../product/strictSandbox";
import { type Host, pluginClasses } from "./pluginHost";
import { createWorkspace, type Workspace } from "./workspace";

/** A resource of every type at one threshold, named by those that refer to it, and functions that read the result. */
function programOf(threshold: number, host: Host): string {
  const declared = declaredAt(threshold, (name) => `→${name}→`);
  const resources = Object.entries(variables).map(([name, type]) => {
    const args = JSON.stringify(declared[name as keyof typeof variables])
      .replace('"→Errors of board→"', "board.tileIds.Errors")
      .replace(/"→(\w+)→"/g, "$1.id");
    return `const ${name} = new pipestack.${type}("${name}", ${args});`;
  });
  return `${host === "plugin" ? pluginClasses : 'const pipestack = require("pipestack");'}
    ${resources.join("\n")}
    exports.pipes = pipestack.getPipesOutput();
    exports.pipe = exports.pipes.apply(([{ id }]) => pipestack.getPipeOutput({ pipeId: id }));
    exports.settings = exports.pipes.apply(([{ id }]) => pipestack.getPipeSettingsOutput({ pipeId: id }));
    exports.endpoints = pipestack.getReversePrivateEndpointsOutput();
    exports.points = pipestack.getChartSeriesOutput(${JSON.stringify(chartQuery)});`;
}

// The life suite asks such a product with each of the APIs alone.
for (const host of ["dynamic", "plugin"] as const) {
  describe(`A program without an id, applied by the engine in the ${host} host on a product that is almost empty and tolerates nothing unknown`, () => {
    let product: StrictProduct;
    let workspace: Workspace;
    let requests: () => string[];
    const count = Object.keys(variables).length;
    const collections = () => {
      const { connections, sources, webhooks, savedSearches, dashboards, alerts, keys } = product;
      return [connections, sources, webhooks, savedSearches, dashboards, alerts, keys];
    };
    const writes = () => requests().filter((line) => !/^GET |\/charts\/series$/.test(line));

    before(async () => {
      product = await startStrictProduct();
      // A source stays, of which a function asks.
      for (const collection of collections()) if (collection !== product.sources) collection.clear();
      requests = requestsOf(product);
      workspace = await createWorkspace({
        host,
        // Only the observability API has connections.
        settings: { ...settingsOf(product), observabilityVia: "observability" },
        program: programOf(10, host),
      });
    });
    after(async () => {
      await workspace?.close();
      await product?.close();
    });

    it("is created, beside functions", async () => {
      const { summary } = await workspace.up();
      expect(summary).to.deep.equal({ create: count });
      expect(writes()).to.have.length(count);
      expect(collections().map(({ size }) => size)).to.deep.equal([1, 4, 1, 1, 1, 2, 1]);
      expect(product.queryEndpoint).to.have.deep.property("openApiKeys", [...product.keys.keys()]);
      expect(product.service).to.include({ numReplicas: 2, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 40 });
      const outputs = await workspace.outputs();
      expect(outputs.points).to.deep.equal(chartPoints);
      expect(outputs.settings).to.include({ engine_max_threads: 8 });
      expect(outputs.pipe).to.deep.include({ name: "orders-stream", settings: outputs.settings });
      expect([outputs.pipes, outputs.endpoints].map((list) => (list as unknown[]).length)).to.deep.equal([
        8, 2,
      ]);
    });

    it("shows no changes after a refresh", async () => {
      await workspace.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(writes()).to.deep.equal([]);
    });

    it("asks in the preview of a change whether the product would accept the dashboard, and writes nothing", async () => {
      await workspace.write(programOf(20, host));
      const { summary } = await workspace.preview();
      expect(summary).to.deep.equal({ update: count });
      expect(writes()).to.deep.equal(["POST /api/v2/dashboards/validate"]);
    });

    it("is updated in place", async () => {
      const ids = () => collections().flatMap((all) => [...all.keys()]);
      const before = ids();
      const { summary } = await workspace.up();
      expect(summary).to.deep.equal({ update: count });
      expect(ids()).to.deep.equal(before);
      expect(alertsAt(product, 20)).to.equal(2);
      requests();
      const [[lake], [pager], [key]] = [
        [...product.connections.values()],
        [...product.webhooks.values()],
        [...product.keys.values()],
      ];
      expect(key?.ipAccessList).to.deep.equal([{ source: "10.0.0.20" }]);
      expect(lake).to.include({ host: "https://lake20.example.com:8443" });
      // Its address has changed, and with it the product forgets the headers that are not sent again.
      expect(pager?.headers).to.deep.equal({ Authorization: "secret-of-the-header" });
      expect(product.service).to.include({ numReplicas: 4, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 80 });
      expect(product.queryEndpoint?.allowedOrigins).to.include("https://a20.example");
    });

    it("puts back what others changed, and nothing else", async () => {
      const [alert] = [...product.alerts.values()].filter(({ name }) => name === "Errors");
      const [[dashboard], [search]] = [[...product.dashboards.values()], [...product.savedSearches.values()]];
      const [, tile] = (dashboard?.tiles ?? []) as object[];
      Object.assign(alert ?? {}, { threshold: 99 });
      Object.assign(tile ?? {}, { w: 3 });
      Object.assign(search ?? {}, { where: "theirs" });
      const { steps } = await workspace.up({ args: ["--refresh"] });
      const updated = steps.filter(({ op }) => op === "update").map(({ name }) => name);
      expect(updated).to.have.members(["board", "errors", "slow"]);
      expect([alertsAt(product, 20), alertsAt(product, 99)]).to.deep.equal([2, 0]);
      requests();
    });

    it("is deleted, and nothing is left", async () => {
      const { summary, output } = await workspace.destroy();
      expect(summary).to.deep.equal({ delete: count });
      expect(output).to.not.include("still used");
      expect(collections().map(({ size }) => size)).to.deep.equal([0, 1, 0, 0, 0, 0, 0]);
      expect(product.queryEndpoint).to.equal(undefined);
      expect((await workspace.exportState()).deployment.resources ?? []).to.deep.equal([]);
      requests();
    });
  });
}
