import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Data } from "../../../provider/lifecycle/data";
import type { Sandbox } from "../../../sandbox/src";
import { Declared } from "../drift/fixture";
import { type Product, sentBy, sessionOfProduct, useProduct } from "./product";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text, warningsOf } from "./rules";
import { absent } from "./validInputs";

const config = { displayType: "line", sourceId: "s", select: [{ aggFn: "count", where: "level:error" }] };

const grid = "must be a number of at least 0";
const size = "must be a number of at least 1";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["adoptId", false, text],
  ["name", absent, required],
  ["name", "", text],
  ["tiles", absent, required],
  ["tiles", {}, "must be a list"],
  ["tiles[1]", "Rows", "must be an object"],
  ["tiles[1].id", "", text],
  ["tiles[1].id", "66f0c2d8a1b2c3d4e5f60703", "duplicates the id of tiles[0]"],
  ["tiles[1].name", absent, required],
  ["tiles[1].name", "", text],
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
  [
    "tiles[1].series[0].source",
    "logs",
    "is not a valid property; expected one of type, dataSource, aggFn, where, groupBy, sourceId, field, level, whereLanguage, alias, metricName, metricDataType",
  ],
  ["tiles[1].config", { displayType: "line" }, "conflicts with config", "tiles[1].series"],
  [
    "tiles[1].width",
    6,
    "is not a valid property; expected one of id, name, x, y, w, h, asRatio, series, config",
  ],
  ["tags", "production", "must be a list"],
  ["tags[1]", "", text],
  ["tags[1]", "production", "contains a duplicate: entries 0 and 1 are equal", "tags"],
  [
    "description",
    "x",
    "is not a valid property; expected one of organizationId, serviceId, adoptId, name, tiles, tags",
  ],
];

const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 4 };

describe("Dashboard", () => {
  itKeeps("Dashboard", rules);

  it("needs no tiles", () => {
    expect(failuresOf("Dashboard", { name: "Empty", tiles: [] })).to.deep.equal([]);
  });

  it("says one thing for each of several mistakes", () => {
    const tiles = [{ name: "", x: -1, y: 0, w: 0, h: 1, series: [] }];
    const properties = failuresOf("Dashboard", { tiles }).map((failure) => failure.split(" ")[0]);
    expect(properties).to.have.members([
      "name",
      "tiles[0].name",
      "tiles[0].series",
      "tiles[0].w",
      "tiles[0].x",
    ]);
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
        ["an empty config", { config: {} }, ["tiles[0].config must be an object with at least one member"]],
      ];
      for (const [what, shape, expected] of shapes) {
        it(`is refused with ${what}`, () => {
          expect(problemsOf({ name: "n", tiles: [{ ...tile, ...shape }] })).to.deep.equal(expected);
        });
      }
    });
  });
});
