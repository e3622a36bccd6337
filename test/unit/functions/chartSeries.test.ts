import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { failureOf } from "../api/failure";
import { useServer } from "../api/server";
import { sandboxedProgram } from "./sandboxedProgram";

const minute = 60_000;
const day = Date.UTC(2026, 0, 15);
const range = { startTime: day, endTime: day + 60 * minute, granularity: "10m" } as const;
const buckets = [0, 1, 2, 3, 4, 5].map((bucket) => day + bucket * 10 * minute);

const seriesOf = (aggFn: string, groupBy: string[] = []) => ({
  ...{ sourceId: "65f1c0a2b3d4e5f607182911", aggFn, where: "", groupBy },
});
const both = [seriesOf("count"), seriesOf("avg")];

describe("The function getChartSeries", () => {
  const program = sandboxedProgram();

  it("getChartSeries returns the values of each series as numbers, although the service sends strings", async () => {
    const points = await pipestack.getChartSeries({ series: both, ...range });
    expect(points.map(({ tsBucket }) => tsBucket)).to.deep.equal(buckets);
    for (const { values, group } of points) {
      expect(values).to.have.length(2);
      for (const value of values) expect(value).to.be.a("number").above(0);
      expect(group).to.equal(undefined);
    }
  });

  it("getChartSeries returns the same points with seriesReturnType column as without it", async () => {
    for (const series of [both, [seriesOf("count", ["ServiceName"]), seriesOf("max", ["ServiceName"])]]) {
      const points = await pipestack.getChartSeries({ series, ...range });
      const columns = await pipestack.getChartSeries({ series, ...range, seriesReturnType: "column" });
      expect(columns).to.have.deep.members(points).and.not.be.empty;
    }
  });

  it("getChartSeries returns undivided values with seriesReturnType ratio", async () => {
    const points = await pipestack.getChartSeries({ series: both, ...range });
    const ratio = await pipestack.getChartSeries({ series: both, ...range, seriesReturnType: "ratio" });
    expect(ratio).to.deep.equal(points);
  });

  it("getChartSeries sends all arguments in one request, even those that only newer servers know", async () => {
    const metric = { whereLanguage: "lucene", metricName: "cpu", metricDataType: "gauge", sortOrder: "asc" };
    const series = [
      { ...seriesOf("quantile"), field: "Duration", level: 0.9, ...(metric as object) },
      seriesOf("count"),
    ];
    const args = { series, ...range, seriesReturnType: "ratio" } as const;
    await pipestack.getChartSeries(args);
    const [request, ...others] = program.sandbox.requests;
    expect(others).to.deep.equal([]);
    expect(request).to.deep.include({
      ...{ api: "observability", method: "POST", path: "/api/v2/charts/series", requestBody: args },
    });
  });

  describe("getChartSeries with answers in forms that the sandbox does not use", () => {
    const server = useServer();

    beforeEach(() => pulumi.runtime.setConfig("pipestack:obsBaseUrl", server.current.url));

    const pointsOf = (answered: readonly object[]) => {
      server.current.alwaysAnswer({ body: { data: answered } });
      return pipestack.getChartSeries({ series: both, ...range });
    };

    for (const [title, answered, points] of [
      [
        "reads numbers and moments that are written as strings",
        [
          { ts_bucket: String(day), "series_0.data": "5", "series_1.data": " 1.5e3 " },
          { __hdx_time_bucket: "2026-01-15T00:10:00Z", series_0: 7, series_1: "-0.5" },
        ],
        [
          { tsBucket: day, values: [5, 1500] },
          { tsBucket: day + 10 * minute, values: [7, -0.5] },
        ],
      ],
      [
        "gives null for a value that is no number",
        [
          { ts_bucket: day, "series_0.data": null, "series_1.data": "nan" },
          { ts_bucket: day + minute, "series_0.data": "Infinity" },
          { ts_bucket: day + 2 * minute, "series_0.data": "", "series_1.data": 0 },
        ],
        [
          { tsBucket: day, values: [null, null] },
          { tsBucket: day + minute, values: [null, null] },
          { tsBucket: day + 2 * minute, values: [null, 0] },
        ],
      ],
      [
        "takes a point without a bucket for the whole range, which begins at its start",
        [
          { "series_0.data": 5, group: ["a"] },
          { "series_1.data": 7, group: ["a"] },
        ],
        [{ tsBucket: range.startTime, values: [5, 7], group: ["a"] }],
      ],
    ] as const)
      it(`getChartSeries returns points of one form for answers in several forms: it ${title}`, async () => {
        expect(await pointsOf(answered)).to.deep.equal(points);
      });

    it("getChartSeries keeps groups apart whose columns have another name than the field", async () => {
      const route = "SpanAttributes['http.route']";
      const row = (name: string, count: string) => ({
        ...{ series_0: count, __hdx_time_bucket: "2026-01-15T00:00:00Z" },
        ...{ "arrayElement(SpanAttributes, 'http.route')": name, ServiceName: "shop" },
      });
      server.current.alwaysAnswer({ body: { data: [row("/cart", "5"), row("/pay", "7")] } });
      const series = [seriesOf("count", [route, "ServiceName"])];
      const points = await pipestack.getChartSeries({ series, ...range, seriesReturnType: "column" });
      expect(points).to.deep.equal([
        { tsBucket: day, values: [5], group: ["/cart", "shop"] },
        { tsBucket: day, values: [7], group: ["/pay", "shop"] },
      ]);
    });

    it("getChartSeries keeps groups apart by an expression that is named as what every object has", async () => {
      const row = (name: string, count: string) => ({
        series_0: count,
        ts_bucket: day,
        "upper(valueOf)": name,
      });
      server.current.alwaysAnswer({ body: { data: [row("A", "5"), row("B", "7")] } });
      const series = [seriesOf("count", ["valueOf"])];
      expect(await pipestack.getChartSeries({ series, ...range })).to.deep.equal([
        { tsBucket: day, values: [5], group: ["A"] },
        { tsBucket: day, values: [7], group: ["B"] },
      ]);
    });

    for (const row of [{}, { ts_bucket: "yesterday" }, { ts_bucket: null }, { ts_bucket: {} }])
      it(`getChartSeries refuses a point with the time ${JSON.stringify(row)}`, async () => {
        const { message } = await failureOf(pointsOf([row]));
        expect(message).to.equal(
          "pipestack.getChartSeries: a data point has no ts_bucket (getChartSeries: POST /api/v2/charts/series)",
        );
      });
  });
});
