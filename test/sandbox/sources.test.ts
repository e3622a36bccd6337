import { expect } from "chai";
import type { ApiName } from "../../sandbox/core/request";
import { apis, connectionId, useSandbox } from "./requests";

const ofAllKinds = {
  connection: connectionId,
  from: { databaseName: "otel", tableName: "requests" },
  timestampValueExpression: "Timestamp",
};
const log = { name: "Requests", kind: "log", ...ofAllKinds, defaultTableSelectExpression: "Body" };
const trace = {
  ...{ ...log, kind: "trace", durationExpression: "Duration", traceIdExpression: "TraceId" },
  ...{ spanIdExpression: "SpanId", parentSpanIdExpression: "ParentSpanId" },
  ...{ spanNameExpression: "SpanName", spanKindExpression: "SpanKind" },
};
const metric = {
  ...{ name: "Load", kind: "metric", ...ofAllKinds, from: { databaseName: "otel", tableName: "" } },
  metricTables: { "exponential histogram": "load" },
  resourceAttributesExpression: "ResourceAttributes",
};
const session = { name: "Sessions", kind: "session", ...ofAllKinds, traceSourceId: "x" };
const materializedView = {
  ...{ databaseName: "a", tableName: "b", dimensionColumns: "", minGranularity: "5m" },
  ...{ timestampColumn: "c", aggregatedColumns: [{ aggFn: "sum", mvColumn: "d" }] },
};

for (const dialect of ["neutral", "clickhouse"] as const) {
  describe(`Sources of the sandbox in the dialect ${dialect}`, () => {
    const client = useSandbox({ dialect });
    const post = (api: ApiName, body: object) => client.stack(api, "POST", "/sources", body);

    it("POST of a trace source without a duration precision sets the default", async () => {
      expect((await post("observability", trace)).payload).to.include({ durationPrecision: 3 });
    });

    const refused = {
      "of an unknown kind": { ...log, kind: "profile" },
      "without a table": { ...log, from: { databaseName: "otel", tableName: "" } },
      "of logs without defaultTableSelectExpression": { ...log, defaultTableSelectExpression: undefined },
      "of traces without a duration": { ...trace, durationExpression: "" },
      "of metrics without a table": { ...metric, metricTables: {} },
      "of metrics without from.tableName": { ...metric, from: { databaseName: "otel" } },
      "of sessions without a trace source": { ...session, traceSourceId: undefined },
      "with null as an optional property": { ...log, bodyExpression: null },
      "with too many settings": { ...log, querySettings: Array(11).fill({ setting: "a", value: "b" }) },
      "with a materialized view that sums no column": { ...log, materializedViews: [materializedView] },
      "on a malformed connection": { ...log, connection: "default" },
    };
    for (const [title, body] of Object.entries(refused))
      it(`both APIs refuse a source ${title}`, async () => {
        for (const api of apis) expect([api, (await post(api, body)).status]).to.deep.equal([api, 400]);
      });

    // The API document does not describe the properties of sources, so the dialect `neutral` accepts all.
    if (dialect === "neutral") return;

    it("only the observability API accepts tableFilterExpression of a source", async () => {
      const own = { ...log, tableFilterExpression: "TenantId = 1" };
      expect((await post("management", own)).status).to.equal(400);
      expect((await post("observability", own)).payload).to.deep.include(own);
    });

    it("only the management API keeps filterSettings of a source", async () => {
      const filtered = { ...log, filterSettings: { databaseName: "a", tableName: "b", columns: [] } };
      expect((await post("management", filtered)).payload).to.deep.include(filtered);
      const { payload } = await post("observability", filtered);
      expect(payload).to.include({ name: "Requests" }).and.not.have.any.keys("filterSettings");
    });
  });
}
