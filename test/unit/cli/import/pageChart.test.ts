import { expect } from "chai";
import { dashboardOfApi } from "../../../../cli/import/pageDashboard";
import { tilesIn } from "../../../../provider/resources/tiles/tiles";
import type { PropertyMap } from "../../../../provider/values/data";
import { chart, series, tile } from "./pageFile";

/**
 * Converts a dashboard with one tile from the form of ClickStack's page to the form of the API. Returns the tile's chart and
 * the list of properties that the conversion loses.
 */
function translated(config: object) {
  const { dashboard, lost } = dashboardOfApi({ name: "Board", tiles: [tile("Errors", config)] });
  return { config: tilesIn(dashboard.tiles)[0]?.config as PropertyMap, lost };
}

const plain = { displayType: "line", source: undefined, sourceId: "traces", select: [{ aggFn: "count" }] };
const { source, ...counting } = plain;

describe("The conversion of a chart from the form of the product's page to that of the API", () => {
  it("the conversion of an exported chart omits properties that only have the defaults of the page's form", () => {
    expect(translated(chart())).to.deep.equal({ config: counting, lost: [] });
  });

  const counts = [{ aggFn: "count" }, { aggFn: "count" }];
  const heap = { aggFn: "max", metricName: "heap", metricType: "gauge" };
  const quantile = { aggFn: "quantile", level: 0.9, valueExpression: "Duration" };
  const slowest = { aggFn: "max", valueExpression: "Duration", alias: "slowest" };
  const lucene = { whereLanguage: "lucene" };

  /** Properties of a chart in the form of ClickStack's page, and in the form of the API if that is another one. */
  const words: Record<string, [page: object, api?: object]> = {
    "the condition of the chart in each series": [
      {
        ...{ where: "a = 1", whereLanguage: "sql" },
        select: [series(), series({ aggCondition: "b = 2 OR c", aggConditionLanguage: "sql" })],
      },
      {
        select: [
          { aggFn: "count", alias: "count()", where: "a = 1", whereLanguage: "sql" },
          {
            ...{ aggFn: "count", alias: "countIf(b = 2 OR c)" },
            ...{ where: "(a = 1) AND (b = 2 OR c)", whereLanguage: "sql" },
          },
        ],
      },
    ],
    "the names of series into which the chart's condition moves": [
      {
        where: 'a:"1"',
        select: [series({ ...quantile, aggCondition: 'b:"2"' }), series(slowest), series(heap)],
      },
      {
        select: [
          {
            ...{ ...quantile, alias: "quantileIf(0.9)(Duration, b:'2')", where: '(a:"1") AND (b:"2")' },
            ...lucene,
          },
          { ...slowest, where: 'a:"1"', ...lucene },
          { ...heap, where: 'a:"1"', ...lucene },
        ],
      },
    ],
    "a condition that ends in a comment": [
      {
        ...{ where: "a = 1 -- all", whereLanguage: "sql" },
        select: [series({ alias: "n", aggCondition: "b = 2", aggConditionLanguage: "sql" })],
      },
      {
        select: [{ aggFn: "count", alias: "n", where: "(a = 1 -- all\n) AND (b = 2)", whereLanguage: "sql" }],
      },
    ],
    "the change of a metric": [
      { select: [series({ ...heap, isDelta: true })] },
      { select: [{ ...heap, periodAggFn: "delta" }] },
    ],
    "a condition whose language is the page's default, SQL": [
      { where: "a = 1", whereLanguage: undefined, select: [series({ alias: "n" })] },
      { select: [{ aggFn: "count", alias: "n", where: "a = 1", whereLanguage: "sql" }] },
    ],
    "a search whose language is the page's default, SQL": [
      { displayType: "search", select: "Body", where: "a = 1", whereLanguage: undefined },
      { displayType: "search", select: "Body", where: "a = 1", whereLanguage: "sql" },
    ],
    "a search in Lucene": [
      { displayType: "search", select: "Body", where: "error" },
      { displayType: "search", select: "Body", where: "error", ...lucene },
    ],
    "a search of the default columns": [{ displayType: "search", select: "" }],
    "the ratio of a number, as a formula": [
      { displayType: "number", seriesReturnType: "ratio", select: [series(), series()] },
      { displayType: "number", formulas: [{ expression: "A / B" }], select: counts },
    ],
    "formulas, which the page shows in place of a ratio": [
      { seriesReturnType: "ratio", formulas: [{ expression: "B / A" }], select: [series(), series()] },
      { formulas: [{ expression: "B / A" }], select: counts },
    ],
    "a ratio of two series": [
      { seriesReturnType: "ratio", select: [series(), series()] },
      { asRatio: true, select: counts },
    ],
    "the number of series": [{ seriesLimit: 0 }],
    "nothing by a limit without a number": [{ seriesLimit: null, limit: {}, having: "" }, {}],
    "a line where the page names no kind": [{ displayType: undefined }, {}],
    "the number of shares of a pie": [
      { displayType: "pie", seriesLimit: 5 },
      { displayType: "pie", limit: 5 },
    ],
    "intervals without data": [{ fillNulls: false }],
    "intervals without data as zero, the default": [{ fillNulls: 0 }, {}],
    "lists of expressions": [
      {
        displayType: "table",
        groupBy: [{ valueExpression: "host" }, { valueExpression: "SpanName", alias: "Span" }],
        orderBy: [{ valueExpression: "host", ordering: "DESC" }],
      },
      { displayType: "table", groupBy: 'host, SpanName AS "Span"', orderBy: "host DESC" },
    ],
    "lists of plain texts, and expressions without a name": [
      { groupBy: ["host", { valueExpression: "pod", alias: "" }] },
      { groupBy: "host, pod" },
    ],
    "a color of today": [{ displayType: "number", color: "chart-blue" }],
    "a color of the first versions": [
      { displayType: "number", color: "chart-4" },
      { displayType: "number", color: "chart-red" },
    ],
    "hidden operands, which a number always hides": [
      {
        ...{ displayType: "number", formulas: [{ expression: "A / B" }], showOperandSeries: false },
        select: [series(), series()],
      },
      { displayType: "number", formulas: [{ expression: "A / B" }], select: counts },
    ],
    "hidden operands of a table": [
      { displayType: "table", formulas: [{ expression: "A" }], showOperandSeries: false },
    ],
    ...Object.fromEntries(
      [
        { type: "search", target: { mode: "id", id: "Logs" } },
        { type: "dashboard", target: { mode: "template", template: "{{SpanName}}" } },
        { type: "external", urlTemplate: "https://example.com/{{SpanName}}" },
      ].map((onClick): [string, [object]] => [
        `a click that opens what the API names alike: ${onClick.type}`,
        [{ displayType: "table", onClick }],
      ]),
    ),
    "a dashboard that a click opens, by its name": [
      { displayType: "table", onClick: { type: "dashboard", target: { mode: "id", id: "Span" } } },
      {
        displayType: "table",
        onClick: { type: "dashboard", target: { mode: "template", template: "Span" } },
      },
    ],
    "a distribution, whose series always counts": [
      {
        ...{ displayType: "heatmap", where: "SpanKind:Server" },
        select: [series({ valueExpression: "Duration", heatmapScaleType: "log", aggCondition: "a:1" })],
      },
      {
        ...{ displayType: "heatmap", where: "SpanKind:Server", ...lucene },
        select: [{ valueExpression: "Duration", heatmapScaleType: "log" }],
      },
    ],
    "a heatmap of series": [{ displayType: "heatmap", heatmapMode: "series", groupBy: "host" }],
    "a kind of a newer version, of which nothing is left out": [
      { displayType: "gauge", needle: true },
      { displayType: "gauge", needle: true, select: [series({ aggCondition: "" })] },
    ],
  };
  for (const [what, [page, api = page]] of Object.entries(words))
    it(`the conversion of an exported chart keeps ${what}`, () => {
      expect(translated(chart(page))).to.deep.equal({ config: { ...counting, ...api }, lost: [] });
    });

  it("the conversion of an exported markdown tile keeps only its text", () => {
    const page = { displayType: "markdown", markdown: "# Notes", source: "traces", select: [], where: "" };
    expect(translated(page)).to.deep.equal({
      config: { displayType: "markdown", markdown: "# Notes" },
      lost: [],
    });
  });

  it("the conversion of an exported chart in SQL keeps its connection and source", () => {
    const page = {
      configType: "sql",
      displayType: "pie",
      connection: "Default",
      source: "Logs",
      sqlTemplate: "SELECT 1",
    };
    expect(translated(page).config).to.deep.equal({
      ...{ configType: "sql", displayType: "pie", connectionId: "Default", sourceId: "Logs" },
      sqlTemplate: "SELECT 1",
    });
  });

  /** Properties of a chart on ClickStack's page that the API lacks, and their names in the list of lost properties. */
  const losses: Record<string, [page: object, lost: string]> = {
    "the limit of a table": [{ displayType: "table", limit: { limit: 20 } }, "config.limit"],
    "the rows of a pie, beside the number of its shares": [
      { displayType: "pie", seriesLimit: 5, limit: { limit: 3 } },
      "config.limit",
    ],
    "series beyond the twentieth": [
      { select: Array.from({ length: 21 }, (_, index) => series({ alias: `s${index}` })) },
      "config.select[20]",
    ],
    "a fixed granularity": [{ granularity: "1 hour" }, "config.granularity"],
    "the colors of a column": [
      { displayType: "table", select: [series({ color: "chart-red", colorRules: [{}] })] },
      "config.select[0].color, config.select[0].colorRules",
    ],
    "a level of another quantile": [
      { select: [series({ aggFn: "quantile", level: 0.75, valueExpression: "Duration" })] },
      "config.select[0].level 0.75 (0.9 takes its place)",
    ],
    "what another aggregation has left behind": [
      { select: [series({ level: 0.9, valueExpression: "Duration" })] },
      "config.select[0].level, config.select[0].valueExpression",
    ],
    "an aggregation that the API lacks": [
      { select: [series({ aggFn: "sumMerge", valueExpression: "total" })] },
      'config.select[0].aggFn "sumMerge" ("none" takes its place)',
    ],
    "further series of a number": [
      { displayType: "number", select: [series(), series(), series()] },
      "config.select[1], config.select[2]",
    ],
    "hidden operands of a kind without them": [
      { displayType: "pie", formulas: [{ expression: "A" }], showOperandSeries: false },
      "config.formulas, config.showOperandSeries",
    ],
    "the name of what is distributed": [
      { displayType: "heatmap", select: [series({ valueExpression: "Duration", alias: "d" })] },
      "config.select[0].alias",
    ],
    "a ratio of one series": [{ seriesReturnType: "ratio" }, "config.seriesReturnType"],
    "the condition of a chart whose series has one in another language": [
      {
        where: "a:1",
        select: [series(), series({ aggCondition: "b = 2", aggConditionLanguage: "sql" })],
      },
      "config.where",
    ],
    "the scale of what is no distribution": [
      { select: [series({ heatmapScaleType: "log" })] },
      "config.select[0].heatmapScaleType",
    ],
  };
  for (const [what, [page, lost]] of Object.entries(losses))
    it(`the conversion of an exported chart names each lost property with its tile: ${what}`, () => {
      expect(translated(chart(page)).lost).to.deep.equal([`${lost} of the tile "Errors"`]);
    });

  it("aggregations and levels that the API lacks become the nearest ones that it has", () => {
    const select = [
      series({ aggFn: "quantile", level: 0.75, valueExpression: "Duration" }),
      series({ aggFn: "sumMerge", valueExpression: "total" }),
    ];
    expect(translated(chart({ select })).config.select).to.deep.equal([
      { aggFn: "quantile", level: 0.9, valueExpression: "Duration" },
      { aggFn: "none", valueExpression: "total" },
    ]);
  });

  it("the conversion of an exported number keeps only the first of its series", () => {
    const many = chart({ displayType: "number", select: [series(), series()] });
    expect(translated(many).config.select).to.deep.equal([{ aggFn: "count" }]);
  });
});
