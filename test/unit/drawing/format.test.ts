import { expect } from "chai";
import fc from "fast-check";
import type { Alert, Series } from "../../../drawing";
import {
  condition,
  describeFilter,
  describeSeries,
  exactNumber,
  shortCondition,
} from "../../../drawing/format";

describe("Numbers in pictures of dashboards", () => {
  it("a number in a picture of a dashboard has grouped digits", () => {
    expect([0.9995, 12_345, -1_234_567.25, 100, -999, 1e21, 1.5e-7].map(exactNumber)).to.deep.equal([
      ...["0.9995", "12,345", "-1,234,567.25", "100", "-999", "1e+21", "1.5e-7"],
    ]);
  });

  it("an exact number in a picture of a dashboard can be converted back to the same number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(exactNumber(value).replaceAll(",", ""))).to.equal(value === 0 ? 0 : value);
      }),
    );
  });
});

describe("The condition of an alert in a picture", () => {
  const usual = { thresholdType: "above", threshold: 5, firing: false };
  const alert = (members: Partial<Alert>): Alert => ({ ...usual, ...members });

  it("the text of an alert's condition differs for each threshold type, even an unknown one", () => {
    const types = [
      ...["above", "above_exclusive", "below", "below_or_equal", "equal", "not_equal", "between"],
      ...["not_between", "constructor", "toString"],
    ];
    const words = types.map((thresholdType) => condition(alert({ thresholdType })));
    expect(new Set(words)).to.have.property("size", types.length);
    expect(words.at(-2)).to.equal("• constructor 5");
  });

  it("the short text of an alert's condition shows both ends of a range", () => {
    expect(shortCondition(alert({ thresholdType: "between", thresholdMax: 10 }))).to.equal("⇕ 5–10");
    expect(shortCondition(alert({}))).to.equal("▲ 5");
    expect(shortCondition(alert({ threshold: undefined }))).to.equal("▲ ?");
  });
});

describe("The description of a series in a picture of a dashboard", () => {
  const series = (members: Partial<Series>): Series => ({ groupBy: [], ...members });

  it("a picture of a dashboard describes a series of a quantile as a percentile", () => {
    const quantile = (level: number | undefined) => describeSeries(series({ aggFn: "quantile", level }));
    expect([0.95, 0.999, 0.55, 0, undefined].map(quantile)).to.deep.equal([
      ...["p95", "p99.9", "p55", "p0", "quantile"],
    ]);
    expect(describeSeries(series({ aggFn: "quantile", level: 0.5, field: "Duration" }))).to.equal(
      "p50 of Duration",
    );
  });

  it("the description of a series names the language of its filter unless it is the default", () => {
    expect(describeFilter(series({ where: "a:b" }))).to.equal("where a:b");
    expect(describeFilter(series({ where: "a = 1", whereLanguage: "sql" }))).to.equal("where (sql) a = 1");
    expect(describeFilter(series({}))).to.equal("");
  });
});
