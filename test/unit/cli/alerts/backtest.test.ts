import { expect } from "chai";
import fc from "fast-check";
import { backtest } from "../../../../cli/alerts/backtest";
import { watchedBy } from "../../../../cli/alerts/watched";
import type { Session } from "../../../../provider/lifecycle/session";
import type { PropertyMap } from "../../../../provider/values/data";
import { unknown } from "../../../../provider/values/unknown";
import { evaluatedTypes, transitionsOf } from "./alertEvaluator";

const sourceId = "65f1c0a2b3d4e5f607182911";
const alert = { name: "Errors", source: "inline", threshold: 5, thresholdType: "above", interval: "5m" };
const chart = { displayType: "line", sourceId, select: [{ aggFn: "count", where: "level:error" }] };
const surroundings = { dashboards: [], searches: [], sourceOf: (name: string | undefined) => name };

/** Makes a session whose service answers each chart query with the given rows, and collects the queries. */
function serviceOf(
  rowsOf: (query: PropertyMap, index: number) => ReadonlyMap<number, number | string | null>,
) {
  const asked: { series: readonly PropertyMap[]; granularity: string; startTime: number; endTime: number }[] =
    [];
  const call = async (operation: string, _place: PropertyMap, body: (typeof asked)[number]) => {
    expect(operation).to.equal("getChartSeries");
    asked.push(body);
    return body.series.flatMap((query, index) =>
      [...rowsOf(query, index)].map(([start, value]) => ({
        ts_bucket: start,
        [`series_${index}.data`]: value,
      })),
    );
  };
  return { asked, session: { call, settings: { dialect: "clickhouse" } } as unknown as Session };
}

async function firingsOf(
  given: PropertyMap,
  rows: ReadonlyMap<number, number | string | null>,
  range: object,
) {
  const { session } = serviceOf(() => rows);
  const tested = [{ name: "", alert: given, watched: watchedBy(given, surroundings) }];
  const [result] = await backtest(tested, range as { from: number; until: number }, session);
  if (!result || "reason" in result) throw new Error(`not known: ${result?.reason}`);
  return result.firings.flatMap(({ from, until }) => [
    [from, "ALERT"] as const,
    ...(until === undefined ? [] : [[until, "OK"] as const]),
  ]);
}

