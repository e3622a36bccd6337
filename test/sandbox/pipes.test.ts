import { expect } from "chai";
import { metricSourceId, sourceId, unknownUuid, useSandbox } from "./requests";

const kinds = ["kafka", "objectStorage", "kinesis", "postgres", "mysql", "mongodb", "bigquery", "pubsub"];

describe("Pipes of the sandbox in the dialect neutral", () => {
  const client = useSandbox();
  const [pipe] = client.sandbox.store.pipes.values();

  it("GET /pipes lists a pipe of every source kind with all its properties, and none of another service", async () => {
    const { payload } = await client.service("GET", "/pipes");
    const sources = Object.assign({}, ...payload.map((one: { source: object }) => one.source));
    const members = {
      kafka: [
        ...["brokers", "topics", "consumerGroup", "iamRole", "offset", "schemaRegistry", "caCertificate"],
        "reversePrivateEndpointIds",
      ],
      objectStorage: [
        ...["url", "delimiter", "compression", "isContinuous", "queueUrl", "iamRole", "connectionString"],
        ...["path", "azureContainerName"],
      ],
      kinesis: ["streamName", "region", "useEnhancedFanOut", "timestamp", "iamRole"],
      postgres: ["host", "port", "database", "settings", "tableMappings"],
    };
    expect(sources).to.have.all.keys(Object.keys(members));
    for (const [kind, names] of Object.entries(members)) expect(sources[kind]).to.have.all.keys(names);
    expect((await client.secondService("GET", "/pipes")).payload).to.deep.equal([]);
  });

  it("GET returns a pipe of the service", async () => {
    expect((await client.service("GET", `/pipes/${pipe?.id}`)).payload).to.deep.equal(pipe);
  });

  it("GET answers 404 for a pipe that the service does not have", async () => {
    expect((await client.service("GET", `/pipes/${unknownUuid}`)).status).to.equal(404);
    expect((await client.secondService("GET", `/pipes/${pipe?.id}`)).status).to.equal(404);
  });

  it("GET answers 400 for a malformed id of a pipe", async () => {
    const malformed = await client.service("GET", "/pipes/orders");
    expect(malformed.body).to.include({ status: 400, error: "BAD_REQUEST: Invalid pipe id" });
  });

  it("PUT replaces the settings of a pipe, and refuses invalid ones", async () => {
    const path = `/pipes/${pipe?.id}/settings`;
    expect((await client.service("GET", path)).payload).to.deep.equal(pipe?.settings);
    const settings = { engine_max_threads: 4, object_storage_use_cluster_function: true };
    expect((await client.service("PUT", path, settings)).payload).to.deep.equal(settings);
    expect((await client.service("GET", `/pipes/${pipe?.id}`)).payload.settings).to.deep.equal(settings);
    for (const wrong of [{ engine_max_threads: 1.5 }, { engine_parallel_view_processing: 1 }, { threads: 1 }])
      expect((await client.service("PUT", path, wrong)).status, JSON.stringify(wrong)).to.equal(400);
  });

  it("POST of a pipe is not implemented in the dialect neutral", async () => {
    expect((await client.service("POST", "/pipes", {})).reason).to.match(/^NOT_IMPLEMENTED: /);
  });

  it("GET lists a service's reverse private endpoints, one in the state Ready and one in PendingAcceptance", async () => {
    const { payload } = await client.service("GET", "/pipesReversePrivateEndpoints");
    const states = payload.map(({ status }: { status: string }) => status);
    expect(states).to.deep.equal(["Ready", "PendingAcceptance"]);
  });
});

