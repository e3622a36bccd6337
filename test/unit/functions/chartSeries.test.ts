import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { failureOf } from "../api/failure";
import { useServer } from "../api/server";
import { known, sandboxedProgram } from "./sandboxedProgram";

const minute = 60_000;
const hour = 60 * minute;
const day = Date.UTC(2026, 0, 15);

describe("getChartSeries", () => {
  const program = sandboxedProgram();

  const seriesOf = (aggFn: string, groupBy: string[] = []) => ({
    ...{ sourceId: "65f1c0a2b3d4e5f607182911", aggFn, where: "", groupBy },
  });
  const range = { startTime: day, endTime: day + hour, granularity: "10m" } as const;
  const buckets = [0, 1, 2, 3, 4, 5].map((bucket) => day + bucket * 10 * minute);

  it("gives the values of each series as numbers, which the service answers as strings", async () => {
    const points = await pipestack.getChartSeries({ series: [seriesOf("count"), seriesOf("avg")], ...range });
    expect(points.map(({ tsBucket }) => tsBucket)).to.deep.equal(buckets);
    for (const { values, group } of points) {
      expect(values).to.have.length(2);
      for (const value of values) expect(value).to.be.a("number").above(0);
      expect(group).to.equal(undefined);
    }
  });

  it("gives the same points from columns", async () => {
    for (const series of [
      [seriesOf("count"), seriesOf("avg")],
      [seriesOf("count", ["ServiceName"]), seriesOf("max", ["ServiceName"])],
    ]) {
      const points = await pipestack.getChartSeries({ series, ...range });
      const columns = await pipestack.getChartSeries({ series, ...range, seriesReturnType: "column" });
      expect(columns).to.have.deep.members(points);
      expect(columns.length).to.be.above(0);
    }
  });

  it("aggregates the given field and takes the given quantile", async () => {
    const at = async (level: number) => {
      const quantile = { ...seriesOf("quantile"), field: "Duration", level };
      const points = await pipestack.getChartSeries({ series: [quantile], ...range });
      return points.map(({ values: [value] }) => value ?? 0);
    };
    const [low, high] = [await at(0.1), await at(0.9)];
    expect(low).to.have.length(buckets.length);
    for (const [index, value] of high.entries()) expect(value).to.be.above(low[index] ?? Infinity);
  });

  it("names the group of each point", async () => {
    const points = await pipestack.getChartSeries({ series: [seriesOf("count", ["ServiceName"])], ...range });
    const groups = new Set(points.map(({ group }) => group?.join()));
    expect([...groups].sort()).to.deep.equal(["api", "web", "worker"]);
  });

  it("takes outputs as arguments, at any depth", async () => {
    const sourceId = pipestack.getSourcesOutput().apply((sources) => sources[0]?.id ?? "");
    const output = pipestack.getChartSeriesOutput({
      series: [{ ...seriesOf("count"), sourceId, groupBy: pulumi.output(["ServiceName"]) }],
      startTime: pulumi.output(day),
      endTime: day + hour,
      granularity: "1h",
    });
    const points = await known(output);
    expect(points.map(({ tsBucket }) => tsBucket)).to.deep.equal([day, day, day]);
    expect(await pulumi.isSecret(output)).to.equal(false);
  });

  it("asks the observability API once, with the given arguments", async () => {
    await pipestack.getChartSeries({ series: [seriesOf("sum")], ...range });
    const [request, ...others] = program.sandbox.requests;
    expect(others).to.deep.equal([]);
    expect(request).to.deep.include({
      ...{ api: "observability", method: "POST", path: "/api/v2/charts/series" },
      requestBody: { series: [seriesOf("sum")], ...range },
    });
  });

  it("sends the members that newer servers know, and none that is not given", async () => {
    const metric = { whereLanguage: "lucene", metricName: "cpu", metricDataType: "gauge", sortOrder: "asc" };
    const series = [{ ...seriesOf("count"), ...(metric as object) }, seriesOf("count")];
    await pipestack.getChartSeries({ series, ...range, seriesReturnType: "ratio" });
    expect(program.sandbox.requests[0]?.requestBody).to.deep.equal({
      series,
      ...range,
      seriesReturnType: "ratio",
    });
  });

  it("gives the undivided values for seriesReturnType ratio, as the service does", async () => {
    const series = [seriesOf("count"), seriesOf("avg")];
    const points = await pipestack.getChartSeries({ series, ...range });
    const ratio = await pipestack.getChartSeries({ series, ...range, seriesReturnType: "ratio" });
    expect(ratio).to.deep.equal(points);
  });

  describe("with answers of other servers", () => {
    const server = useServer();

    beforeEach(() => pulumi.runtime.setConfig("pipestack:obsBaseUrl", server.current.url));

    const pointsOf = (...answered: object[]) => {
      server.current.alwaysAnswer({ body: { data: answered } });
      return pipestack.getChartSeries({ series: [seriesOf("count"), seriesOf("avg")], ...range });
    };

    it("reads numbers and moments that are written as strings", async () => {
      expect(
        await pointsOf(
          { ts_bucket: String(day), "series_0.data": "5", "series_1.data": " 1.5e3 " },
          { __hdx_time_bucket: "2026-01-15T00:10:00Z", series_0: 7, series_1: "-0.5" },
        ),
      ).to.deep.equal([
        { tsBucket: day, values: [5, 1500] },
        { tsBucket: day + 10 * minute, values: [7, -0.5] },
      ]);
    });

    it("gives null for a value that is no number", async () => {
      expect(
        await pointsOf(
          { ts_bucket: day, "series_0.data": null, "series_1.data": "nan" },
          { ts_bucket: day + minute, "series_0.data": "Infinity" },
          { ts_bucket: day + 2 * minute, "series_0.data": "", "series_1.data": 0 },
        ),
      ).to.deep.equal([
        { tsBucket: day, values: [null, null] },
        { tsBucket: day + minute, values: [null, null] },
        { tsBucket: day + 2 * minute, values: [null, 0] },
      ]);
    });

    it("gives no points for an empty answer", async () => {
      expect(await pointsOf()).to.deep.equal([]);
    });

    it("takes a point without a bucket for the whole range, which begins at its start", async () => {
      expect(
        await pointsOf({ "series_0.data": 5, group: ["a"] }, { "series_1.data": 7, group: ["a"] }),
      ).to.deep.equal([{ tsBucket: range.startTime, values: [5, 7], group: ["a"] }]);
    });

    for (const row of [{}, { ts_bucket: "yesterday" }, { ts_bucket: null }, { ts_bucket: {} }]) {
      it(`refuses a point with the time ${JSON.stringify(row)}`, async () => {
        const { message } = await failureOf(pointsOf(row));
        expect(message).to.equal(
          "pipestack.getChartSeries: a data point has no ts_bucket (getChartSeries: POST /api/v2/charts/series)",
        );
      });
    }
  });
});
