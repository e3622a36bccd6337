import { expect } from "chai";
import { type Api, apis, sourceId, traceSourceId, unknownId, useProduct } from "./product";

const place = { x: 0, y: 0, w: 6, h: 3 };
const select = [{ aggFn: "count" }];

describe("contents of tiles of the product", () => {
  const product = useProduct();
  const connectionId = "65f1c0a2b3d4e5f607182900";
  const sql = { configType: "sql", connectionId, sqlTemplate: "SELECT 1" };
  const max = { aggFn: "max", valueExpression: "Duration" };
  const chart = (displayType: string, further: object = {}) => ({
    displayType,
    sourceId,
    select,
    ...further,
  });
  const status = async (api: Api, content: object) => {
    const tiles = [{ name: "Tile", ...place, ...content }];
    return (await product.send(api, "POST", "/dashboards", { name: "Board", tiles })).status;
  };

  const byId = { mode: "id", id: sourceId };
  const template = { kind: "expressionTemplate", expression: "ServiceName", template: "{{ServiceName}}" };
  const accepted: [string, object][] = [
    ["a line", chart("line", { alignDateRangeToGranularity: false, compareToPreviousPeriod: true })],
    ["a ratio", chart("stacked_bar", { select: [...select, max], asRatio: true })],
    ["a table with a link to a search", chart("table", { onClick: { type: "search", target: byId } })],
    [
      "a table with a link and filters",
      chart("table", {
        onClick: { type: "dashboard", target: { mode: "template", template: "{{a}}" }, filters: [template] },
      }),
    ],
    [
      "a table with a link elsewhere",
      chart("table", { onClick: { type: "external", urlTemplate: "https://a" } }),
    ],
    [
      "a number with colors",
      chart("number", {
        color: "chart-blue",
        colorRules: [
          { operator: "gt", value: 1, color: "chart-red" },
          { operator: "between", value: [1, 2], color: "chart-green", label: "fine" },
          { operator: "eq", value: "down", color: "chart-error" },
        ],
        backgroundChart: { type: "area" },
        numberFormat: { output: "data_rate", numericUnit: "mebibytes_sec", mantissa: 1 },
      }),
    ],
    ["a pie", chart("pie", { limit: 0, orderBy: "a" })],
    ["bars", chart("bar", { groupBy: "a" })],
    [
      "a heatmap",
      { displayType: "heatmap", sourceId: traceSourceId, select: [{ valueExpression: "Duration" }] },
    ],
    ["a search", { displayType: "search", sourceId, select: "Body", whereLanguage: "lucene" }],
    ["patterns", { displayType: "event_patterns", sourceId }],
    ["a text", { displayType: "markdown", markdown: "# Hello" }],
    ["raw SQL", { ...sql, displayType: "line", sourceId }],
    ["a quantile", chart("line", { select: [{ ...max, aggFn: "quantile", level: 0.9 }] })],
  ];
  for (const [what, config] of accepted) {
    it(`may be ${what}`, async () => {
      for (const api of apis) expect([api, await status(api, { config })]).to.deep.equal([api, 200]);
    });
  }

  const refused: [string, object][] = [
    ["an unknown display type", chart("scatter")],
    ["no display type", { sourceId, select }],
    ["a line without a source", chart("line", { sourceId: undefined })],
    ["a line on a source that is not there", chart("line", { sourceId: unknownId })],
    ["no select", chart("line", { select: [] })],
    ["21 selects", chart("line", { select: Array(21).fill(select[0]) })],
    ["two selects of a pie", chart("pie", { select: [...select, ...select] })],
    ["two selects of a number", chart("number", { select: [...select, ...select] })],
    ["a ratio of one", chart("line", { asRatio: true })],
    ["an unknown aggFn", chart("line", { select: [{ ...max, aggFn: "p95" }] })],
    ["a count of an expression", chart("line", { select: [{ ...max, aggFn: "count" }] })],
    ["a maximum of nothing", chart("line", { select: [{ aggFn: "max" }] })],
    ["a level without a quantile", chart("line", { select: [{ ...max, level: 0.9 }] })],
    ["a level of 0.7", chart("line", { select: [{ ...max, aggFn: "quantile", level: 0.7 }] })],
    ["a format without an output", chart("line", { numberFormat: { mantissa: 1 } })],
    ["an unknown color", chart("number", { color: "red" })],
    [
      "a rule between one bound",
      chart("number", { colorRules: [{ operator: "between", value: [1], color: "chart-red" }] }),
    ],
    ["a heatmap of logs", { displayType: "heatmap", sourceId, select: [{ valueExpression: "Duration" }] }],
    ["raw SQL as a heatmap", { ...sql, displayType: "heatmap" }],
    ["raw SQL on a connection that is not there", { ...sql, displayType: "line", connectionId: unknownId }],
    [
      "a link to a dashboard that is not there",
      chart("table", { onClick: { type: "dashboard", target: byId } }),
    ],
  ];
  for (const [what, config] of refused) {
    it(`are refused with ${what}`, async () => {
      for (const api of apis) expect([api, await status(api, { config })]).to.deep.equal([api, 400]);
    });
  }

  it("may have formulas and a limit of series on the observability API only", async () => {
    for (const further of [
      { formulas: [{ expression: "A / 2" }], showOperandSeries: false },
      { seriesLimit: 5 },
    ]) {
      expect(await status("observability", { config: chart("line", further) })).to.equal(200);
      expect(await status("management", { config: chart("line", further) })).to.equal(400);
    }
  });

  const series = { type: "time", sourceId, aggFn: "count", where: "", whereLanguage: "lucene", groupBy: [] };
  const refusedSeries: [string, object][] = [
    ["no source", { sourceId: undefined }],
    ["no where", { where: undefined }],
    ["no groupBy", { groupBy: undefined }],
    ["an unknown type", { type: "lines" }],
    ["a level of 2", { level: 2 }],
  ];
  for (const [what, change] of refusedSeries) {
    it(`are refused with series of ${what}`, async () => {
      for (const api of apis) expect(await status(api, { series: [{ ...series, ...change }] })).to.equal(400);
    });
  }

  it("are refused with series of two types, and beside a config", async () => {
    const number = { ...series, type: "number", groupBy: undefined };
    for (const api of apis) {
      expect(await status(api, { series: [series, number] })).to.equal(400);
      expect(await status(api, { series: [series], config: chart("line") })).to.equal(400);
      expect(await status(api, { asRatio: true, config: chart("line") })).to.equal(400);
    }
  });

  it("need the language of a search on the management API", async () => {
    const search = { displayType: "search", sourceId, select: "Body" };
    expect(await status("observability", { config: search })).to.equal(200);
    expect(await status("management", { config: search })).to.equal(400);
  });

  it("need the language of a series on the management API, and no dataSource", async () => {
    const plain = { ...series, whereLanguage: undefined };
    expect(await status("observability", { series: [plain] })).to.equal(200);
    expect(await status("management", { series: [plain] })).to.equal(400);
    expect(await status("observability", { series: [{ ...series, dataSource: "events" }] })).to.equal(200);
    expect(await status("management", { series: [{ ...series, dataSource: "events" }] })).to.equal(400);
  });
});

