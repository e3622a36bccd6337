import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { Declared } from "../drift/fixture";
import { sessionFor } from "../lifecycle/note";
import type { Json } from "./example";
import { sentBy, sessionOfProduct, useProduct } from "./product";
import { absent, withChange } from "./validInputs";

const sourceId = "65f1c0a2b3d4e5f607182911";
const numberFormat = { output: "percent" };
const filter = { where: "level:error", whereLanguage: "lucene" };
const aggregated = {
  ...{ sourceId, aggFn: "quantile", level: 0.95, field: "Duration", alias: "slowest", numberFormat },
  ...{ metricName: "cpu", metricDataType: "gauge", ...filter },
};

/** A series of each kind, with all its members. */
const kinds = {
  time: { type: "time", ...aggregated, groupBy: ["ServiceName"], displayType: "stacked_bar" },
  table: { type: "table", ...aggregated, groupBy: [] },
  number: { type: "number", ...aggregated },
  search: { type: "search", sourceId, fields: ["Timestamp", "Body"], ...filter },
  markdown: { type: "markdown", content: "# Title" },
} as const;

const place = { name: "Tile", x: 0, y: 0, w: 6, h: 4 };
const boardOf = (...series: Data[]) => ({ name: "Board", tiles: [{ ...place, series }] });
const deprecated =
  'Dashboard "Board": series is deprecated by these servers, which turn it into config: declare config';

function checked(series: Data[], dialect: "neutral" | "clickhouse" = "clickhouse") {
  const { failures, warnings } = check(
    dashboardResource,
    {},
    boardOf(...series),
    sessionFor({ dialect }).session,
  );
  return {
    failures: failures.map(({ path, message }) => `${path.replace('tiles["Tile"].', "")} ${message}`),
    warnings,
  };
}

describe("The series of a tile", () => {
  for (const [kind, series] of Object.entries(kinds)) {
    it(`may have every member of its kind, and is deprecated in the dialect clickhouse alone: ${kind}`, () => {
      expect(checked([series])).to.deep.equal({ failures: [], warnings: [deprecated] });
      expect(checked([{ groupBy: [], ...series }], "neutral")).to.deep.equal({ failures: [], warnings: [] });
    });
  }

  it("is warned of once for a dashboard, with what the servers lose of it", () => {
    const declared = {
      name: "Board",
      tiles: [
        { ...place, series: [{ ...kinds.table, sortOrder: "asc", level: 0.75 }] },
        { ...place, name: "Second", x: 6, series: [kinds.number, kinds.number] },
      ],
    };
    const { warnings } = check(
      dashboardResource,
      {},
      declared,
      sessionFor({ dialect: "clickhouse" }).session,
    );
    const lost = "sortOrder, levels other than 0.5, 0.9, 0.95 and 0.99, further series of a number";
    expect(warnings).to.deep.equal([`${deprecated} (they lose ${lost})`]);
  });

  const listed = "the id of a source; getSources lists them";
  const rules: readonly [keyof typeof kinds, string, Json | typeof absent, string, string?][] = [
    ["time", "type", "histogram", "must be one of time, table, number, search, markdown"],
    ["time", "sourceId", absent, `is required: ${listed}`],
    ["time", "aggFn", absent, "is required"],
    [
      "time",
      "aggFn",
      "median",
      "must be one of avg, count, count_distinct, last_value, max, min, quantile, sum, any, none, increase",
    ],
    ["time", "groupBy", absent, 'is required unless type is "number"'],
    ["table", "groupBy", Array(11).fill("a"), "must be a list of at most 10 entries"],
    ["table", "displayType", "line", "is not a member of a series of type table"],
    ["number", "groupBy", ["a"], "is not a member of a series of type number"],
    ["search", "fields", absent, "is required"],
    ["search", "aggFn", "count", "is not a member of a series of type search"],
    ["markdown", "content", absent, "is required"],
    ["markdown", "content", "a".repeat(100_001), "must be a string of at most 100000 characters"],
    ["markdown", "sourceId", sourceId, "is not a member of a series of type markdown"],
  ];
  for (const [kind, member, value, rule] of rules) {
    it(`is refused in the dialect clickhouse with "${member} ${rule}": ${kind}`, () => {
      const { tiles } = withChange(boardOf(kinds[kind]) as never, `tiles[0].series[0].${member}`, value);
      const { series } = (tiles as unknown as { series: Data[] }[])[0] ?? { series: [] };
      expect(checked(series).failures).to.deep.equal([`series[0].${member} ${rule}`]);
    });
  }

  it("is refused with a dataSource alone, which is no id of a source, in the dialect clickhouse alone", () => {
    const { sourceId: _, ...series } = kinds.time;
    expect(checked([{ ...series, dataSource: "logs" }]).failures).to.deep.equal([
      `series[0].dataSource is not known to these servers: declare sourceId, ${listed}`,
    ]);
    expect(checked([{ ...series, dataSource: "logs" }], "neutral").failures).to.deep.equal([]);
  });

  it("is of one kind in all series of a tile", () => {
    expect(checked([kinds.number, kinds.markdown]).failures).to.deep.equal([
      "series[1].type must be that of the first series",
    ]);
  });

  it("passes as far as it is not known yet", () => {
    for (const series of [{ type: unknown }, { type: "number", sourceId: unknown, aggFn: unknown }])
      expect(checked([series]).failures).to.deep.equal([]);
  });

  it("needs nothing in the neutral dialect but groups", () => {
    expect(checked([{ type: "number" }, { type: "time", groupBy: [] }], "neutral").failures).to.deep.equal(
      [],
    );
    expect(checked([{ type: "time" }], "neutral").failures).to.deep.equal([
      'series[0].groupBy is required unless type is "number"',
    ]);
  });

  describe("on the wire of the product", () => {
    const product = useProduct();
    const sent = () => {
      const [[, body] = []] = sentBy(product, "POST");
      return (body as { tiles: { series: Data[] }[] }).tiles[0]?.series;
    };

    const cases: [string, Data, Data][] = [
      [
        "has the members that the product requires and the API document does not",
        { type: "time", sourceId, aggFn: "count", groupBy: ["a"] },
        { type: "time", sourceId, aggFn: "count", where: "", whereLanguage: "lucene", groupBy: ["a"] },
      ],
      [
        "keeps what is declared of them",
        { type: "number", sourceId, aggFn: "count", where: "a = 1", whereLanguage: "sql" },
        { type: "number", sourceId, aggFn: "count", where: "a = 1", whereLanguage: "sql" },
      ],
      [
        "leaves out what says the same in other words or nothing: dataSource beside sourceId, and no groups of a number",
        { type: "number", dataSource: "logs", sourceId, aggFn: "count", groupBy: [] },
        { type: "number", sourceId, aggFn: "count", where: "", whereLanguage: "lucene" },
      ],
    ];
    for (const [what, series, expected] of cases) {
      it(what, async () => {
        for (const rewrite of ["defaults", "seriesAsConfig"] as const) product.sandbox.rewrites.add(rewrite);
        const declared = new Declared("Dashboard", boardOf(series));
        await declared.up(product.session);
        expect(sent()).to.deep.equal([expected]);
        const later = sessionOfProduct(product.sandbox).session;
        expect(await declared.refresh(later)).to.deep.equal([]);
        expect(await declared.up(sessionOfProduct(product.sandbox).session)).to.deep.equal([]);
      });
    }
  });
});
