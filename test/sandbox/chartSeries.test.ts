import { expect } from "chai";
import { aggregateFunctions, sampleContents } from "../../sandbox/core/sampleData/contents";
import { Client } from "./requests";

describe("sandbox: chart series", () => {
  let client: Client;
  let sourceId: string;
  let metrics: string;
  before(async () => {
    client = Client.inProcess();
    const sources = [...client.sandbox.store.sources.values()];
    sourceId = sources.find(({ kind }) => kind === "log")?.id ?? "";
    metrics = sources.find(({ kind }) => kind === "metric")?.id ?? "";
  });
  after(() => client.sandbox.close());

  const hour = 3_600_000;
  const startTime = Date.UTC(2025, 5, 15);
  const count = () => ({ sourceId, aggFn: "count", where: "", groupBy: [] as string[] });
  const valid = () => ({ series: [count()], startTime, endTime: startTime + 24 * hour, granularity: "1h" });
  const query = (body: object) => client.observability("POST", "/charts/series", body);
  type Point = Record<string, string | number>;

  it("POST /api/v2/charts/series answers counts as texts, one point per bucket, the same each time", async () => {
    const { status, body } = await query(valid());
    expect(status).to.equal(200);
    expect(body.data.map((point: Point) => point.ts_bucket)).to.deep.equal(
      Array.from({ length: 24 }, (_, index) => startTime + index * hour),
    );
    for (const point of body.data) {
      expect(point).to.have.all.keys("ts_bucket", "series_0.data");
      expect(point["series_0.data"]).to.match(/^[1-9]\d*$/);
    }
    expect((await query(valid())).body).to.deep.equal(body);
  });

  it("the data has a daily rhythm", async () => {
    const { data } = (await query(valid())).body;
    expect(Number(data[15]["series_0.data"])).to.be.above(2 * Number(data[3]["series_0.data"]));
  });

  it("every aggregate answers a value, the quantiles in order", async () => {
    const aggregates = ["min", "p50", "p95", "p99", "max"];
    const series = aggregates.map((aggFn) => ({ ...count(), aggFn }));
    for (const point of (await query({ ...valid(), series })).body.data) {
      const values = aggregates.map((_, index) => point[`series_${index}.data`]);
      expect(values).to.deep.equal([...values].sort((a, b) => a - b));
    }
    const others = ["sum", "avg", "quantile"].map((aggFn) => ({ ...count(), aggFn, level: 0.9 }));
    const [point] = (await query({ ...valid(), series: others })).body.data;
    expect(point["series_0.data"]).to.be.above(point["series_1.data"]);
    expect(point["series_2.data"]).to.be.a("number");
  });

  it("buckets without events are left out", async () => {
    const series = [{ ...count(), sourceId: metrics, where: "ServiceName:worker" }];
    const { data } = (await query({ series, startTime, endTime: startTime + hour, granularity: "30s" })).body;
    expect(data.length).to.be.within(1, 119);
    for (const point of data) expect(Number(point["series_0.data"])).to.be.above(0);
  });

  it("a filter leaves a part of the events, and none for a value that does not occur", async () => {
    const where = (filter: string) => query({ ...valid(), series: [count(), { ...count(), where: filter }] });
    for (const point of (await where('SeverityText:"error"')).body.data) {
      if (point["series_1.data"])
        expect(Number(point["series_1.data"])).to.be.below(Number(point["series_0.data"]));
    }
    const { data } = (await where("SeverityText:unheard")).body;
    expect(data).to.have.length(24);
    expect(data[0]).to.not.have.property("series_1.data");
  });

  it("groupBy gives a point per bucket and group, with a group array", async () => {
    const series = [{ ...count(), groupBy: ["ServiceName"] }];
    const { data } = (await query({ ...valid(), series, granularity: "12h" })).body;
    expect(data.map((point: { group: string[] }) => point.group.join())).to.deep.equal([
      "api",
      "web",
      "worker",
      "api",
      "web",
      "worker",
    ]);
  });

  /** The values of the first series. */
  const valuesOf = async (series: object, range: object = {}): Promise<number[]> => {
    const { status, body } = await query({ ...valid(), series: [{ ...count(), ...series }], ...range });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.data.map((point: Point) => Number(point["series_0.data"]));
  };
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

  it("finer buckets sum up to coarser ones, groups and their complements to the whole", async () => {
    const [whole] = await valuesOf({}, { granularity: "1d" });
    for (const granularity of ["30s", "5m", "2h", "12h", "auto"]) {
      expect(sum(await valuesOf({}, { granularity }))).to.equal(whole);
    }
    expect(sum(await valuesOf({ groupBy: ["ServiceName", "SeverityText"] }))).to.equal(whole);
    const errors = sum(await valuesOf({ where: "SeverityText:error" }));
    expect(errors).to.be.above(0);
    for (const negation of ["NOT ", "-"]) {
      expect(sum(await valuesOf({ where: `${negation}SeverityText:error` }))).to.equal(
        Number(whole) - errors,
      );
    }
  });

  it("conditions joined by AND or by a blank hold together, as groups show them", async () => {
    const where = 'SeverityText:error AND ServiceName:"api"';
    const data = async (series: object) =>
      (await query({ ...valid(), series: [{ ...count(), ...series }] })).body.data as Point[];
    const grouped = (await data({ where: "SeverityText:error", groupBy: ["ServiceName"] })).filter(
      ({ group }) => String(group) === "api",
    );
    const filtered = await data({ where });
    expect(filtered).to.deep.equal(grouped.map(({ group, ...point }) => point));
    expect(filtered).to.have.length(24);
    expect(await data({ where: where.replace(" AND", "") })).to.deep.equal(filtered);
    expect(await data({ where: "ServiceName:api ServiceName:web" })).to.deep.equal([]);
  });

  it("aggregates agree with each other over the same events", async () => {
    const range = { endTime: startTime + 2 * hour };
    const [counts, sums, averages, lows, highs] = await Promise.all(
      ["count", "sum", "avg", "min", "max"].map((aggFn) => valuesOf({ aggFn }, range)),
    );
    counts?.forEach((events, index) => {
      expect((averages?.[index] ?? 0) * events).to.be.closeTo(sums?.[index] ?? 0, 0.001 * events);
    });
    const coarse = { ...range, granularity: "2h" };
    expect(await valuesOf({ aggFn: "min" }, coarse)).to.deep.equal([Math.min(...(lows ?? []))]);
    expect(await valuesOf({ aggFn: "max" }, coarse)).to.deep.equal([Math.max(...(highs ?? []))]);
    expect(await valuesOf({ aggFn: "quantile", level: 0.95 }, coarse)).to.deep.equal(
      await valuesOf({ aggFn: "p95" }, coarse),
    );
    expect(await valuesOf({ aggFn: "quantile" }, coarse)).to.deep.equal(
      await valuesOf({ aggFn: "p50" }, coarse),
    );
  });

  it("a weekend is quieter than the days before it", async () => {
    const sunday = await valuesOf({}, { granularity: "1d" });
    const friday = await valuesOf(
      {},
      { startTime: startTime - 48 * hour, endTime: startTime - 24 * hour, granularity: "1d" },
    );
    expect(sum(sunday)).to.be.below(0.75 * sum(friday));
  });

  it("every day between 14:10 and 14:55 UTC the errors cross a threshold that they keep well below else", async () => {
    const series = [{ ...count(), where: "SeverityText:error", groupBy: ["ServiceName"] }];
    const { data } = (
      await query({ series, startTime, endTime: startTime + 7 * 24 * hour, granularity: "5m" })
    ).body;
    const minutes = ({ ts_bucket }: { ts_bucket: number }) => (ts_bucket / 60_000) % (24 * 60);
    const high = data.filter((point: Point) => Number(point["series_0.data"]) > 100);
    for (const point of high) {
      expect(point.group).to.deep.equal(["api"]);
      expect(minutes(point)).to.be.within(14 * 60 + 10, 14 * 60 + 50);
    }
    for (let day = 0; day < 7; day += 1) {
      const worst = high
        .filter(
          (point: { ts_bucket: number }) => Math.floor((point.ts_bucket - startTime) / (24 * hour)) === day,
        )
        .map((point: Point) => Number(point["series_0.data"]));
      expect(worst).to.have.length.within(6, 9);
      expect(Math.max(...worst)).to.be.above(250);
    }
    const others = data.filter((point: { ts_bucket: number }) => minutes(point as never) < 14 * 60);
    expect(Math.max(...others.map((point: Point) => Number(point["series_0.data"])))).to.be.below(75);
  });

  for (const kind of ["log", "trace", "metric"] as const) {
    it(`a ${kind} source answers every aggFn, with every column that it is stated to have`, async () => {
      const id = [...client.sandbox.store.sources.values()].find((source) => source.kind === kind)?.id;
      const { columns, measure } = sampleContents[kind];
      for (const aggFn of aggregateFunctions) {
        const series = { sourceId: id, aggFn, field: measure.column, groupBy: Object.keys(columns) };
        const values = await valuesOf(series, { granularity: "1d" });
        expect(values).to.have.length.within(3, 9);
        for (const value of values) expect(value).to.be.above(0);
      }
      for (const [column, values] of Object.entries(columns)) {
        for (const value of Object.keys(values)) {
          const found = await valuesOf({ sourceId: id, where: `${column}:${value}` }, { granularity: "1d" });
          expect(found, `${column}:${value}`).to.have.length(1);
        }
      }
    });
  }

  it("seriesReturnType column answers a row per series and bucket", async () => {
    const series = [count(), { ...count(), where: "SeverityText:warn" }];
    const { data } = (await query({ ...valid(), series, granularity: "1d", seriesReturnType: "column" }))
      .body;
    expect(data).to.have.length(2);
    expect(data[0]).to.have.all.keys("series_0", "__hdx_time_bucket");
    expect(data[0].__hdx_time_bucket).to.equal("2025-06-15T00:00:00Z");
    expect(data[1].series_1).to.match(/^\d+$/);
  });

  it("without a granularity, a day has buckets of half an hour", async () => {
    const { data } = (await query({ ...valid(), granularity: undefined })).body;
    expect(data[1].ts_bucket - data[0].ts_bucket).to.equal(hour / 2);
    expect((await query({ ...valid(), granularity: "auto" })).body.data).to.deep.equal(data);
  });

  it("five series are accepted, an empty span of time has no points", async () => {
    expect((await query({ ...valid(), series: Array(5).fill(count()) })).status).to.equal(200);
    expect((await query({ ...valid(), endTime: startTime })).body).to.deep.equal({ data: [] });
  });

  const refused: [string, () => object][] = [
    ["no series", () => ({ series: [] })],
    ["six series", () => ({ series: Array(6).fill(count()) })],
    ["startTime in seconds", () => ({ startTime: startTime / 1000 })],
    ["endTime in seconds", () => ({ endTime: startTime / 1000 })],
    ["startTime as a text", () => ({ startTime: "2025-06-15" })],
    ["no endTime", () => ({ endTime: undefined })],
    ["granularity 3m", () => ({ granularity: "3m" })],
    ["seriesReturnType row", () => ({ seriesReturnType: "row" })],
    ["an unknown aggFn", () => ({ series: [{ ...count(), aggFn: "median" }] })],
    ["no where", () => ({ series: [{ ...count(), where: undefined }] })],
    ["a where that is not field:value", () => ({ series: [{ ...count(), where: "a:1 OR b:2" }] })],
    ["series of different groupBy", () => ({ series: [count(), { ...count(), groupBy: ["ServiceName"] }] })],
    ["a malformed sourceId", () => ({ series: [{ ...count(), sourceId: "logs" }] })],
    ["30s for ten years", () => ({ granularity: "30s", startTime: Date.UTC(2015, 0, 1) })],
    ["1d for a year", () => ({ granularity: "1d", startTime: Date.UTC(2024, 5, 1) })],
  ];
  for (const [what, mutation] of refused) {
    it(`POST /api/v2/charts/series with ${what} is refused with 400`, async () => {
      const { status, body } = await query({ ...valid(), ...mutation() });
      expect(status).to.equal(400);
      expect(body).to.have.all.keys("message");
    });
  }

  const unsupported: [object, string][] = [
    [
      { where: "Host:a" },
      "series.0.where: unknown column Host; columns of a log source: ServiceName, SeverityText",
    ],
    [
      { groupBy: ["StatusCode"] },
      "series.0.groupBy: unknown column StatusCode; columns of a log source: ServiceName, SeverityText",
    ],
    [
      { where: "ServiceName:api OR ServiceName:web" },
      "series.0.where: write conditions as column:value or NOT column:value, joined by AND; " +
        "columns of a log source: ServiceName, SeverityText",
    ],
    [
      { field: "Bytes", aggFn: "sum" },
      "series.0.field: Bytes is not a numeric column; a log source has Duration",
    ],
    [{ aggFn: "median" }, `series.0.aggFn must be one of ${aggregateFunctions.join(", ")}`],
  ];
  for (const [series, message] of unsupported) {
    it(`what the sample data has not is refused by name: ${JSON.stringify(series)}`, async () => {
      const { status, body } = await query({ ...valid(), series: [{ ...count(), ...series }] });
      expect(status).to.equal(400);
      expect(body).to.deep.equal({ message });
    });
  }

  for (const where of [
    "AND ServiceName:api",
    "ServiceName:api AND",
    "(ServiceName:api)",
    'ServiceName:"api',
    "api",
  ]) {
    it(`the filter ${where} is refused with 400`, async () => {
      const { status, body } = await query({ ...valid(), series: [{ ...count(), where }] });
      expect(status).to.equal(400);
      expect(body.message).to.match(/^series\.0\.where: write conditions as column:value/);
    });
  }

  it("POST /api/v2/charts/series with an unknown source is answered with 404 and an error member", async () => {
    const series = [{ ...count(), sourceId: "0123456789abcdef01234567" }];
    const answer = await query({ ...valid(), series });
    expect(answer).to.deep.include({ status: 404, body: { error: "Source not found for series 0" } });
  });
});
