import { expect } from "chai";
import { type Point, readDashboards, type Tile } from "../../../drawing";
import { bucketLength, milliseconds, ticks, timeTicks, valuesOf } from "../../../drawing/chartValues";

const hour = 3_600_000;
const noon = Date.UTC(2025, 5, 15, 12);

function tileOf(aggregations: string[], members: object = {}): Tile {
  const series = aggregations.map((aggFn) => ({ type: "time", aggFn, groupBy: [] }));
  const dashboards = [{ tiles: [{ name: "T", series, ...members }] }];
  return readDashboards({ dashboards, alerts: [] }).dashboards[0]?.tiles[0] as Tile;
}

function points(...values: (number | null)[][]): Point[] {
  return values.map((one, index) => ({ tsBucket: noon + index * hour, values: one }));
}

function grouped(group: string, at: number, value: number): Point {
  return { tsBucket: noon + at * hour, values: [value], group: [group] };
}

describe("The values of a tile in a picture", () => {
  it("a tile in a picture has the values of each series in the order of time, without empty buckets", () => {
    const latestFirst = points([1, 10], [2, null], [null, 30]).reverse();
    const [first, second] = valuesOf(tileOf(["sum", "count"]), latestFirst);
    expect(first).to.deep.include({ label: "count", total: 40 });
    expect(first?.points).to.deep.equal([
      [noon, 10],
      [noon + 2 * hour, 30],
    ]);
    expect(second).to.deep.include({ label: "sum", total: 3 });
  });

  it("the label of a group in a chart includes the name of its series if the chart has several series", () => {
    const [one] = valuesOf(tileOf(["count", "sum"]), [grouped("api", 0, 2)]);
    expect(one?.label).to.equal("count: api");
  });

  for (const [aggFn, total, isApproximate] of [
    ["count", 12, false],
    ["sum", 12, false],
    ["min", 1, false],
    ["max", 7, false],
    ["avg", 4, true],
    ["p95", 4, true],
  ] as const)
    it(`the total of the values 4, 1 and 7 is ${isApproximate ? "about " : ""}${total} for ${aggFn}`, () => {
      const [one] = valuesOf(tileOf([aggFn]), points([4], [1], [7]));
      expect(one).to.deep.include({ total, isApproximate });
    });

  it("the total of a mean over a single time bucket counts as exact, not as approximate", () => {
    expect(valuesOf(tileOf(["avg"]), points([4]))[0]).to.deep.include({ total: 4, isApproximate: false });
  });

  it("a drawn tile leaves out values that are no numbers, and values that are larger than any possible sum", () => {
    expect(valuesOf(tileOf(["count"]), points([Number.NaN], [1e301]))).to.deep.equal([]);
  });

  describe("Ratios of two series in a picture", () => {
    const ratio = (aggFn: string, ...values: (number | null)[][]) =>
      valuesOf(tileOf([aggFn, "count"], { asRatio: true }), points(...values));

    it("a ratio of two series divides the first series by the second, and leaves out divisions by zero", () => {
      const [only, ...more] = ratio("count", [1, 4], [3, 0], [3, null], [2, 2]);
      expect(more).to.deep.equal([]);
      expect(only).to.deep.include({ label: "ratio", total: 0.625, isApproximate: true });
      expect(only?.points).to.deep.equal([
        [noon, 0.25],
        [noon + 3 * hour, 1],
      ]);
    });

    it("a ratio of two series is 0 at a time for which the first, a count or sum, has no rows", () => {
      for (const aggFn of ["count", "sum"])
        expect(ratio(aggFn, [1, 4], [null, 5])[0]?.points).to.deep.equal([
          [noon, 0.25],
          [noon + hour, 0],
        ]);
    });

    it("a ratio of two series has no value at a time for which the first, a mean or maximum, has no rows", () => {
      for (const aggFn of ["avg", "max"])
        expect(ratio(aggFn, [1, 4], [null, 5])[0]?.points).to.deep.equal([[noon, 0.25]]);
    });
  });

  it("the total of a hundred thousand values in one group of a tile is correct", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => grouped("api", at, 1));
    expect(valuesOf(tileOf(["count"]), many)[0]?.total).to.equal(100_000);
  });
});

describe("The length of a value's time bucket", () => {
  const day = { from: noon, until: noon + 24 * hour };
  const at = (...hours: number[]) =>
    hours.map((one): Point => ({ tsBucket: noon + one * hour, values: [1] }));

  it("a time bucket of a chart has the length that the service's answer states", () => {
    expect(bucketLength({ ...day, bucket: hour / 2, points: at(1) })).to.equal(hour / 2);
  });

  it("a time bucket whose length no answer states has the longest usual length that divides every start", () => {
    expect(bucketLength({ ...day, points: at(1) })).to.equal(hour);
    expect(bucketLength({ ...day, points: at(0, 4, 10) })).to.equal(2 * hour);
    expect(bucketLength({ ...day, points: at(0, 4, 10.25) })).to.equal(hour / 4);
  });

  it("a chart over time has at least four time buckets, except for a very short time range", () => {
    expect(bucketLength({ ...day, points: [] })).to.equal(6 * hour);
    expect(bucketLength({ from: noon, until: noon + hour, points: at(0) })).to.equal(hour / 4);
    expect(bucketLength({ from: noon, until: noon + 1000, points: at(0.0001) })).to.equal(1000);
  });
});

describe("Time spans in text form", () => {
  it("a time span such as 5m is converted to milliseconds", () => {
    const spans = [30_000, 300_000, 2 * hour, 168 * hour];
    expect(["30s", "5m", "2h", "7d"].map(milliseconds)).to.deep.equal(spans);
  });

  it("a text is a time span only if it has a count and a unit", () => {
    for (const none of ["", "auto", "5", "m", "5 m", "5w", "1.5h", "5constructor"])
      expect(milliseconds(none), none).to.equal(undefined);
  });
});

describe("The marks on the axis of values in a chart", () => {
  it("a chart whose values are all equal has one mark on its axis of values", () => {
    expect(ticks(5, 5, 3)).to.deep.equal([5]);
  });
});

describe("The times below a chart in a picture", () => {
  const labels = (from: number, until: number, count: number) =>
    timeTicks(from, until, count).map(({ label }) => label);

  it("the times below a chart are round times of day, and dates at midnight", () => {
    expect(labels(noon, noon + 24 * hour, 8)).to.deep.equal([
      ...["12:00", "15:00", "18:00", "21:00", "16 Jun", "03:00", "06:00", "09:00", "12:00"],
    ]);
    expect(labels(noon + 1, noon + hour, 4)).to.deep.equal(["12:15", "12:30", "12:45", "13:00"]);
  });

  it("the times below a chart of several weeks are dates, at most one more than fit", () => {
    expect(labels(noon, noon + 4 * 24 * hour, 4)).to.deep.equal(["16 Jun", "17 Jun", "18 Jun", "19 Jun"]);
    for (const days of [1, 3, 30, 300, 3000])
      expect(labels(noon, noon + days * 24 * hour, 6)).to.have.length.within(1, 7);
  });
});
