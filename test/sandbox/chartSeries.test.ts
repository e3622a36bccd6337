import { expect } from "chai";
import { aggregateFunctions, sampleContents } from "../../sandbox/core/sampleData/contents";
import { metricSourceId, sourceId, traceSourceId, unknownId, useSandbox } from "./requests";

const hour = 3_600_000;
const day = 24 * hour;
const startTime = Date.UTC(2025, 5, 15);
const count = { sourceId, aggFn: "count", where: "", groupBy: [] as string[] };
const valid = { series: [count], startTime, endTime: startTime + day, granularity: "1h" };

interface Point {
  ts_bucket: number;
  group?: string[];
  "series_0.data": string | number;
  "series_1.data"?: string | number;
}

describe("Chart series of the sandbox", () => {
  const client = useSandbox();
  const query = (body: object) => client.observability("POST", "/charts/series", { ...valid, ...body });
  const pointsOf = async (body: object): Promise<Point[]> => {
    const { status, text, payload } = await query(body);
    expect(status, text).to.equal(200);
    return payload;
  };
  const valuesOf = async (series: object, range: object = {}): Promise<number[]> =>
    (await pointsOf({ series: [{ ...count, ...series }], ...range })).map((point) =>
      Number(point["series_0.data"]),
    );
  const sumOf = async (series: object, range: object = {}) =>
    (await valuesOf(series, range)).reduce((total, value) => total + value, 0);

  it("each bucket of a chart series is one point with a count as text", async () => {
    const points = await pointsOf({});
    const buckets = Array.from({ length: 24 }, (_, index) => startTime + index * hour);
    expect(points.map(({ ts_bucket }) => ts_bucket)).to.deep.equal(buckets);
    for (const point of points) {
      expect(point).to.have.all.keys("ts_bucket", "series_0.data");
      expect(point["series_0.data"]).to.match(/^[1-9]\d*$/);
    }
  });

  it("the sample data in chart series has a daily and a weekly rhythm", async () => {
    const hours = await valuesOf({});
    expect(hours[15]).to.be.above(2 * (hours[3] ?? 0));
    const friday = { startTime: startTime - 2 * day, endTime: startTime - day };
    expect(await sumOf({})).to.be.below(0.75 * (await sumOf({}, friday)));
  });

  it("a chart series omits buckets without events", async () => {
    const series = { sourceId: metricSourceId, where: "ServiceName:worker" };
    const values = await valuesOf(series, { endTime: startTime + hour, granularity: "30s" });
    expect(values.length).to.be.within(1, 119);
    for (const value of values) expect(value).to.be.above(0);
  });

  it("counts of finer buckets, of groups, and of a filter and its negation add up to the whole count", async () => {
    const [whole = 0] = await valuesOf({}, { granularity: "1d" });
    for (const granularity of ["30s", "5m", "2h", "12h", "auto"])
      expect(await sumOf({}, { granularity })).to.equal(whole);
    expect(await sumOf({ groupBy: ["ServiceName", "SeverityText"] })).to.equal(whole);
    const errors = await sumOf({ where: 'SeverityText:"error"' });
    expect(errors).to.be.within(1, whole - 1);
    for (const negation of ["NOT ", "-"])
      expect(await sumOf({ where: `${negation}SeverityText:error` })).to.equal(whole - errors);
  });

  it("a filter of two conditions selects the events that satisfy both, with or without AND", async () => {
    const where = 'SeverityText:error AND ServiceName:"api"';
    const series = [{ ...count, where: "SeverityText:error", groupBy: ["ServiceName"] }];
    const grouped = (await pointsOf({ series })).filter(({ group }) => String(group) === "api");
    const filtered = await valuesOf({ where });
    expect(filtered).to.deep.equal(grouped.map((point) => Number(point["series_0.data"])));
    expect(filtered).to.have.length(24);
    expect(await valuesOf({ where: where.replace(" AND", "") })).to.deep.equal(filtered);
    expect(await valuesOf({ where: "ServiceName:api ServiceName:web" })).to.deep.equal([]);
  });

  it("count, sum, avg, min, max and quantiles of the same sample events agree with each other", async () => {
    const endTime = startTime + 2 * hour;
    const of = (aggFn: string, further: object = {}) => valuesOf({ aggFn, ...further }, { endTime });
    const [counts, sums, averages] = [await of("count"), await of("sum"), await of("avg")];
    for (const [index, events] of counts.entries())
      expect((averages[index] ?? 0) * events).to.be.closeTo(sums[index] ?? 0, 0.001 * events);
    const whole = (aggFn: string, further: object = {}) =>
      valuesOf({ aggFn, ...further }, { endTime, granularity: "2h" });
    expect(await whole("min")).to.deep.equal([Math.min(...(await of("min")))]);
    expect(await whole("max")).to.deep.equal([Math.max(...(await of("max")))]);
    expect(await whole("quantile", { level: 0.95 })).to.deep.equal(await whole("p95"));
    expect(await whole("quantile")).to.deep.equal(await whole("p50"));
  });

  it("the sample errors exceed 100 in five minutes daily between 14:10 and 14:55 UTC, and only then", async () => {
    const series = [{ ...count, where: "SeverityText:error", groupBy: ["ServiceName"] }];
    const points = await pointsOf({ series, endTime: startTime + 7 * day, granularity: "5m" });
    const minutesOf = ({ ts_bucket }: Point) => (ts_bucket / 60_000) % (24 * 60);
    const valueAt = (point: Point) => Number(point["series_0.data"]);
    const high = points.filter((point) => valueAt(point) > 100);
    for (const point of high) {
      expect(point.group).to.deep.equal(["api"]);
      expect(minutesOf(point)).to.be.within(14 * 60 + 10, 14 * 60 + 50);
    }
    for (let number = 0; number < 7; number += 1) {
      const worst = high.filter(({ ts_bucket }) => Math.floor((ts_bucket - startTime) / day) === number);
      expect(worst).to.have.length.within(6, 9);
      expect(Math.max(...worst.map(valueAt))).to.be.above(250);
    }
    const quiet = points.filter((point) => minutesOf(point) < 14 * 60);
    expect(Math.max(...quiet.map(valueAt))).to.be.below(75);
  });

  for (const [kind, id] of [
    ["log", sourceId],
    ["trace", traceSourceId],
    ["metric", metricSourceId],
  ] as const)
    it(`chart series of a ${kind} source accept every aggFn, and every column and value of docs/sandbox.md`, async () => {
      const { columns, measure } = sampleContents[kind];
      const range = { granularity: "1d" };
      for (const aggFn of aggregateFunctions) {
        const series = { sourceId: id, aggFn, field: measure.column, groupBy: Object.keys(columns) };
        const values = await valuesOf(series, range);
        expect(values).to.have.length.within(3, 9);
        for (const value of values) expect(value).to.be.above(0);
      }
      for (const [column, values] of Object.entries(columns))
        for (const value of Object.keys(values)) {
          const where = `${column}:${value}`;
          expect(await valuesOf({ sourceId: id, where }, range), where).to.have.length(1);
        }
    });

  const columns = "columns of a log source: ServiceName, SeverityText";
  const conditions = `series.0.where: write conditions as column:value or NOT column:value, joined by AND; ${columns}`;
  const notNumeric = "is not a numeric column; a log source has Duration";
  const all = aggregateFunctions.join(", ");
  const one = (change: object) => ({ series: [{ ...count, ...change }] });
  const refused: readonly [title: string, change: object, message?: string][] = [
    ["no series", { series: [] }],
    ["six series", { series: Array(6).fill(count) }],
    ["startTime in seconds", { startTime: startTime / 1000 }],
    ["endTime in seconds", { endTime: startTime / 1000 }],
    ["startTime as a text", { startTime: "2025-06-15" }],
    ["no endTime", { endTime: undefined }],
    ["granularity 3m", { granularity: "3m" }],
    ["seriesReturnType row", { seriesReturnType: "row" }],
    ["no where", one({ where: undefined })],
    ["series with different groupBy", { series: [count, { ...count, groupBy: ["ServiceName"] }] }],
    ["a malformed sourceId", one({ sourceId: "logs" })],
    ["buckets of 30s for ten years", { granularity: "30s", startTime: Date.UTC(2015, 0, 1) }],
    ["buckets of 1d for a year", { granularity: "1d", startTime: Date.UTC(2024, 5, 1) }],
    ["a filter on Host", one({ where: "Host:a" }), `series.0.where: unknown column Host; ${columns}`],
    ["groups by Host", one({ groupBy: ["Host"] }), `series.0.groupBy: unknown column Host; ${columns}`],
    ["a filter that begins with AND", one({ where: "AND ServiceName:api" }), conditions],
    ["a filter that ends with AND", one({ where: "ServiceName:api AND" }), conditions],
    ["a filter in brackets", one({ where: "(ServiceName:api)" }), conditions],
    ["a filter with one quotation mark", one({ where: 'ServiceName:"api' }), conditions],
    ["a filter without a column", one({ where: "api" }), conditions],
    ["a filter with OR", one({ where: "ServiceName:api OR ServiceName:web" }), conditions],
    ["a sum of Bytes", one({ field: "Bytes", aggFn: "sum" }), `series.0.field: Bytes ${notNumeric}`],
    ["aggFn median", one({ aggFn: "median" }), `series.0.aggFn must be one of ${all}`],
  ];
  for (const [title, change, message] of refused)
    it(`the sandbox refuses a chart query with ${title}`, async () => {
      const { status, body } = await query(change);
      expect(status).to.equal(400);
      if (message) expect(body).to.deep.equal({ message });
      else expect(body).to.have.all.keys("message");
    });

  it("a chart series of an unknown source is answered with 404 and a property error", async () => {
    const answer = await query({ series: [{ ...count, sourceId: unknownId }] });
    expect(answer).to.deep.include({ status: 404, body: { error: "Source not found for series 0" } });
  });
});

describe("Chart series of the sandbox in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const query = (change: object) =>
    client.observability("POST", "/charts/series", { ...valid, series: [{ ...count, ...change }] });

  it("a chart series without groupBy has an empty group", async () => {
    expect((await query({})).payload[0].group).to.deep.equal([]);
    expect((await query({ groupBy: ["ServiceName"] })).payload[0].group).to.have.length(1);
  });

  it("a chart series of a metric source needs metricDataType", async () => {
    const metric = { sourceId: metricSourceId };
    const without = await query(metric);
    expect([without.status, typeof without.body.error]).to.deep.equal([500, "string"]);
    expect((await query({ ...metric, metricDataType: "gauge" })).status).to.equal(200);
  });
});
