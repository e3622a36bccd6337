import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { checkWithService } from "../../../provider/lifecycle/check";
import type { Data } from "../../../provider/lifecycle/data";
import { unknown } from "../../../provider/lifecycle/unknown";
import { resources } from "../../../provider/resources/registry";
import type { Sandbox } from "../../../sandbox/src";
import { Declared } from "../drift/fixture";
import { type Product, sentBy, sessionOfProduct, useProduct } from "./product";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text, warningsOf } from "./rules";
import { configs } from "./tileConfigs";
import { absent } from "./validInputs";

const sourceId = "65f1c0a2b3d4e5f607182911";
const config = { displayType: "line", sourceId, select: [{ aggFn: "count", where: "level:error" }] };

const grid = "must be a number of at least 0";
const size = "must be a number of at least 1";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["adoptId", false, text],
  ["name", absent, required],
  ["name", 5, "must be a string"],
  ["tiles", absent, required],
  ["tiles", {}, "must be a list"],
  ["tiles[1]", "Rows", "must be an object"],
  ["tiles[1].id", "", text],
  ["tiles[1].id", "66f0c2d8a1b2c3d4e5f60703", "duplicates the id of tiles[0]"],
  ["tiles[1].name", absent, required],
  ["tiles[1].name", null, "must be a string"],
  ["tiles[1].containerId", "ingest", "needs the setting dialect to be clickhouse"],
  ["tiles[1].tabId", "errors", "needs the setting dialect to be clickhouse"],
  ...["filters", "savedFilterValues", "containers"].map(
    (name): Rule => [name, [], "needs the setting dialect to be clickhouse"],
  ),
  ["savedQuery", "level:error", "needs the setting dialect to be clickhouse"],
  ["savedQueryLanguage", "promql", "must be one of sql, lucene"],
  ["tiles[0].x", -1, grid],
  ["tiles[0].y", "0", grid],
  ["tiles[1].w", 0, size],
  ["tiles[1].w", absent, required],
  ["tiles[1].h", 0.5, size],
  ["tiles[1].h", null, size],
  ["tiles[0].asRatio", "no", "must be true or false"],
  ["tiles[0].series", absent, "is required unless config is declared"],
  ["tiles[1].series[0].type", "table", 'is required unless type is "number"', "tiles[1].series[0].groupBy"],
  ["tiles[0].series[1].sourceId", "", text],
  ["tiles[0].series[1].level", 95, "must be a number from 0 to 1"],
  ["tiles[0].series[1].whereLanguage", "promql", "must be one of lucene, sql"],
  ["tiles[0].series[1].field", 5, "must be a string"],
  ["tiles[0].series[1].alias", "", text],
  ["tiles[0].series[1].metricName", "", text],
  ["tiles[0].series[1].metricDataType", {}, text],
  ["tiles[1].series[0].source", "logs", "is not a valid property; did you mean sourceId?"],
  [
    "tiles[1].series[0].color",
    "red",
    "is not a valid property; expected one of type, dataSource, aggFn, where, groupBy, sourceId, field, level, whereLanguage, alias, metricName, metricDataType, displayType, sortOrder, numberFormat, fields, content",
  ],
  ["tiles[1].config", configs.search, "conflicts with config", "tiles[1].series"],
  [
    "tiles[1].width",
    6,
    "is not a valid property; expected one of id, name, x, y, w, h, containerId, tabId, asRatio, series, config",
  ],
  ["tags", "production", "must be a list"],
  ["tags[1]", "", text],
  ["tags[1]", "production", "contains a duplicate: entries 0 and 1 are equal", "tags"],
  [
    "description",
    "x",
    "is not a valid property; expected one of organizationId, serviceId, adoptId, name, tiles, tags, filters, savedQuery, savedQueryLanguage, savedFilterValues, containers",
  ],
];

const onObservability = { observabilityVia: "observability" } as const;

const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 4 };

