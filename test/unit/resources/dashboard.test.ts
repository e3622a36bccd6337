import { expect } from "chai";
import { failuresOf, itKeeps, type Rule, required, scopeRules, text, warningsOf } from "./rules";
import { configs } from "./tileConfigs";
import { absent } from "./validInputs";

const grid = "must be a number of at least 0";
const size = "must be a number of at least 1";

const rules: readonly Rule[] = [
  ...scopeRules,
  ["adoptId", false, text],
  ["name", absent, required],
  ["name", 5, "must be a string"],
  ["tiles", absent, required],
  ["tiles", {}, "must be a list"],
  ["tiles[1]", "Rows", "must be an object with name, x, y, w, h"],
  ["tiles[1].id", "", text],
  ["tiles[1].id", "66f0c2d8a1b2c3d4e5f60703", 'duplicates the id of tiles["Errors"]'],
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
    "is not a valid property; expected one of id, name, x, y, w, h, containerId, tabId, config, asRatio, series",
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
        'Dashboard "Ingestion": tiles["Far"].x must be at most 23, not 24, or newer servers refuse the dashboard',
        'Dashboard "Ingestion": tiles["Far"].w must be at most 24, not 25, or newer servers refuse the dashboard',
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
});
