import { expect } from "chai";
import { Client } from "./requests";

describe("sandbox: chart series", () => {
  let client: Client;
  let sourceId: string;
  let metrics: string;
  before(async () => {
    client = await Client.start();
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
  ];
  for (const [what, mutation] of refused) {
    it(`POST /api/v2/charts/series with ${what} is refused with 400`, async () => {
      const { status, body } = await query({ ...valid(), ...mutation() });
      expect(status).to.equal(400);
      expect(body).to.have.all.keys("message");
    });
  }

  it("POST /api/v2/charts/series with an unknown source is answered with 404 and an error member", async () => {
    const series = [{ ...count(), sourceId: "0123456789abcdef01234567" }];
    const answer = await query({ ...valid(), series });
    expect(answer).to.deep.include({ status: 404, body: { error: "Source not found for series 0" } });
  });
});
