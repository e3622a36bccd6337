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

  /** Properties of a chart in the form of ClickStack's page, and the same properties in the form of the API. */
  const words: Record<string, { page: object; api: object }> = {
    "conditions of series": {
      page: { select: [series({ aggCondition: "level:error", aggConditionLanguage: "lucene" })] },
      api: { select: [{ aggFn: "count", where: "level:error", whereLanguage: "lucene" }] },
    },
    "the condition of the chart in each series": {
      page: {
        where: "a = 1",
        whereLanguage: "sql",
        select: [series(), series({ aggCondition: "b = 2 OR c", aggConditionLanguage: "sql" })],
      },
      api: {
        select: [
          { aggFn: "count", alias: "count()", where: "a = 1", whereLanguage: "sql" },
          {
            ...{ aggFn: "count", alias: "countIf(b = 2 OR c)" },
            ...{ where: "(a = 1) AND (b = 2 OR c)", whereLanguage: "sql" },
          },
        ],
      },
    },
    "the names of series into which the chart's condition moves": {
      page: {
        where: 'a:"1"',
        select: [
          series({ aggFn: "quantile", level: 0.9, valueExpression: "Duration", aggCondition: 'b:"2"' }),
          series({ aggFn: "max", valueExpression: "Duration", alias: "slowest" }),
          series({ aggFn: "max", metricName: "heap", metricType: "gauge" }),
        ],
      },
      api: {
        select: [
          {
            ...{ aggFn: "quantile", level: 0.9, valueExpression: "Duration" },
            ...{ alias: "quantileIf(0.9)(Duration, b:'2')", where: '(a:"1") AND (b:"2")' },
            whereLanguage: "lucene",
          },
          {
            ...{ aggFn: "max", valueExpression: "Duration", alias: "slowest", where: 'a:"1"' },
            whereLanguage: "lucene",
          },
          {
            ...{ aggFn: "max", metricName: "heap", metricType: "gauge", where: 'a:"1"' },
            whereLanguage: "lucene",
          },
        ],
      },
    },
    "a condition that ends in a comment": {
      page: {
        ...{ where: "a = 1 -- all", whereLanguage: "sql" },
        select: [series({ alias: "n", aggCondition: "b = 2", aggConditionLanguage: "sql" })],
      },
      api: {
        select: [{ aggFn: "count", alias: "n", where: "(a = 1 -- all\n) AND (b = 2)", whereLanguage: "sql" }],
      },
    },
    "the change of a metric": {
      page: { select: [series({ aggFn: "max", isDelta: true, metricName: "heap", metricType: "gauge" })] },
      api: { select: [{ aggFn: "max", periodAggFn: "delta", metricName: "heap", metricType: "gauge" }] },
    },
    "a quantile of an expression": {
      page: { select: [series({ aggFn: "quantile", level: 0.9, valueExpression: "Duration" })] },
      api: { select: [{ aggFn: "quantile", level: 0.9, valueExpression: "Duration" }] },
    },
    "a condition whose language is the page's default, SQL": {
      page: { where: "a = 1", whereLanguage: undefined, select: [series({ alias: "n" })] },
      api: { select: [{ aggFn: "count", alias: "n", where: "a = 1", whereLanguage: "sql" }] },
    },
    "a search whose language is the page's default, SQL": {
      page: { displayType: "search", select: "Body", where: "a = 1", whereLanguage: undefined },
      api: { displayType: "search", select: "Body", where: "a = 1", whereLanguage: "sql" },
    },
    "a search of the default columns": {
      page: { displayType: "search", select: "" },
      api: { displayType: "search", select: "" },
    },
    "the ratio of a number, as a formula": {
      page: { displayType: "number", seriesReturnType: "ratio", select: [series(), series()] },
      api: {
        ...{ displayType: "number", formulas: [{ expression: "A / B" }] },
        select: [{ aggFn: "count" }, { aggFn: "count" }],
      },
    },
    "formulas, which the page shows in place of a ratio": {
      page: {
        ...{ seriesReturnType: "ratio", formulas: [{ expression: "B / A" }] },
        select: [series(), series()],
      },
      api: { formulas: [{ expression: "B / A" }], select: [{ aggFn: "count" }, { aggFn: "count" }] },
    },
    "a ratio of two series": {
      page: { seriesReturnType: "ratio", select: [series({ alias: "a" }), series({ alias: "b" })] },
      api: {
        asRatio: true,
        select: [
          { aggFn: "count", alias: "a" },
          { aggFn: "count", alias: "b" },
        ],
      },
    },
    "the number of series": { page: { seriesLimit: 0 }, api: { seriesLimit: 0 } },
    "nothing by a limit without a number": { page: { seriesLimit: null, limit: {}, having: "" }, api: {} },
    "a line where the page names no kind": { page: { displayType: undefined }, api: {} },
    "the number of shares of a pie": {
      page: { displayType: "pie", seriesLimit: 5 },
      api: { displayType: "pie", limit: 5 },
    },
    "intervals without data": { page: { fillNulls: false }, api: { fillNulls: false } },
    "intervals without data as zero, the default": { page: { fillNulls: 0 }, api: {} },
    "lists of expressions": {
      page: {
        displayType: "table",
        groupBy: [{ valueExpression: "host" }, { valueExpression: "SpanName", alias: "Span" }],
        orderBy: [{ valueExpression: "host", ordering: "DESC" }],
      },
      api: { displayType: "table", groupBy: 'host, SpanName AS "Span"', orderBy: "host DESC" },
    },
    "lists of plain texts, and expressions without a name": {
      page: { groupBy: ["host", { valueExpression: "pod", alias: "" }] },
      api: { groupBy: "host, pod" },
    },
    "a color of today": {
      page: { displayType: "number", color: "chart-blue" },
      api: { displayType: "number", color: "chart-blue" },
    },
    "a color of the first versions": {
      page: { displayType: "number", color: "chart-4" },
      api: { displayType: "number", color: "chart-red" },
    },
    "hidden operands, which a number always hides": {
      page: {
        ...{ displayType: "number", formulas: [{ expression: "A / B" }], showOperandSeries: false },
        select: [series({ alias: "a" }), series({ alias: "b" })],
      },
      api: {
        ...{ displayType: "number", formulas: [{ expression: "A / B" }] },
        select: [
          { aggFn: "count", alias: "a" },
          { aggFn: "count", alias: "b" },
        ],
      },
    },
    "hidden operands of a table": {
      page: { displayType: "table", formulas: [{ expression: "A" }], showOperandSeries: false },
      api: { displayType: "table", formulas: [{ expression: "A" }], showOperandSeries: false },
    },
    ...Object.fromEntries(
      [
        { type: "search", target: { mode: "id", id: "Logs" } },
        { type: "dashboard", target: { mode: "template", template: "{{SpanName}}" } },
        { type: "external", urlTemplate: "https://example.com/{{SpanName}}" },
      ].map((onClick) => [
        `a click that opens what the API names alike: ${onClick.type}`,
        { page: { displayType: "table", onClick }, api: { displayType: "table", onClick } },
      ]),
    ),
    "a dashboard that a click opens, by its name": {
      page: { displayType: "table", onClick: { type: "dashboard", target: { mode: "id", id: "Span" } } },
      api: {
        displayType: "table",
        onClick: { type: "dashboard", target: { mode: "template", template: "Span" } },
      },
    },
    "a distribution, whose series always counts": {
      page: {
        displayType: "heatmap",
        where: "SpanKind:Server",
        select: [series({ valueExpression: "Duration", heatmapScaleType: "log", aggCondition: "a:1" })],
      },
      api: {
        ...{ displayType: "heatmap", where: "SpanKind:Server", whereLanguage: "lucene" },
        select: [{ valueExpression: "Duration", heatmapScaleType: "log" }],
      },
    },
    "a heatmap of series": {
      page: { displayType: "heatmap", heatmapMode: "series", groupBy: "host" },
      api: { displayType: "heatmap", heatmapMode: "series", groupBy: "host" },
    },
    "a search": {
      page: { displayType: "search", select: "Body", where: "error" },
      api: { displayType: "search", select: "Body", where: "error", whereLanguage: "lucene" },
    },
    "a kind of a newer version, of which nothing is left out": {
      page: { displayType: "gauge", needle: true },
      api: { displayType: "gauge", needle: true, select: [series({ aggCondition: "" })] },
    },
  };
  for (const [what, { page, api }] of Object.entries(words))
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
  const losses: Record<string, { page: object; lost: string }> = {
    "the limit of a table": {
      page: { displayType: "table", limit: { limit: 20 } },
      lost: "config.limit",
    },
    "the rows of a pie, beside the number of its shares": {
      page: { displayType: "pie", seriesLimit: 5, limit: { limit: 3 } },
      lost: "config.limit",
    },
    "series beyond the twentieth": {
      page: { select: Array.from({ length: 21 }, (_, index) => series({ alias: `s${index}` })) },
      lost: "config.select[20]",
    },
    "a fixed granularity": { page: { granularity: "1 hour" }, lost: "config.granularity" },
    "the colors of a column": {
      page: { displayType: "table", select: [series({ color: "chart-red", colorRules: [{}] })] },
      lost: "config.select[0].color, config.select[0].colorRules",
    },
    "a level of another quantile": {
      page: { select: [series({ aggFn: "quantile", level: 0.75, valueExpression: "Duration" })] },
      lost: "config.select[0].level 0.75 (0.9 takes its place)",
    },
    "what another aggregation has left behind": {
      page: { select: [series({ level: 0.9, valueExpression: "Duration" })] },
      lost: "config.select[0].level, config.select[0].valueExpression",
    },
    "an aggregation that the API lacks": {
      page: { select: [series({ aggFn: "sumMerge", valueExpression: "total" })] },
      lost: 'config.select[0].aggFn "sumMerge" ("none" takes its place)',
    },
    "further series of a number": {
      page: { displayType: "number", select: [series(), series(), series()] },
      lost: "config.select[1], config.select[2]",
    },
    "hidden operands of a kind without them": {
      page: { displayType: "pie", formulas: [{ expression: "A" }], showOperandSeries: false },
      lost: "config.formulas, config.showOperandSeries",
    },
    "the name of what is distributed": {
      page: { displayType: "heatmap", select: [series({ valueExpression: "Duration", alias: "d" })] },
      lost: "config.select[0].alias",
    },
    "a ratio of one series": { page: { seriesReturnType: "ratio" }, lost: "config.seriesReturnType" },
    "the condition of a chart whose series has one in another language": {
      page: {
        where: "a:1",
        select: [series(), series({ aggCondition: "b = 2", aggConditionLanguage: "sql" })],
      },
      lost: "config.where",
    },
    "the scale of what is no distribution": {
      page: { select: [series({ heatmapScaleType: "log" })] },
      lost: "config.select[0].heatmapScaleType",
    },
  };
  for (const [what, { page, lost }] of Object.entries(losses))
    it(`the conversion of an exported chart names each lost property with its tile: ${what}`, () => {
      expect(translated(chart(page)).lost).to.deep.equal([`${lost} of the tile "Errors"`]);
    });

  it("the conversion of an exported chart replaces aggregations and levels that the API lacks by the nearest ones that it has", () => {
    const select = [
      series({ aggFn: "quantile", level: 0.75, valueExpression: "Duration" }),
      series({ aggFn: "sumMerge", valueExpression: "total" }),
    ];
    expect(translated(chart({ select })).config.select).to.deep.equal([
      { aggFn: "quantile", level: 0.9, valueExpression: "Duration" },
      { aggFn: "none", valueExpression: "total" },
    ]);
    const many = chart({ displayType: "number", select: [series(), series()] });
    expect(translated(many).config.select).to.deep.equal([{ aggFn: "count" }]);
  });
});
