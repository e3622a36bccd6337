import { expect } from "chai";
import { callFunction } from "../../../provider/functions/definition";
import { functions } from "../../../provider/functions/registry";
import type { Session } from "../../../provider/lifecycle/session";
import {
  alertsAt,
  chartPoints,
  chartQuery,
  type DeclaredName,
  declaredAt,
  declaredTypes,
  namesIn,
  requestsOf,
  settingsOf,
  setups,
} from "../../product/declared";
import { type StrictProduct, startStrictProduct } from "../../product/strictSandbox";
import { Declared, sessionFrom } from "../drift/fixture";

for (const [title, apis] of Object.entries(setups)) {
  describe(`All resources, on a product that tolerates nothing unknown, with ${title}`, () => {
    let product: StrictProduct;
    let requests: () => string[];
    const session = (): Session => sessionFrom(settingsOf(apis, product)).session;
    const hasServices = apis !== "observability";
    const names = namesIn(apis);
    const stackCount = names.length - (hasServices ? 4 : 0);
    const objects = new Map<DeclaredName, Declared>();

    before(async () => {
      product = await startStrictProduct();
      requests = requestsOf(product);
    });
    after(() => product.close());

    /** Applies everything that the setup has, and returns the names of what was changed. */
    async function up(threshold: number): Promise<string[]> {
      const [own, changed] = [session(), [] as string[]];
      const tileIds = () => objects.get("board")?.state.tileIds as { Errors?: string } | undefined;
      const idOf = (name: string) =>
        (name === "Errors of board" ? tileIds()?.Errors : objects.get(name as DeclaredName)?.id) ?? "";
      for (const name of names) {
        const object = objects.get(name) ?? new Declared(declaredTypes[name], {});
        objects.set(name, object);
        // What it refers to comes before it.
        Object.assign(object, { program: declaredAt(apis, threshold, idOf)[name] });
        if ((await object.up(own)).length > 0) changed.push(name);
      }
      return changed;
    }
    /** The properties of each object that a refresh finds changed. */
    async function drift(): Promise<Record<string, unknown>> {
      const own = session();
      const found: Record<string, unknown> = {};
      for (const [name, object] of objects) {
        const paths = await object.refresh(own);
        if (paths.length > 0) found[name] = paths;
      }
      return found;
    }

    it("are created, each by one request", async () => {
      await up(10);
      expect(
        requests().filter((line) => /^POST .*\/(clickstack|api\/v2)\/[a-z-]+$/.test(line)),
      ).to.have.length(stackCount);
      expect([product.dashboards.size, product.alerts.size, alertsAt(product, 10)]).to.deep.equal([1, 2, 2]);
      if (!hasServices) return;
      expect([product.keys.size, product.queryEndpoint !== undefined]).to.deep.equal([2, true]);
      expect(product.service).to.include({ numReplicas: 2, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 40 });
    });

    it("show no changes, before and after a refresh", async () => {
      expect(await up(10)).to.deep.equal([]);
      expect(requests()).to.deep.equal([]);
      expect(await drift()).to.deep.equal({});
      expect(requests().filter((line) => !line.startsWith("GET "))).to.deep.equal([]);
    });

    it("stand beside webhooks, sources and chart series that a program reads", async () => {
      const own = session();
      expect(await callFunction(functions.getWebhooks, {}, own)).to.not.be.empty;
      expect(await callFunction(functions.getSources, {}, own)).to.not.be.empty;
      if (apis !== "management")
        expect(
          await callFunction(functions.getChartSeries, structuredClone(chartQuery) as never, own),
        ).to.deep.equal(chartPoints);
      requests();
    });

    it("are updated in place, with the tiles that have alerts", async () => {
      const ids = [...objects.values()].map(({ id }) => id);
      expect(await up(20)).to.deep.equal(names);
      expect([...objects.values()].map(({ id }) => id)).to.deep.equal(ids);
      expect([product.dashboards.size, product.alerts.size, alertsAt(product, 20)]).to.deep.equal([1, 2, 2]);
      // Its address has changed, and with it the product forgets the headers that are not sent again.
      const [pager] = product.webhooks.values();
      expect(pager).to.have.deep.property("headers", { Authorization: "secret-of-the-header" });
      const puts = requests().filter((line) => line.startsWith("PUT "));
      const home = apis === "observability" ? /^PUT \/api\/v2\// : /^PUT \/clickstack\//;
      expect(puts).to.have.length(stackCount);
      expect(puts.filter((line) => !home.test(line))).to.deep.equal([]);
    });

    it("show what others changed, and nothing else, and put it back", async () => {
      const [alert] = [...product.alerts.values()].filter(({ name }) => name === "Errors");
      const [dashboard] = product.dashboards.values();
      const [, tile] = (dashboard?.tiles ?? []) as object[];
      Object.assign(alert ?? {}, { threshold: 99 });
      Object.assign(tile ?? {}, { w: 3 });
      expect(await drift()).to.deep.equal({ board: ["tiles[1].w"], errors: ["threshold"] });
      expect(await up(20)).to.deep.equal(["board", "errors"]);
      expect(await drift()).to.deep.equal({});
      expect([alertsAt(product, 20), alertsAt(product, 99)]).to.deep.equal([2, 0]);
      requests();
    });

    it("are deleted, and nothing is left", async () => {
      const own = session();
      for (const object of [...objects.values()].reverse()) await object.delete(own);
      const { dashboards, alerts, webhooks, savedSearches, sources, connections } = product;
      const left = [dashboards, alerts, webhooks, savedSearches, sources, connections];
      expect(left.map(({ size }) => size)).to.deep.equal([0, 0, 0, 0, 1, 1]);
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
