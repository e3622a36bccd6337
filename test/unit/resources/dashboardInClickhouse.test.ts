import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import type { Sandbox } from "../../../sandbox/index";
import { Declared } from "../drift/fixture";
import { type Product, sentBy, sessionOfProduct, useProduct } from "./product";
import { failuresOf } from "./rules";

const sourceId = "65f1c0a2b3d4e5f607182911";
const config = {
  displayType: "line",
  sourceId,
  select: [{ aggFn: "count", where: "level:error", whereLanguage: "lucene" }],
};

const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 4 };

describe("Dashboard in the clickhouse dialect", () => {
  const product = useProduct();
  let sandbox: Sandbox;
  let session: Product["session"];
  beforeEach(() => {
    ({ sandbox, session } = product);
  });
  const sent = (method: string) => sentBy(product, method);
  const problemsOf = (declared: Data, further: Partial<Settings> = {}) =>
    failuresOf("Dashboard", declared, { dialect: "clickhouse", ...further });

  describe("with filters, containers and a query", () => {
    const sourceId = "65f1c0a2b3d4e5f607182911";
    const lines = { ...tile, config: { ...config, sourceId } };
    const filter = { name: "Service", expression: "ServiceName", sourceId };
    const tab = { id: "errors", title: "Errors" };
    const whole = {
      name: "Whole",
      tiles: [{ ...lines, containerId: "ingest", tabId: "errors" }],
      filters: [filter, { ...filter, name: "Host", expression: "HostName", appliesToSourceIds: [sourceId] }],
      savedQuery: "level:error",
      savedQueryLanguage: "lucene",
      savedFilterValues: [{ condition: "ServiceName IN ('api')" }],
      containers: [{ id: "ingest", title: "Ingest", tabs: [tab] }],
    };
    const storedOf = ({ id }: Declared) =>
      sandbox.store.dashboards.get(id) as unknown as Data & { filters: Data[] };
    const lastBody = () => sent("PUT").at(-1)?.[1] as Data & { filters: Data[] };
    const become = async (declared: Declared, program: Data) => {
      Object.assign(declared, { program });
      await declared.up(sessionOfProduct(sandbox).session);
      expect(await declared.refresh(sessionOfProduct(sandbox).session)).to.deep.equal([]);
    };

    it("is created as it is declared, and shows no drift", async () => {
      const declared = new Declared("Dashboard", whole);
      await become(declared, whole);
      expect(sent("POST")).to.deep.equal([
        [
          "dashboards",
          {
            ...whole,
            filters: whole.filters.map((each) => ({ type: "QUERY_EXPRESSION", ...each })),
            containers: whole.containers.map((each) => ({ collapsed: false, ...each })),
          },
        ],
      ]);
      const ids = storedOf(declared).filters.map(({ id }) => id);
      expect(declared.state.filterIds).to.deep.equal({ Service: ids[0], Host: ids[1] });
      expect(declared.state.filters).to.deep.equal(whole.filters);
    });

    it("keeps the ids of filters by name, then by position, and gives the server one to replace", async () => {
      const declared = new Declared("Dashboard", whole);
      await become(declared, whole);
      const [, host] = storedOf(declared).filters.map(({ id }) => id);
      const [first, second] = whole.filters;
      await become(declared, {
        ...whole,
        filters: [second, { ...filter, name: "Renamed" }, { ...filter, name: "New" }],
      });
      expect(lastBody().filters.map(({ id }) => id)).to.deep.equal([host, "new1", "new2"]);
      expect(storedOf(declared).filters[0]?.id).to.equal(host);
      await become(declared, { ...whole, filters: [{ ...first, name: "Other" }] });
      expect(lastBody().filters.map(({ id }) => id)).to.deep.equal([host]);
    });

    it("carries over what somebody else adds to a filter, and filters that no program declares", async () => {
      const declared = new Declared("Dashboard", whole);
      await become(declared, whole);
      Object.assign(storedOf(declared).filters[0] ?? {}, { where: "a = 1" });
      await become(declared, { ...whole, name: "Renamed" });
      expect(storedOf(declared).filters[0]).to.include({ where: "a = 1" });

      const plain = new Declared("Dashboard", { name: "Plain", tiles: [lines] });
      await become(plain, { name: "Plain", tiles: [lines] });
      const byHand = { id: "f1", type: "QUERY_EXPRESSION", ...filter };
      Object.assign(storedOf(plain), { filters: [byHand] });
      await become(plain, { name: "Plainer", tiles: [lines] });
      expect(storedOf(plain).filters).to.deep.equal([byHand]);
      const { declaration } = resources.Dashboard;
      expect(declaration?.({ tiles: [], filters: [byHand] }).filters).to.deep.equal([
        { type: "QUERY_EXPRESSION", ...filter },
      ]);
    });

    it("loses what the program drops", async () => {
      const declared = new Declared("Dashboard", whole);
      await become(declared, whole);
      const plain = { name: "Whole", tiles: [lines] };
      await become(declared, plain);
      expect(lastBody()).to.deep.include({
        ...{ filters: [], containers: [], savedFilterValues: [] },
        ...{ savedQuery: null, savedQueryLanguage: null },
      });
      expect(storedOf(declared)).to.deep.include({
        filters: [],
        savedQuery: null,
        savedQueryLanguage: null,
      });
      expect(declared.state).not.to.have.any.keys("filters", "containers", "savedQuery");
      expect(declared.state.filterIds).to.deep.equal({});
    });

    it("drifts by what somebody else changes in it", async () => {
      const declared = new Declared("Dashboard", whole);
      await become(declared, whole);
      const stored = storedOf(declared) as unknown as {
        [list: string]: { [member: string]: unknown }[];
      };
      Object.assign(stored.tiles?.[0] ?? {}, { containerId: undefined, tabId: undefined });
      Object.assign(stored.filters?.[1] ?? {}, { expression: "Pod" });
      Object.assign(stored.containers?.[0] ?? {}, { title: "Other" });
      Object.assign(stored, { savedQuery: "other" });
      expect(await declared.refresh(sessionOfProduct(sandbox).session)).to.have.members([
        ...["tiles[0].containerId", "tiles[0].tabId", "filters[1].expression"],
        ...["containers[0].title", "savedQuery"],
      ]);
    });

    it("is refused in the preview for a source that there is not, and accepted with one that there is", async () => {
      const gone = { ...filter, sourceId: "65f1c0a2b3d4e5f6071829ff" };
      const found = async (program: Data) => {
        const opened = sessionOfProduct(sandbox).session;
        return (await resources.Dashboard.check({}, program, opened)).failures;
      };
      expect(await found(whole)).to.deep.equal([]);
      const [failure, ...further] = await found({ ...whole, filters: [gone] });
      expect(failure?.path).to.equal("");
      expect(failure?.message).to.include(gone.sourceId);
      expect(further).to.deep.equal([]);
    });
  });

  describe("a tile with config", () => {
    it("is sent as it is, and a change inside it is drift", async () => {
      const tiles = [{ ...tile, config }];
      const declared = new Declared("Dashboard", { name: "Config", tiles });
      await declared.up(session);
      expect(sent("POST")).to.deep.equal([["dashboards", { name: "Config", tiles }]]);
      expect(await declared.refresh(session)).to.deep.equal([]);
      const [stored] = sandbox.store.dashboards.get(declared.id)?.tiles ?? [];
      Object.assign(stored ?? {}, { config: { ...config, displayType: "number" } });
      const later = sessionOfProduct(sandbox).session;
      expect(await declared.refresh(later)).to.deep.equal(["tiles[0].config.displayType"]);
    });

    it("does not drift by what a server adds to it", async () => {
      const declared = new Declared("Dashboard", { name: "Config", tiles: [{ ...tile, config }] });
      await declared.up(session);
      const [stored] = sandbox.store.dashboards.get(declared.id)?.tiles ?? [];
      Object.assign(stored ?? {}, { config: { ...config, fillNulls: true } });
      const later = sessionOfProduct(sandbox).session;
      expect(await declared.refresh(later)).to.deep.equal([]);
    });

    const shapes: [string, Data, string[]][] = [
      ["neither", {}, ['tiles["Lines"].series is required unless config is declared']],
      ["both", { config, series: [{ type: "number" }] }, ['tiles["Lines"].series conflicts with config']],
      ["a ratio beside config", { config, asRatio: true }, ['tiles["Lines"].asRatio conflicts with config']],
      ["an empty config", { config: {} }, ['tiles["Lines"].config.displayType is required']],
    ];
    for (const [what, shape, expected] of shapes) {
      it(`is refused with ${what}`, () => {
        expect(problemsOf({ name: "n", tiles: [{ ...tile, ...shape }] })).to.deep.equal(expected);
      });
    }
  });
});