describe("Dashboard", () => {
  itKeeps("Dashboard", rules);

  it("needs no tiles", () => {
    expect(failuresOf("Dashboard", { name: "Empty", tiles: [] })).to.deep.equal([]);
  });

  it("says one thing for each of several mistakes", () => {
    const tiles = [{ x: -1, y: 0, w: 0, h: 1, series: [] }];
    const properties = failuresOf("Dashboard", { tiles }).map((failure) => failure.split(" ")[0]);
    expect(properties).to.have.members([
      "name",
      "tiles[0].name",
      "tiles[0].series",
      "tiles[0].w",
      "tiles[0].x",
    ]);
  });

  it("may have an empty name, and tiles with empty names", () => {
    const tiles = [{ ...tile, name: "", series: [{ type: "number" }] }];
    expect(failuresOf("Dashboard", { name: "", tiles })).to.deep.equal([]);
  });

  describe("warns", () => {
    const place = { x: 0, y: 0, w: 4, h: 4, series: [{ type: "number" }] };
    const warningsOfTiles = (...tiles: object[]) => warningsOf("Dashboard", { name: "Ingestion", tiles });

    it("of two tiles that overlap, by their names", () => {
      const warnings = warningsOfTiles({ ...place, name: "Errors" }, { ...place, name: "Rows", x: 3, y: 3 });
      expect(warnings).to.deep.equal(['Dashboard "Ingestion": the tiles "Errors" and "Rows" overlap']);
    });

    it("of every pair that overlaps", () => {
      expect(warningsOfTiles(...["A", "B", "C"].map((name) => ({ ...place, name })))).to.have.length(3);
    });

    it("of several tiles with one name, once", () => {
      const tiles = [0, 4, 8].map((x) => ({ ...place, x, name: "Errors" }));
      expect(warningsOfTiles(...tiles)).to.deep.equal([
        'Dashboard "Ingestion": several tiles are named "Errors"; tileIds numbers them',
      ]);
    });

    it("of a tile that reaches beyond the grid", () => {
      expect(warningsOfTiles({ ...place, name: "Wide", x: 21 })).to.deep.equal([
        'Dashboard "Ingestion": the tile "Wide" reaches beyond the 24 columns of the grid',
      ]);
    });

    it("of what newer servers refuse for its size", () => {
      const tiles = [{ ...place, name: "Far", x: 24, w: 25 }];
      expect(warningsOf("Dashboard", { name: "Ingestion", tiles, tags: ["t".repeat(33)] })).to.deep.equal([
        'Dashboard "Ingestion": tags[0] must be a string of at most 32 characters, or newer servers refuse the dashboard',
        'Dashboard "Ingestion": tiles[0].x must be at most 23, or newer servers refuse the dashboard',
        'Dashboard "Ingestion": tiles[0].w must be at most 24, or newer servers refuse the dashboard',
      ]);
    });

    it("not of tiles that only touch", () => {
      const corners = [
        [0, 0],
        [4, 0],
        [0, 4],
        [4, 4],
      ];
      const tiles = corners.map(([x = 0, y = 0], index) => ({ ...place, name: `tile ${index}`, x, y }));
      expect(warningsOfTiles(...tiles)).to.deep.equal([]);
    });
  });

  describe("in the clickhouse dialect", () => {
    const product = useProduct();
    let sandbox: Sandbox;
    let session: Product["session"];
    beforeEach(() => {
      ({ sandbox, session } = product);
    });
    const sent = (method: string) => sentBy(product, method);
    const problemsOf = (declared: Data, further: Partial<Settings> = {}) =>
      failuresOf("Dashboard", declared, { dialect: "clickhouse", ...further });

    describe("by its rules", () => {
      const board = { name: "Board", tiles: [{ ...tile, config }] };
      const inContainer = (place: Data) => [{ ...tile, config, ...place }];
      const containers = [{ id: "a", title: "A", tabs: [{ id: "one", title: "One" }] }];
      const filter = { name: "Service", expression: "ServiceName", sourceId };
      const many = <Entry>(length: number, entry: (index: number) => Entry) =>
        Array.from({ length }, (_, index) => entry(index));

      const refused: [string, Data, string[], Partial<Settings>?][] = [
        [
          "a long id of a tile",
          { tiles: inContainer({ id: "t".repeat(37) }) },
          ["tiles[0].id must be a string of at most 36 characters"],
        ],
        ["a tile right of the grid", { tiles: inContainer({ x: 24 }) }, ["tiles[0].x must be at most 23"]],
        [
          "a tile between two columns",
          { tiles: inContainer({ x: 0.5 }) },
          ["tiles[0].x must be a whole number"],
          { observabilityVia: "management" },
        ],
        ["a tile wider than the grid", { tiles: inContainer({ w: 25 }) }, ["tiles[0].w must be at most 24"]],
        [
          "501 tiles",
          { tiles: many(501, (index) => ({ ...tile, y: index * 4, config })) },
          ["tiles must be a list of at most 500 entries"],
        ],
        ["51 tags", { tags: many(51, (index) => `${index}`) }, ["tags must be a list of at most 50 entries"]],
        ["a long tag", { tags: ["t".repeat(33)] }, ["tags[0] must be a string of at most 32 characters"]],
        ["a long name", { name: "n".repeat(1025) }, ["name must be a string of at most 1024 characters"]],
        [
          "51 containers",
          { containers: many(51, (index) => ({ id: `${index}`, title: "t" })) },
          ["containers must be a list of at most 50 entries"],
        ],
        [
          "21 tabs",
          { containers: [{ id: "a", title: "A", tabs: many(21, (at) => ({ id: `${at}`, title: "t" })) }] },
          ["containers[0].tabs must be a list of at most 20 entries"],
        ],
        [
          "two containers of one id",
          { containers: [...containers, ...containers] },
          ["containers[1].id duplicates the id of containers[0]"],
        ],
        [
          "two tabs of one id",
          { containers: [{ id: "a", title: "A", tabs: many(2, () => ({ id: "one", title: "t" })) }] },
          ["containers[0].tabs[1].id duplicates the id of containers[0].tabs[0]"],
        ],
        [
          "a tile in a container that is not declared",
          { containers, tiles: inContainer({ containerId: "b" }) },
          ["tiles[0].containerId is not the id of a container; expected one of a"],
        ],
        [
          "a tile in a container where a new dashboard has none",
          { tiles: inContainer({ containerId: "a" }) },
          ["tiles[0].containerId is not the id of a container; none is declared"],
        ],
        [
          "a tile in a tab that is not declared",
          { containers, tiles: inContainer({ containerId: "a", tabId: "two" }) },
          ["tiles[0].tabId is not the id of a tab of its container; expected one of one"],
        ],
        [
          "a tile in a tab of no container",
          { containers, tiles: inContainer({ tabId: "one" }) },
          ["tiles[0].tabId needs containerId"],
        ],
        ["the language of no query", { savedQueryLanguage: "sql" }, ["savedQueryLanguage needs savedQuery"]],
        [
          "a filter without a source",
          { filters: [{ name: "Service", expression: "ServiceName" }] },
          ["filters[0].sourceId is required"],
        ],
        [
          "a variable through the management API",
          { filters: [{ ...filter, isVariableEnabled: true }] },
          ["filters[0].isVariableEnabled needs the setting observabilityVia to be observability"],
        ],
        [
          "a filter without any effect",
          { filters: [{ ...filter, isBroadcastEnabled: false, appliesToSourceIds: ["s"] }] },
          [
            "filters[0].isBroadcastEnabled must be true unless isVariableEnabled is",
            "filters[0].appliesToSourceIds does not apply when isBroadcastEnabled is false",
          ],
          onObservability,
        ],
        [
          "names of variables without variables, and twice",
          {
            filters: [
              { ...filter, variableName: "service" },
              { ...filter, variableName: "service", isVariableEnabled: true },
            ],
          },
          [
            "filters[0].variableName needs isVariableEnabled to be true",
            "filters[1].variableName duplicates the variableName of filters[0]",
          ],
          onObservability,
        ],
      ];
      for (const [what, declared, expected, settings] of refused) {
        it(`with ${what} is refused`, () => {
          expect(problemsOf({ ...board, ...declared }, settings)).to.deep.equal(expected);
        });
      }

      const accepted: [string, Data, Partial<Settings>?][] = [
        [
          "tiles in containers and tabs",
          { containers, tiles: inContainer({ containerId: "a", tabId: "one" }) },
        ],
        [
          "containers that are not known yet",
          { containers: unknown, tiles: inContainer({ containerId: "a" }) },
        ],
        [
          "a container whose id is not known yet",
          { containers: [{ id: unknown, title: "A" }], tiles: inContainer({ containerId: "b" }) },
        ],
        [
          "a tile in a container of an adopted dashboard",
          { adoptId: "d", tiles: inContainer({ containerId: "a" }) },
        ],
        ["a filter", { filters: [filter] }],
        ["a tile between two columns", { tiles: inContainer({ x: 0.5 }) }, onObservability],
        ["a tile at the far end", { tiles: inContainer({ x: 23, w: 1 }) }],
      ];
      for (const [what, declared, settings] of accepted) {
        it(`with ${what} is accepted`, () => {
          expect(problemsOf({ ...board, ...declared }, settings)).to.deep.equal([]);
        });
      }

      it("with a tile in a container that only the service knows is accepted once the dashboard is there", () => {
        const declared = { ...board, tiles: inContainer({ containerId: "a" }) };
        expect(failuresOf("Dashboard", declared, { dialect: "clickhouse" }, board)).to.deep.equal([]);
      });
    });

    describe("with filters, containers and a query", () => {
      const sourceId = "65f1c0a2b3d4e5f607182911";
      const lines = { ...tile, config: { ...config, sourceId } };
      const filter = { name: "Service", expression: "ServiceName", sourceId };
      const tab = { id: "errors", title: "Errors" };
      const whole = {
        name: "Whole",
        tiles: [{ ...lines, containerId: "ingest", tabId: "errors" }],
        filters: [
          filter,
          { ...filter, name: "Host", expression: "HostName", appliesToSourceIds: [sourceId] },
        ],
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
          return (await checkWithService(resources.Dashboard, {}, program, opened)).failures;
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
        ["neither", {}, ["tiles[0].series is required unless config is declared"]],
        ["both", { config, series: [{ type: "number" }] }, ["tiles[0].series conflicts with config"]],
        ["a ratio beside config", { config, asRatio: true }, ["tiles[0].asRatio conflicts with config"]],
        ["an empty config", { config: {} }, ["tiles[0].config.displayType is required"]],
      ];
      for (const [what, shape, expected] of shapes) {
        it(`is refused with ${what}`, () => {
          expect(problemsOf({ name: "n", tiles: [{ ...tile, ...shape }] })).to.deep.equal(expected);
        });
      }
    });
  });
});
