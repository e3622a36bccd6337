import { expect } from "chai";
import { savedSearchId, sourceId, useSandbox, webhookId } from "./requests";

const line = { displayType: "line", sourceId, select: [{ aggFn: "count" }] };
const condition = {
  ...{ threshold: 1, thresholdType: "above", interval: "5m" },
  channel: { type: "webhook", webhookId },
};
const inline = { ...condition, source: "inline", chartConfig: line };
const onSearch = { ...condition, source: "saved_search", savedSearchId };

describe("Inline alerts in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const older = useSandbox({ dialect: "clickhouse", version: "2.36" });
  const post = (body: object) => client.observability("POST", "/alerts", body);
  const put = (id: string, body: object) => client.observability("PUT", `/alerts/${id}`, body);
  const get = async (id: string) => (await client.observability("GET", `/alerts/${id}`)).payload;
  const created = async (body: object = inline) => {
    const { payload, text } = await post(body);
    expect(payload, text).to.be.an("object");
    return payload;
  };
  const stored = (id: string) => client.sandbox.store.alerts.get(id) ?? ({} as never);

  const filledIn = {
    ...{ displayType: "line", sourceId, asRatio: false, fillNulls: true },
    select: [{ aggFn: "count", valueExpression: "", where: "", whereLanguage: "lucene" }],
  };

  it("POST, PUT and GET of an inline alert return its chart with defaults", async () => {
    const { id, chartConfig } = await created();
    expect(chartConfig).to.deep.equal(filledIn);
    expect((await put(id, inline)).payload.chartConfig).to.deep.equal(filledIn);
    expect((await get(id)).chartConfig).to.deep.equal(filledIn);
  });

  it("the list of alerts omits the chart of an inline alert", async () => {
    const { id } = await created();
    const { payload } = await client.observability("GET", "/alerts");
    expect(payload).to.have.length(1);
    expect(payload[0]).to.include({ id, source: "inline" }).and.not.have.property("chartConfig");
  });

  it("the sandbox drops unknown properties of an inline alert's chart", async () => {
    const sent = { ...line, having: "1", name: "", select: [{ aggFn: "count", hint: 1 }] };
    const { chartConfig } = await created({ ...inline, chartConfig: sent });
    expect(chartConfig).to.deep.equal(filledIn);
  });

  it("the sandbox adds the language of a filter to an inline alert's chart", async () => {
    const sent = { ...line, where: "Level:error" };
    const { chartConfig } = await created({ ...inline, chartConfig: sent });
    expect(chartConfig).to.deep.equal({ ...filledIn, where: "Level:error", whereLanguage: "lucene" });
  });

  it("the sandbox refuses chartConfig in an alert that is not inline", async () => {
    expect((await post({ ...onSearch, chartConfig: line })).reason).to.include(
      "chartConfig is only supported",
    );
  });

  it("an inline alert cannot be sent back as GET shows it if no request can describe its chart", async () => {
    const { id } = await created();
    const unsayable = [
      { filters: [{ type: "sql", condition: "1" }] },
      { having: "1" },
      { granularity: "5 minute" },
      { select: "count()" },
      { select: Array(21).fill({ aggFn: "count" }) },
      { select: [{ aggFn: "quantile", valueExpression: "Duration", level: 0.75 }] },
      { where: "a".repeat(10_001) },
    ];
    for (const change of unsayable) {
      stored(id).chartConfig = { ...filledIn, ...change };
      const { createdAt, updatedAt, state, teamId, ...shown } = await get(id);
      expect(shown, JSON.stringify(change).slice(0, 80)).to.include({ source: "inline" });
      expect(shown).to.not.have.property("chartConfig");
      expect((await put(id, shown)).reason).to.include("chartConfig");
    }
  });

  it("an alert whose source changes loses its former chart or search", async () => {
    const { id } = await created({ ...onSearch, groupBy: "ServiceName" });
    const { payload: charted } = await put(id, inline);
    expect(charted).to.include({ source: "inline" }).and.not.have.any.keys("savedSearchId", "groupBy");
    const { payload: searching } = await put(id, onSearch);
    expect(searching).to.include({ savedSearchId }).and.not.have.property("chartConfig");
    expect(stored(id)).to.not.have.property("chartConfig");
  });

  it("an alert without its own name and tags shows those of its search or dashboard", async () => {
    const search = client.sandbox.store.savedSearches.get(savedSearchId);
    const series = [{ type: "number", sourceId, aggFn: "count", where: "", whereLanguage: "lucene" }];
    const tiles = [{ name: "Errors", x: 0, y: 0, w: 6, h: 3, series }];
    const { payload: board } = await client.observability("POST", "/dashboards", {
      name: "Board",
      tiles,
      tags: ["b"],
    });
    const onTile = { ...condition, source: "tile", dashboardId: board.id, tileId: board.tiles[0].id };
    const labels = async (body: object) => {
      const { displayName, tags } = await created(body);
      return { displayName, tags };
    };
    expect(await labels(onSearch)).to.deep.equal({ displayName: search?.name, tags: search?.tags });
    expect(await labels(onTile)).to.deep.equal({ displayName: "Board - Errors", tags: ["b"] });
    expect(await labels(inline)).to.deep.equal({ displayName: "Alert", tags: [] });
    const named = { ...inline, chartConfig: { ...line, name: " Errors " } };
    expect(await labels(named)).to.deep.equal({ displayName: "Errors", tags: [] });
    const own = { displayName: " Mine ", tags: [] };
    expect(await labels({ ...onTile, ...own })).to.deep.equal({ displayName: "Mine", tags: [] });
    expect((await post({ ...inline, displayName: " " })).status).to.equal(400);
  });

  it("deleting a dashboard keeps inline alerts", async () => {
    const { id } = await created();
    const { payload: board } = await client.observability("POST", "/dashboards", {
      name: "Board",
      tiles: [],
    });
    await client.observability("DELETE", `/dashboards/${board.id}`);
    expect(await get(id)).to.include({ id });
  });

  it("the sandbox of an older ClickStack version refuses inline alerts", async () => {
    expect((await older.observability("POST", "/alerts", inline)).status).to.equal(400);
  });

  const range = { ...onSearch, thresholdType: "between", thresholdMax: 5, displayName: "Mine", tags: ["a"] };

  it("the sandbox of an older ClickStack version drops an alert's displayName and tags", async () => {
    const { payload, text } = await older.observability("POST", "/alerts", range);
    expect(payload, text).to.be.an("object").and.not.have.any.keys("displayName", "tags");
  });

  it("only the sandbox of an older ClickStack version keeps a thresholdMax that an update omits", async () => {
    const left = async (server: typeof client) => {
      const { payload } = await server.observability("POST", "/alerts", range);
      return (await server.observability("PUT", `/alerts/${payload.id}`, onSearch)).payload;
    };
    expect(await left(older)).to.include({ thresholdMax: 5 });
    expect(await left(client)).to.not.have.property("thresholdMax");
  });

  it("the management API accepts inline alerts with displayName and tags, but refuses null as tags", async () => {
    const { id } = await created();
    const { payload } = await client.stack("management", "GET", `/alerts/${id}`);
    expect(payload).to.include({ source: "inline" }).and.include.keys("chartConfig", "displayName", "tags");
    const labelled = { ...onSearch, displayName: "Mine", tags: ["a"] };
    const { payload: made } = await client.stack("management", "POST", "/alerts", labelled);
    expect(made).to.deep.include({ displayName: "Mine", tags: ["a"] });
    expect(
      (await client.stack("management", "POST", "/alerts", { ...labelled, tags: null })).status,
    ).to.equal(400);
  });
});