describe("Answers of the sandbox to reads in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const list = async (): Promise<{ id: string; source: Record<string, object | null>; settings: object }[]> =>
    (await client.service("GET", "/clickpipes")).payload;

  it("a pipe shows its own kind of source as an object, and all other kinds as null", async () => {
    const pipes = await list();
    const found = pipes.map(({ source }) => {
      expect(source).to.have.all.keys(kinds);
      const present = kinds.filter((kind) => source[kind] !== null);
      expect(present).to.have.length(1);
      return present[0];
    });
    expect(found).to.have.members(kinds);
    const one = (await client.service("GET", `/clickpipes/${pipes[0]?.id}`)).payload;
    expect(one).to.deep.equal(pipes[0]);
  });

  it("in the list of pipes, the source of a database pipe contains no null values", async () => {
    for (const { source } of await list())
      for (const kind of ["postgres", "mysql", "mongodb", "bigquery"])
        expect(Object.values(source[kind] ?? {})).to.not.include(null);
  });

  it("settings of a pipe have the prefix clickhouse_ in requests and answers, and have limits", async () => {
    const [first] = await list();
    expect(first?.settings)
      .to.include({ clickhouse_max_threads: 8 })
      .and.not.have.property("engine_max_threads");
    const path = `/clickpipes/${first?.id}/settings`;
    const settings = { clickhouse_max_threads: 64, streaming_max_insert_wait_ms: 500 };
    expect((await client.service("PUT", path, settings)).payload).to.include(settings);
    expect((await client.service("GET", path)).payload).to.include(settings);
    for (const wrong of [
      { engine_max_threads: 4 },
      { clickhouse_max_threads: 65 },
      { streaming_max_insert_wait_ms: 499 },
    ])
      expect((await client.service("PUT", path, wrong)).status, JSON.stringify(wrong)).to.equal(400);
  });

  it("a reverse private endpoint shows all properties, even unset ones", async () => {
    const { payload } = await client.service("GET", "/clickpipesReversePrivateEndpoints");
    expect(payload).to.have.length(2);
    for (const endpoint of payload) {
      expect(endpoint).to.include.keys("gcpServiceAttachment", "mskClusterArn", "vpcEndpointServiceName");
      expect(endpoint.customPrivateDnsMappings).to.deep.equal([]);
    }
  });

  const search = (query: string) => client.observability("GET", `/saved-searches${query}`);

  it("a list of the observability API has pages, and contains the total number of entries", async () => {
    const { payload, body, headers } = await search("");
    expect(payload).to.have.length(2);
    expect([body.meta, headers.get("x-total-count")]).to.deep.equal([
      { total: 2, limit: 1000, offset: 0 },
      "2",
    ]);
    const second = (await search("?limit=1&offset=1")).body;
    expect(second).to.deep.equal({ data: [payload[1]], meta: { total: 2, limit: 1, offset: 1 } });
    expect((await search("?limit=1")).payload).to.deep.equal([payload[0]]);
    expect((await search("?offset=5")).payload).to.deep.equal([]);
  });

  for (const query of ["?limit=0", "?limit=1001", "?offset=-1", "?limit=all"])
    it(`the observability API refuses a list with ${query}`, async () => {
      expect((await search(query)).status).to.equal(400);
    });

  for (const noun of ["alerts", "webhooks", "saved-searches", "dashboards", "sources"])
    it(`the list of ${noun} has no pages on the management API`, async () => {
      const { status, body } = await client.service("GET", `/clickstack/${noun}?limit=1`);
      expect([status, Object.keys(body)]).to.deep.equal([200, ["status", "requestId", "result"]]);
    });

  for (const noun of ["dashboards", "sources"])
    it(`the list of ${noun} has no pages on the observability API`, async () => {
      const { body } = await client.observability("GET", `/${noun}?limit=1`);
      expect(Object.keys(body)).to.deep.equal(["data"]);
    });

  const query = async (change: object) => {
    const startTime = Date.UTC(2025, 5, 15, 12);
    const series = [{ sourceId, aggFn: "count", where: "", groupBy: [], ...change }];
    const body = { series, startTime, endTime: startTime + 3_600_000, granularity: "30m" };
    return client.observability("POST", "/charts/series", body);
  };

  it("a chart series without groupBy has an empty group", async () => {
    expect((await query({})).payload[0].group).to.deep.equal([]);
    expect((await query({ groupBy: ["ServiceName"] })).payload[0].group).to.have.length(1);
  });

  it("a chart series accepts properties that only ClickHouse Cloud has", async () => {
    const further = { whereLanguage: "lucene", metricName: "cpu", sortOrder: "asc", dataSource: "events" };
    expect((await query(further)).status).to.equal(200);
  });

  it("a chart series of a metric source needs metricDataType", async () => {
    const metric = { sourceId: metricSourceId };
    const without = await query(metric);
    expect([without.status, typeof without.body.error]).to.deep.equal([500, "string"]);
    expect((await query({ ...metric, metricDataType: "gauge" })).status).to.equal(200);
  });
});