describe("The backtest of alerts", () => {
  it("a backtest reports the same firings as an independent evaluator that follows the product's documents", async () => {
    const day = 24 * 60;
    const intervals: [string, number][] = [
      ...([
        ["1m", 1],
        ["5m", 5],
        ["15m", 15],
        ["30m", 30],
      ] as [string, number][]),
      ...([
        ["1h", 60],
        ["6h", 6 * 60],
        ["12h", 12 * 60],
        ["1d", day],
      ] as [string, number][]),
    ];
    const value = fc.oneof(fc.integer({ min: -3, max: 6 }), fc.constantFrom(null, undefined, 2.5));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...intervals),
        fc.constantFrom(...evaluatedTypes),
        fc.integer({ min: -2, max: 4 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(value, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 0, max: 59 }),
        async ([interval, minutes], thresholdType, threshold, more, windows, values, shift) => {
          const width = minutes * 60_000;
          const first = Math.floor(Date.UTC(2026, 10, 1) / width) * width;
          const range = { from: first - shift * 1000, until: first + values.length * width + shift * 1000 };
          const rows = new Map(
            values.flatMap((each, index) => (each === undefined ? [] : [[first + index * width, each]])),
          );
          const thresholdMax = threshold + more;
          const given = {
            ...{ ...alert, interval, thresholdType, threshold, thresholdMax, numConsecutiveWindows: windows },
            chartConfig: chart,
          };
          const expected = transitionsOf(
            { minutes, thresholdType, threshold, thresholdMax, windows },
            rows,
            range,
          );
          expect(await firingsOf(given, rows, range)).to.deep.equal(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("a backtest groups the different series of one interval into requests of five", async () => {
    const { asked, session } = serviceOf(() => new Map());
    const alerts = Array.from({ length: 100 }, (_, index) => {
      const select = [{ aggFn: "count", where: `n:${index % 20}` }];
      const given = { ...alert, interval: index < 40 ? "5m" : "1h", chartConfig: { ...chart, select } };
      return { name: "", alert: given, watched: watchedBy(given, surroundings) };
    });
    const range = { from: Date.UTC(2026, 10, 1), until: Date.UTC(2026, 10, 8) };
    expect(await backtest(alerts, range, session)).to.have.length(100);
    expect(asked.map(({ series, granularity }) => `${series.length} ${granularity}`)).to.have.members([
      ...Array.from({ length: 4 }, () => "5 5m"),
      ...Array.from({ length: 4 }, () => "5 1h"),
    ]);
    for (const { startTime, endTime } of asked)
      expect({ from: startTime, until: endTime }).to.deep.equal(range);
  });

  const compared = (chartConfig: PropertyMap, answers: readonly (number | undefined)[]) => {
    const watched = watchedBy({ ...alert, chartConfig }, surroundings);
    if ("reason" in watched) throw new Error(watched.reason);
    return [watched.questions.map(({ query }) => query), watched.value(answers)] as const;
  };
  const query = { sourceId, groupBy: [], aggFn: "count" };

  it("a backtest compares the last series of a chart, filtered by the series and by the whole chart", () => {
    const select = [
      { aggFn: "max", valueExpression: "Duration" },
      { aggFn: "count", where: "a:1" },
    ];
    const [asked, value] = compared({ ...chart, select, where: "b:2" }, [7]);
    expect(asked).to.deep.equal([{ ...query, where: "(b:2) AND (a:1)", whereLanguage: "lucene" }]);
    expect(value).to.equal(7);
  });

  describe("The backtest of a ratio", () => {
    const select = [
      { aggFn: "count", where: "a:1" },
      { aggFn: "sum", valueExpression: "Bytes" },
    ];
    const ratio = { ...chart, select, asRatio: true };

    it("a backtest divides the first series of a ratio by the second", () => {
      const [asked, value] = compared(ratio, [1, 4]);
      expect(asked.map(({ aggFn, field }) => [aggFn, field])).to.deep.equal([
        ["count", undefined],
        ["sum", "Bytes"],
      ]);
      expect(value).to.equal(0.25);
    });

    for (const [what, answers] of [
      ["its second series is 0", [1, 0]],
      ["its second series is missing", [1, undefined]],
      ["its first series is missing", [undefined, 4]],
    ] as const)
      it(`the backtest of a ratio has no value where ${what}`, () => {
        expect(compared(ratio, answers)[1]).to.equal(undefined);
      });
  });

  it("a backtest reports that the service would misread the expression of an alert", async () => {
    const select = [{ aggFn: "max", valueExpression: "Duration / 1000000.0" }];
    const scaled = { ...alert, chartConfig: { ...chart, select } };
    const { asked, session } = serviceOf(() => new Map([[0, 0]]));
    const tested = [{ name: "", alert: scaled, watched: watchedBy(scaled, surroundings) }];
    const [result] = await backtest(tested, { from: 0, until: 3_600_000 }, session);
    expect(result).to.have.property("reason").that.includes("takes Duration / 1000000.0 for a text");
    expect(asked).to.deep.equal([]);
  });

  it("a backtest of an alert on a saved search counts the search's records", () => {
    const searches = [{ id: "s1", sourceId, where: "a:1", whereLanguage: "lucene" }];
    const watched = watchedBy(
      { ...alert, source: "search", savedSearch: "s1" },
      { ...surroundings, searches },
    );
    expect(watched).to.deep.nested.include({
      "questions[0].query": { ...query, where: "a:1", whereLanguage: "lucene" },
    });
  });

  const tile = { id: "t1", name: "Errors", series: [{ type: "time", aggFn: "count", where: "", sourceId }] };

  it("a backtest reads the tile of the alert's own dashboard where another one has a tile with its id", () => {
    const copied = { ...tile, series: [{ ...tile.series[0], where: "copy" }] };
    const dashboards = [
      { id: "d1", tiles: [copied] },
      { id: "d2", tiles: [tile] },
    ];
    for (const member of ["dashboardId", "dashboard"]) {
      const onTile = { ...alert, source: "tile", tileId: "t1", [member]: "d2" };
      const watched = watchedBy(onTile, { ...surroundings, dashboards });
      expect(watched).to.deep.nested.include({ "questions[0].query": { ...query, where: "" } });
    }
  });

  const search = { id: "s1", sourceId, where: "" };
  const searches = [
    search,
    { ...search, id: "hidden", where: "[secret]" },
    { ...search, id: "open", sourceId: unknown },
    { ...search, id: "filtered", filters: "[secret]" },
  ];
  const cases: [PropertyMap, string][] = [
    [{ chartConfig: { ...chart, groupBy: "host, pod" } }, "it fires for each value of host, pod"],
    [
      { chartConfig: { displayType: "number", configType: "sql", sqlTemplate: "SELECT 1" } },
      "SQL of its own",
    ],
    [{ chartConfig: { ...chart, formulas: [{ expression: "A / B" }] } }, "a formula"],
    [{ chartConfig: { ...chart, displayType: "table" } }, "of the kind table"],
    [{ chartConfig: { ...chart, select: [] } }, "no series"],
    [{ chartConfig: { ...chart, select: [{ aggFn: "increase" }] } }, "aggregates by increase"],
    [{ chartConfig: { ...chart, select: [{ aggFn: "max", periodAggFn: "delta" }] } }, "periodAggFn"],
    [
      { chartConfig: { ...chart, where: "a = 1", whereLanguage: "sql" } },
      "its chart has filters in two languages",
    ],
    [{ chartConfig: { ...chart, sourceId: unknown } }, "a part of its chart is not known yet"],
    [{ chartConfig: { ...chart, sourceId: undefined } }, "its source is not known yet, or is gone"],
    [{ chartConfig: undefined }, "the service does not show its chart"],
    [{ chartConfig: chart, threshold: unknown }, "its threshold is not known yet"],
    [{ chartConfig: chart, interval: unknown }, "its interval is not known yet"],
    [{ chartConfig: chart, threshold: "[secret]" }, "its threshold is secret"],
    [{ chartConfig: chart, thresholdType: "[secret]" }, "its thresholdType is secret"],
    [{ chartConfig: chart, thresholdMax: "[secret]" }, "its thresholdMax is secret"],
    [{ chartConfig: chart, thresholdMax: unknown }, "its thresholdMax is not known yet"],
    [{ chartConfig: chart, numConsecutiveWindows: "[secret]" }, "its numConsecutiveWindows is secret"],
    [{ chartConfig: chart, detectionMode: unknown }, "its detectionMode is not known yet"],
    [{ chartConfig: { ...chart, where: "[secret]" } }, "a part of its chart is secret"],
    [{ chartConfig: { ...chart, formulas: "[secret]" } }, "a part of its chart is secret"],
    [{ source: "search", savedSearch: "s1", groupBy: unknown }, "its groupBy is not known yet"],
    [{ source: "search", savedSearch: "hidden" }, "a part of its saved search is secret"],
    [{ source: "search", savedSearch: "open" }, "a part of its saved search is not known yet"],
    [{ source: "search", savedSearch: "filtered" }, "its saved search has filters"],
    [{ chartConfig: chart, detectionMode: "anomaly" }, "it compares with what was usual"],
    [{ chartConfig: chart, scheduleOffsetMinutes: 2 }, "scheduleOffsetMinutes"],
    [{ chartConfig: chart, scheduleStartAt: "2026-11-01T00:00:00Z" }, "scheduleStartAt"],
    [{ source: "tile", tileId: "t2" }, "its tile is not known yet, or is gone"],
    [{ source: "search", savedSearch: "s2" }, "its saved search is not known yet, or is gone"],
    [{ source: "search", savedSearch: "s1", groupBy: "host" }, "it fires for each value of host"],
  ];
  for (const [members, reason] of cases)
    it(`a backtest says why it cannot compute the firings of an alert: ${reason}`, () => {
      const given = { dashboards: [{ tiles: [tile] }], searches, sourceOf: surroundings.sourceOf };
      const watched = watchedBy({ ...alert, ...members }, given);
      expect("reason" in watched && watched.reason).to.include(reason);
      const known = watchedBy({ ...alert, source: "tile", tileId: "t1" }, given);
      expect(known).to.have.property("questions");
    });
});
