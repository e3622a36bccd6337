import { expect } from "chai";
import { MissingObject } from "../../../provider/api/errors";
import { type OperationName, operationOn } from "../../../provider/api/operations";
import { failureOfType } from "./failure";
import { clientOf, enveloped, organizationId, place, refused, serviceId, useServer } from "./server";

const service = `/v1/organizations/${organizationId}/services/${serviceId}`;
const clickhouse = { dialect: "clickhouse", requestsPerSecond: 1000 } as const;

describe("the neutral dialect", () => {
  const server = useServer();

  it("sends and returns everything as it is", async () => {
    const words = { source: "search", engineVersion: "25.6", settings: { engine_max_threads: 8 }, team: "t" };
    server.current.answer(enveloped({ id: "a", ...words, savedSearchId: "s", clickhouseVersion: "25.8" }));
    const { client } = clientOf(server.current);
    const answer = await client.call("createAlert", place, { ...words, savedSearch: "s" });
    expect(server.current.onlyRequest.body).to.deep.equal({ ...words, savedSearch: "s" });
    expect(answer).to.deep.equal({ id: "a", ...words, savedSearchId: "s", clickhouseVersion: "25.8" });
    expect(server.current.lines).to.deep.equal([`POST ${service}/stack/alerts`]);
  });
});

describe("the clickhouse dialect", () => {
  const server = useServer();

  /** The only request of a call, and what the call returned. */
  async function call(name: OperationName, answer: unknown, body?: unknown) {
    const { api } = operationOn("management", name);
    const answered = api === "management" ? enveloped(answer) : { body: { data: answer } };
    server.current.answer(answered);
    const parameters = { ...place, id: "x", pipeId: "p" };
    const returned = await clientOf(server.current, clickhouse).client.call(name, parameters, body);
    return { returned, request: server.current.onlyRequest };
  }

  const paths: [OperationName, string][] = [
    ["listDashboards", `${service}/clickstack/dashboards`],
    ["getAlert", `${service}/clickstack/alerts/x`],
    ["listSources", `${service}/clickstack/sources`],
    ["listWebhooks", `${service}/clickstack/webhooks`],
    ["getPipeSettings", `${service}/clickpipes/p/settings`],
    ["listReversePrivateEndpoints", `${service}/clickpipesReversePrivateEndpoints`],
    ["getService", service],
    ["updateAlert", `${service}/clickstack/alerts/x`],
  ];
  for (const [name, path] of paths) {
    it(`calls ${name} at ${path.replace(service, "…")}`, async () => {
      const { request } = await call(name, name.startsWith("list") ? [] : { id: "x" });
      expect(request.path).to.equal(path);
    });
  }

  it("translates no parameter that happens to be such a word", async () => {
    server.current.answer(enveloped({ id: "pipes" }));
    await clientOf(server.current, clickhouse).client.call("getPipe", { ...place, pipeId: "pipes" });
    expect(server.current.lines).to.deep.equal([`GET ${service}/clickpipes/pipes`]);
  });

  it("says saved_search and savedSearchId of an alert", async () => {
    const alert = { source: "search", savedSearch: "s", message: "search" };
    const wire = { source: "saved_search", savedSearchId: "s", message: "search" };
    const { returned, request } = await call("createAlert", { id: "a", ...wire, teamId: "t" }, alert);
    expect(request.body).to.deep.equal(wire);
    expect(returned).to.deep.equal({ id: "a", ...alert, team: "t" });
  });

  it("understands a server that says savedSearch", async () => {
    const { returned } = await call("getAlert", { id: "x", source: "tile", savedSearch: "s" });
    expect(returned).to.deep.equal({ id: "x", source: "tile", savedSearch: "s" });
  });

  it("translates each entry of a list", async () => {
    const { returned } = await call("listAlerts", [{ id: "a", source: "saved_search" }]);
    expect(returned).to.deep.equal([{ id: "a", source: "search" }]);
  });

  it("calls the version of a service engineVersion", async () => {
    const { returned } = await call("getService", { id: "x", clickhouseVersion: "25.8" });
    expect(returned).to.deep.equal({ id: "x", engineVersion: "25.8" });
  });

  it("calls the settings of pipes engine_…, by themselves and in a pipe", async () => {
    const wire = { clickhouse_max_threads: 8, object_storage_concurrency: 1 };
    const settings = { engine_max_threads: 8, object_storage_concurrency: 1 };
    expect((await call("getPipeSettings", wire)).returned).to.deep.equal(settings);
    server.current.requests.length = 0;
    const pipes = await call("listPipes", [{ id: "p", settings: wire, source: { kafka: {} } }]);
    expect(pipes.returned).to.deep.equal([{ id: "p", settings, source: { kafka: {} } }]);
  });

  it("translates nothing inside a tile", async () => {
    const body = { name: "n", tiles: [{ name: "t", config: { source: "search", team: "x", engine_a: 1 } }] };
    const { returned, request } = await call("createDashboard", { id: "d", ...body }, body);
    expect(request.body).to.deep.equal(body);
    expect(returned).to.deep.equal({ id: "d", ...body });
  });

  it("translates no column of a query", async () => {
    const rows = [{ ts_bucket: 1, teamId: "a", source: "saved_search", clickhouse_x: "b" }];
    expect((await call("getChartSeries", rows, { series: [] })).returned).to.deep.equal(rows);
  });

  it("shows the real path in an error", async () => {
    server.current.answer(refused(404, "NOT_FOUND: no such alert"));
    const { client } = clientOf(server.current, clickhouse);
    const error = await failureOfType(client.call("getAlert", { ...place, id: "x" }), MissingObject);
    expect(error.message).to.include(`(getAlert: GET ${service}/clickstack/alerts/x answered 404`);
  });
});
