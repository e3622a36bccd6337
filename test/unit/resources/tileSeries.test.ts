import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { sessionFor } from "../lifecycle/note";
import { absent, type Changes, withChanges } from "./validInputs";

const sourceId = "65f1c0a2b3d4e5f607182911";
const filter = { where: "level:error", whereLanguage: "lucene" };
const aggregated = {
  ...{ sourceId, aggFn: "quantile", level: 0.95, field: "Duration", alias: "slowest" },
  ...{ metricName: "cpu", metricDataType: "gauge", numberFormat: { output: "percent" }, ...filter },
};

const kinds = {
  time: { type: "time", ...aggregated, groupBy: ["ServiceName"], displayType: "stacked_bar" },
  table: { type: "table", ...aggregated, groupBy: [] },
  number: { type: "number", ...aggregated },
  search: { type: "search", sourceId, fields: ["Timestamp", "Body"], ...filter },
  markdown: { type: "markdown", content: "# Title" },
} as const;

const place = { name: "Tile", x: 0, y: 0, w: 6, h: 4 };
const boardOf = (...series: PropertyMap[]) => ({ name: "Board", tiles: [{ ...place, series }] });
const deprecated =
  'Dashboard "Board": series is deprecated by these servers, which turn it into config: declare config';

function checked(declared: PropertyMap, dialect: "neutral" | "clickhouse" = "clickhouse") {
  const { session } = sessionFor({ dialect });
  const { failures, warnings } = check(dashboardResource, {}, declared, session);
  const inTile = (path: string) => path.replace('tiles["Tile"].', "");
  return { failures: failures.map(({ path, message }) => `${inTile(path)} ${message}`), warnings };
}

const listed = "the id of a source; getSources lists them";
const notOf = (member: string, kind: string) => `series[0].${member} does not apply when type is "${kind}"`;

const rules: readonly (readonly [keyof typeof kinds, Changes, failure: string])[] = [
  ["time", { groupBy: absent }, 'series[0].groupBy is required unless type is "number"'],
  ["table", { displayType: "line" }, notOf("displayType", "table")],
  ["number", { groupBy: ["a"] }, notOf("groupBy", "number")],
  ["search", { aggFn: "count" }, notOf("aggFn", "search")],
  ["markdown", { sourceId }, notOf("sourceId", "markdown")],
  [
    "time",
    { sourceId: absent, dataSource: "logs" },
    `series[0].dataSource is not known to these servers: declare sourceId, ${listed}`,
  ],
];

describe("The check of a tile's series", () => {
  for (const [kind, series] of Object.entries(kinds))
    it(`the check warns of the properties of a tile series only in the dialect clickhouse: ${kind}`, () => {
      expect(checked(boardOf(series))).to.deep.equal({ failures: [], warnings: [deprecated] });
      const declared = boardOf({ groupBy: [], dataSource: "logs", ...series });
      expect(checked(declared, "neutral")).to.deep.equal({ failures: [], warnings: [] });
    });

  it("the check warns once for each dashboard of all properties of series that the server loses", () => {
    const tiles = [
      { ...place, series: [{ ...kinds.table, sortOrder: "asc", level: 0.75 }] },
      { ...place, name: "Second", x: 6, series: [kinds.number, kinds.number] },
    ];
    const lost = "sortOrder, levels other than 0.5, 0.9, 0.95 and 0.99, further series of a number";
    expect(checked({ name: "Board", tiles }).warnings).to.deep.equal([`${deprecated} (they lose ${lost})`]);
  });

  for (const [kind, changes, failure] of rules)
    it(`the check in the dialect clickhouse refuses a tile series, since ${failure.slice(0, 150)}: ${kind}`, () => {
      expect(checked(boardOf(withChanges<PropertyMap>(kinds[kind], changes))).failures).to.deep.equal([
        failure,
      ]);
    });

  it("the check refuses series of several kinds in one tile", () => {
    expect(checked(boardOf(kinds.number, kinds.markdown)).failures).to.deep.equal([
      "series[1].type must be equal to that of series[0]",
    ]);
  });

  it("the check accepts tile series with unknown values", () => {
    for (const series of [{ type: unknown }, { type: "number", sourceId: unknown, aggFn: unknown }])
      expect(checked(boardOf(series)).failures).to.deep.equal([]);
  });

  it("the check in the neutral dialect requires groupBy of a tile series and no other property", () => {
    const failuresOf = (...series: PropertyMap[]) => checked(boardOf(...series), "neutral").failures;
    expect(failuresOf({ type: "number" }, { type: "time", groupBy: [] })).to.deep.equal([]);
    expect(failuresOf({ type: "time" })).to.deep.equal([
      'series[0].groupBy is required unless type is "number"',
    ]);
  });
});
