import { expect } from "chai";
import { apis, sourceId, unknownId, useSandbox } from "./requests";

const place = { x: 0, y: 0, w: 6, h: 3 };
const line = {
  name: "Lines",
  ...place,
  config: { displayType: "line", sourceId, select: [{ aggFn: "count" }] },
};

describe("Dashboards of the sandbox in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });

  for (const api of apis) {
    const post = (body: object, path: string) => client.stack(api, "POST", `/dashboards${path}`, body);

    it(`a validation of a dashboard on the ${api} API reports the errors of a create`, async () => {
      const validate = async (tile: object, change: object = {}) => {
        const { status, body } = await post({ name: "Board", tiles: [tile], ...change }, "/validate");
        expect(status).to.equal(200);
        return api === "management" ? body.result : body;
      };
      const select = [{ aggFn: "count", where: "" }];
      expect(await validate(line)).to.deep.equal({
        ...{ valid: true, errors: [] },
        normalized: { name: "Board", tiles: [{ ...line, config: { ...line.config, select } }] },
      });
      const wrong = await validate({ ...line, w: 0 }, { name: 5 });
      expect(wrong).to.include({ valid: false, normalized: null });
      expect(wrong.errors.map(({ path }: { path: string }) => path)).to.have.members(["name", "tiles.0.w"]);
      const message = `Could not find the following source IDs: ${unknownId}`;
      expect(await validate({ ...line, config: { ...line.config, sourceId: unknownId } })).to.deep.equal({
        ...{ valid: false, errors: [{ path: "", message }], normalized: null },
      });
      expect(client.sandbox.store.dashboards.size).to.equal(0);
    });
  }

  const series = { sourceId, aggFn: "count", where: "a:b", whereLanguage: "lucene" };
  const time = { ...series, type: "time", groupBy: [] };

  it("the observability API drops an undocumented property of a series", async () => {
    const tiles = [{ name: "A", ...place, series: [{ ...time, dataSource: "events" }] }];
    const { status, text } = await client.observability("POST", "/dashboards", { name: "Board", tiles });
    expect(status).to.equal(200);
    expect(text).to.not.include("dataSource");
  });

  const filled = { valueExpression: "", where: "", whereLanguage: "lucene" };
  const counted = [{ aggFn: "count", ...filled }];
  const item = { aggFn: "count", valueExpression: "", where: "a:b", whereLanguage: "lucene" };
  const quantile = { ...series, type: "table", groupBy: [], aggFn: "quantile", field: "Duration" };
  const numberFormat = { output: "time" };
  const config = (displayType: string, further: object) => ({ displayType, sourceId, ...further });
  const cpu = { metricDataType: "gauge", metricName: "cpu", aggFn: "max", field: "v" };
  const number = { ...series, type: "number" };
  const searched = {
    type: "search",
    sourceId,
    where: "",
    whereLanguage: "sql",
    fields: ["Timestamp", "Body"],
  };
  const ofQuantile = { ...item, aggFn: "quantile", valueExpression: "Duration" };
  const ofCpu = { ...item, aggFn: "max", metricType: "gauge", metricName: "cpu", valueExpression: "v" };
  const shownTiles: readonly [title: string, sent: object, shown: object][] = [
    [
      "a number tile without its empty colorRules",
      { config: config("number", { select: [{ aggFn: "count" }], colorRules: [] }) },
      config("number", { select: counted }),
    ],
    [
      "a chart of two series as a ratio",
      { series: [time, time], asRatio: true },
      config("line", { asRatio: true, fillNulls: true, select: [item, item] }),
    ],
    [
      "a table tile without sortOrder or unsupported levels",
      {
        series: [
          { ...quantile, level: 0.5, sortOrder: "asc" },
          { ...quantile, level: 0.7, numberFormat },
        ],
      },
      config("table", { asRatio: false, numberFormat, select: [{ ...ofQuantile, level: 0.5 }, ofQuantile] }),
    ],
    [
      "only the first series of a number tile",
      { series: [{ ...number, ...cpu }, number] },
      config("number", { select: [ofCpu] }),
    ],
    [
      "a search tile with its columns as select",
      { series: [searched] },
      config("search", { select: "Timestamp, Body", where: "", whereLanguage: "sql" }),
    ],
    [
      "a markdown tile unchanged",
      { series: [{ type: "markdown", content: "# Hello" }] },
      { displayType: "markdown", markdown: "# Hello" },
    ],
  ];
  for (const [title, sent, shown] of shownTiles)
    it(`POST of a dashboard returns a config: ${title}`, async () => {
      const tiles = [{ name: "Tile", ...place, ...sent }];
      const { payload, text } = await client.observability("POST", "/dashboards", { name: "Board", tiles });
      expect(payload, text).to.be.an("object");
      expect(payload.tiles[0]).to.have.all.keys("id", "name", "x", "y", "w", "h", "config");
      expect(payload.tiles[0].config).to.deep.equal(shown);
    });
});
