import { expect } from "chai";
import { Client } from "./requests";

const ofAllKinds = {
  connection: "65f1c0a2b3d4e5f607182900",
  from: { databaseName: "otel", tableName: "requests" },
  timestampValueExpression: "Timestamp",
};
const log = { name: "Requests", kind: "log", ...ofAllKinds, defaultTableSelectExpression: "Body" };
const trace = {
  ...log,
  kind: "trace",
  durationExpression: "Duration",
  traceIdExpression: "TraceId",
  spanIdExpression: "SpanId",
  parentSpanIdExpression: "ParentSpanId",
  spanNameExpression: "SpanName",
  spanKindExpression: "SpanKind",
};
const metric = {
  ...{ name: "Load", kind: "metric", ...ofAllKinds, from: { databaseName: "otel", tableName: "" } },
  metricTables: { "exponential histogram": "load" },
  resourceAttributesExpression: "ResourceAttributes",
};
const session = { name: "Sessions", kind: "session", ...ofAllKinds, traceSourceId: "x" };
const emptyLists = {
  highlightedTraceAttributeExpressions: [],
  highlightedRowAttributeExpressions: [],
  materializedViews: [],
};
const filledIn = { disabled: false, querySettings: [] };

for (const dialect of ["neutral", "clickhouse"] as const) {
  describe(`sandbox: sources in the dialect ${dialect}`, () => {
    let client: Client;
    const path = `/${dialect === "neutral" ? "stack" : "clickstack"}/sources`;
    const create = async (body: object) => (await client.service("POST", path, body)).body.result;

    before(async () => {
      client = Client.inProcess({ dialect });
    });
    beforeEach(() => client.sandbox.reset());
    after(() => client.sandbox.close());

    it("POST answers a source of each kind, with what the server fills in", async () => {
      for (const [sent, added] of [
        [log, emptyLists],
        [trace, { ...emptyLists, durationPrecision: 3 }],
        [metric, {}],
        [session, {}],
      ] as const) {
        const { id, ...created } = await create(sent);
        expect(created).to.deep.equal({ ...sent, ...filledIn, ...added });
        expect((await client.service("GET", `${path}/${id}`)).body.result).to.deep.equal({ id, ...created });
        expect((await client.observability("GET", "/sources")).body.data).to.deep.include({ id, ...created });
      }
    });

    it("PUT loses what it omits, and may change the kind", async () => {
      const { id } = await create({ ...trace, section: "Web", disabled: true });
      const { body } = await client.service("PUT", `${path}/${id}`, metric);
      expect(body.result).to.deep.equal({ id, ...metric, ...filledIn });
    });

    const refused = {
      "of an unknown kind": { ...log, kind: "profile" },
      "without a table": { ...log, from: { databaseName: "otel", tableName: "" } },
      "of logs without columns to show": { ...log, defaultTableSelectExpression: undefined },
      "of traces without a duration": { ...trace, durationExpression: "" },
      "of metrics without a table": { ...metric, metricTables: {} },
      "of metrics without the member tableName": { ...metric, from: { databaseName: "otel" } },
      "of sessions without traces": { ...session, traceSourceId: undefined },
      "with null in place of nothing": { ...log, bodyExpression: null },
      "with too many settings": { ...log, querySettings: Array(11).fill({ setting: "a", value: "b" }) },
      "with a sum of no column": {
        ...log,
        materializedViews: [
          {
            ...{ databaseName: "a", tableName: "b", dimensionColumns: "", minGranularity: "5m" },
            ...{ timestampColumn: "c", aggregatedColumns: [{ aggFn: "sum", mvColumn: "d" }] },
          },
        ],
      },
      "without a connection that can be": { ...log, connection: "default" },
    };
    for (const [title, body] of Object.entries(refused))
      it(`refuses one ${title}, on both APIs`, async () => {
        expect((await client.service("POST", path, body)).status).to.equal(400);
        expect((await client.observability("POST", "/sources", body)).status).to.equal(400);
      });

    it("of traces may have null in place of a source of logs", async () => {
      expect(await create({ ...trace, logSourceId: null })).to.deep.include({ logSourceId: null });
    });

    it("has members that one API alone takes: the other one refuses or drops them", async () => {
      const own = { orderByExpression: "Timestamp DESC" };
      const filterSettings = { databaseName: "a", tableName: "b", columns: [] };
      expect((await client.service("POST", path, { ...log, ...own })).status).to.equal(400);
      expect((await client.observability("POST", "/sources", { ...log, ...own })).body.data).to.deep.include(
        own,
      );
      expect(await create({ ...log, filterSettings })).to.deep.include({ filterSettings });
      const answer = await client.observability("POST", "/sources", { ...log, filterSettings });
      expect(answer.body.data).to.include({ name: "Requests" }).and.not.have.any.keys("filterSettings");
    });

    it("DELETE asks for nothing that uses it, and is 404 once it is gone", async () => {
      const [id] = client.sandbox.store.sources.keys();
      expect((await client.service("DELETE", `${path}/${id}`)).status).to.equal(200);
      const again = await client.observability("DELETE", `/sources/${id}`);
      expect([again.status, again.body.message]).to.deep.equal([404, "Source not found"]);
      expect((await client.service("GET", `${path}/x`)).status).to.equal(400);
    });
  });
}
