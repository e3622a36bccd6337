import { expect } from "chai";
import { apis, sourceId, unknownId, useSandbox } from "./requests";

const place = { x: 0, y: 0, w: 6, h: 3 };
const line = {
  name: "Lines",
  ...place,
  config: { displayType: "line", sourceId, select: [{ aggFn: "count" }] },
};
const filter = { type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId };
const containers = [{ id: "top", title: "Top", collapsed: false, tabs: [{ id: "first", title: "First" }] }];

describe("Dashboards of the sandbox in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });

  for (const api of apis) {
    const post = (body: object, path = "") => client.stack(api, "POST", `/dashboards${path}`, body);
    const put = (id: string, body: object) =>
      client.stack(api, "PUT", `/dashboards/${id}`, { name: "Board", ...body });
    const created = async (change: object = {}) => {
      const { payload, text } = await post({ name: "Board", tiles: [line], ...change });
      expect(payload, text).to.be.an("object");
      return payload;
    };
    const on = `on the ${api} API`;

    it(`POST of a dashboard ${on} drops repeated tags, and gives each filter an id`, async () => {
      const { tags, filters } = await created({ tags: ["a", "b", "a"], filters: [filter] });
      expect(tags).to.deep.equal(["a", "b"]);
      expect(filters).to.have.length(1);
      expect(filters[0]).to.deep.include(filter);
      expect(filters[0].id).to.match(/^[0-9a-f]{24}$/);
    });

    it(`an update of a dashboard ${on} keeps omitted properties, except tiles`, async () => {
      const before = await created({
        ...{ tags: ["a"], filters: [filter], savedQuery: "level:error", containers },
        savedFilterValues: [{ condition: "a = 1" }],
      });
      const savedFilterValues = [{ type: "sql", condition: "a = 1" }];
      expect(before).to.deep.include({ savedQueryLanguage: "lucene", savedFilterValues });
      const { payload } = await put(before.id, { name: "Other", tiles: [] });
      expect(payload).to.deep.equal({ ...before, name: "Other", tiles: [] });
    });

    it(`an update of a dashboard ${on} clears properties that are empty or null`, async () => {
      const { id } = await created({ tags: ["a"], filters: [filter], savedQuery: "q", containers });
      const cleared = { tags: [], filters: [], savedQuery: null, savedFilterValues: [], containers: [] };
      const { payload } = await put(id, { tiles: [], ...cleared });
      expect(payload).to.include({ savedQuery: null, savedQueryLanguage: null });
      expect([payload.tags, payload.filters, payload.containers]).to.deep.equal([[], [], undefined]);
    });

    it(`an update of a dashboard ${on} refuses a filter without an id`, async () => {
      const { id } = await created({ filters: [filter] });
      expect((await put(id, { tiles: [], filters: [filter] })).status).to.equal(400);
    });

    it(`an update of a dashboard ${on} replaces only unknown ids of filters`, async () => {
      const { id, filters } = await created({ filters: [filter] });
      const kept = { ...filters[0], name: "Host" };
      const { payload } = await put(id, { tiles: [], filters: [kept, { ...filter, id: "mine" }] });
      expect(payload.filters[0]).to.deep.equal(kept);
      expect(payload.filters[1].id).to.match(/^[0-9a-f]{24}$/);
    });

    it(`a tile ${on} may refer only to a container that its dashboard has`, async () => {
      const inside = { ...line, containerId: "top", tabId: "first" };
      const { id, tiles } = await created({ containers, tiles: [inside] });
      expect(tiles[0]).to.include({ containerId: "top", tabId: "first" });
      const again = (await put(id, { tiles: [inside] })).payload;
      expect(again.tiles[0]).to.include({ containerId: "top", tabId: "first" });
      const left = (await put(id, { tiles: [line] })).payload;
      expect(left.tiles[0]).to.not.have.any.keys("containerId", "tabId");
      expect((await post({ name: "Board", tiles: [inside] })).status).to.equal(400);
    });

    it(`a validation of a dashboard ${on} reports the errors of a create`, async () => {
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

  const ofSeries = {
    type: "time",
    sourceId,
    aggFn: "count",
    where: "",
    whereLanguage: "lucene",
    groupBy: [],
  };
  for (const [member, change] of [
    ["id", { id: unknownId }],
    ["dataSource", { tiles: [{ name: "A", ...place, series: [{ ...ofSeries, dataSource: "events" }] }] }],
  ] as const) {
    const body = { name: "Board", tiles: [line], ...change };

    it(`the management API refuses the undocumented property ${member} of a dashboard`, async () => {
      for (const path of ["/dashboards", "/dashboards/validate"]) {
        const { status, reason } = await client.stack("management", "POST", path, body);
        const words = `BAD_REQUEST: request body property can't be validated: ${member}`;
        expect([status, reason]).to.deep.equal([400, words]);
      }
    });

    it(`the observability API drops the undocumented property ${member} of a dashboard`, async () => {
      const { status, text } = await client.observability("POST", "/dashboards", body);
      expect(status).to.equal(200);
      expect(text).to.not.include(unknownId).and.not.include("dataSource");
    });
  }

  const filled = { valueExpression: "", where: "", whereLanguage: "lucene" };
  const counted = [{ aggFn: "count", ...filled }];
  const series = { sourceId, aggFn: "count", where: "a:b", whereLanguage: "lucene" };
  const item = { aggFn: "count", valueExpression: "", where: "a:b", whereLanguage: "lucene" };
  const time = { ...series, type: "time", groupBy: [] };
  const quantile = { ...series, type: "table", groupBy: [], aggFn: "quantile", field: "Duration" };
  const numberFormat = { output: "time" };
  const config = (displayType: string, further: object) => ({ displayType, sourceId, ...further });
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
      config("table", {
        ...{ asRatio: false, numberFormat },
        select: [
          { ...item, aggFn: "quantile", level: 0.5, valueExpression: "Duration" },
          { ...item, aggFn: "quantile", valueExpression: "Duration" },
        ],
      }),
    ],
    [
      "only the first series of a number tile",
      {
        series: [
          { ...series, type: "number", metricDataType: "gauge", metricName: "cpu", aggFn: "max", field: "v" },
          { ...series, type: "number" },
        ],
      },
      config("number", {
        select: [{ ...item, aggFn: "max", metricType: "gauge", metricName: "cpu", valueExpression: "v" }],
      }),
    ],
    [
      "a search tile with its columns as select",
      {
        series: [
          { type: "search", sourceId, where: "", whereLanguage: "sql", fields: ["Timestamp", "Body"] },
        ],
      },
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