describe("tiles of the product", () => {
  const product = useProduct();
  const shown = async (tile: object) => {
    const body = { name: "Board", tiles: [{ name: "Tile", ...place, ...tile }] };
    const { payload, text } = await product.send("observability", "POST", "/dashboards", body);
    expect(payload, text).to.be.an("object");
    return payload.tiles[0];
  };
  const filled = { valueExpression: "", where: "", whereLanguage: "lucene" };

  it("of config show what the server fills in", async () => {
    const line = { displayType: "line", sourceId, select };
    expect((await shown({ config: line })).config).to.deep.equal({
      ...line,
      asRatio: false,
      fillNulls: true,
      select: [{ aggFn: "count", ...filled }],
    });
    const table = { displayType: "table", sourceId, select, having: "a > 1" };
    expect((await shown({ config: table })).config).to.deep.equal({
      ...table,
      asRatio: false,
      select: [{ aggFn: "count", ...filled }],
    });
    const number = { displayType: "number", sourceId, select, colorRules: [] };
    const { colorRules, ...rest } = number;
    expect((await shown({ config: number })).config).to.deep.equal({
      ...rest,
      select: [{ aggFn: "count", ...filled }],
    });
  });

  const series = { sourceId, aggFn: "count", where: "a:b", whereLanguage: "lucene" };
  const item = { aggFn: "count", valueExpression: "", where: "a:b", whereLanguage: "lucene" };
  const conversions: [string, object[], object][] = [
    [
      "time",
      [{ ...series, type: "time", groupBy: ["a", "b"], alias: "x", displayType: "stacked_bar" }],
      {
        displayType: "stacked_bar",
        sourceId,
        asRatio: false,
        fillNulls: true,
        groupBy: "a,b",
        select: [{ ...item, alias: "x" }],
      },
    ],
    [
      "table",
      [
        {
          ...series,
          type: "table",
          groupBy: [],
          aggFn: "quantile",
          level: 0.5,
          field: "Duration",
          sortOrder: "asc",
        },
        {
          ...series,
          type: "table",
          groupBy: [],
          aggFn: "quantile",
          level: 0.7,
          field: "Duration",
          numberFormat: { output: "time" },
        },
      ],
      {
        displayType: "table",
        sourceId,
        asRatio: false,
        numberFormat: { output: "time" },
        select: [
          { ...item, aggFn: "quantile", level: 0.5, valueExpression: "Duration" },
          { ...item, aggFn: "quantile", valueExpression: "Duration" },
        ],
      },
    ],
    [
      "number",
      [
        { ...series, type: "number", metricDataType: "gauge", metricName: "cpu", aggFn: "max", field: "v" },
        { ...series, type: "number" },
      ],
      {
        displayType: "number",
        sourceId,
        select: [{ ...item, aggFn: "max", metricType: "gauge", metricName: "cpu", valueExpression: "v" }],
      },
    ],
    [
      "search",
      [{ type: "search", sourceId, where: "", whereLanguage: "sql", fields: ["Timestamp", "Body"] }],
      { displayType: "search", sourceId, select: "Timestamp, Body", where: "", whereLanguage: "sql" },
    ],
    [
      "markdown",
      [{ type: "markdown", content: "# Hello" }],
      { displayType: "markdown", markdown: "# Hello" },
    ],
  ];
  for (const [type, sent, config] of conversions) {
    it(`of series of type ${type} show their config`, async () => {
      const tile = await shown({ series: sent });
      expect(tile).to.have.all.keys("id", "name", "x", "y", "w", "h", "config");
      expect(tile.config).to.deep.equal(config);
    });
  }

  it("of two series as a ratio say so", async () => {
    const two = [series, series].map((one) => ({ ...one, type: "time", groupBy: [] }));
    expect((await shown({ series: two, asRatio: true })).config.asRatio).to.equal(true);
  });
});
