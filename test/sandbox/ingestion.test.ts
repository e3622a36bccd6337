import { expect } from "chai";
import { Client } from "./requests";

describe("sandbox: pipes and lists", () => {
  let client: Client;
  before(async () => {
    client = Client.inProcess();
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  it("GET …/pipes answers a pipe of every source kind with all its fields", async () => {
    const { result } = (await client.service("GET", "/pipes")).body;
    const sources = Object.assign({}, ...result.map((pipe: { source: object }) => pipe.source));
    expect(sources).to.have.all.keys("kafka", "objectStorage", "kinesis", "postgres");
    expect(sources.kafka).to.have.all.keys(
      ...["brokers", "topics", "consumerGroup", "iamRole", "offset", "schemaRegistry", "caCertificate"],
      "reversePrivateEndpointIds",
    );
    expect(sources.objectStorage).to.have.all.keys(
      ...[
        "url",
        "delimiter",
        "compression",
        "isContinuous",
        "queueUrl",
        "iamRole",
        "connectionString",
        "path",
      ],
      "azureContainerName",
    );
    expect(sources.kinesis).to.have.all.keys(
      "streamName",
      "region",
      "useEnhancedFanOut",
      "timestamp",
      "iamRole",
    );
    expect(sources.postgres).to.have.all.keys("host", "port", "database", "settings", "tableMappings");
    expect((await client.secondService("GET", "/pipes")).body.result).to.deep.equal([]);
  });

  it("GET …/pipes/{pipeId} answers one pipe, 404 for an unknown one, 400 for a malformed id", async () => {
    const [pipe] = client.sandbox.store.pipes.values();
    expect((await client.service("GET", `/pipes/${pipe?.id}`)).body.result).to.deep.equal(pipe);
    expect((await client.service("GET", "/pipes/00000000-0000-4000-8000-000000000000")).status).to.equal(404);
    expect((await client.secondService("GET", `/pipes/${pipe?.id}`)).status).to.equal(404);
    const malformed = await client.service("GET", "/pipes/orders");
    expect(malformed.body).to.include({ status: 400, error: "BAD_REQUEST: Invalid pipe id" });
  });

  it("GET …/pipes/{pipeId}/settings answers what the pipe has, PUT replaces it", async () => {
    const [pipe] = client.sandbox.store.pipes.values();
    const path = `/pipes/${pipe?.id}/settings`;
    expect((await client.service("GET", path)).body.result).to.deep.equal(pipe?.settings);
    const settings = { engine_max_threads: 4, object_storage_use_cluster_function: true };
    expect((await client.service("PUT", path, settings)).body.result).to.deep.equal(settings);
    expect((await client.service("GET", `/pipes/${pipe?.id}`)).body.result.settings).to.deep.equal(settings);
    for (const wrong of [
      { engine_max_threads: 1.5 },
      { engine_parallel_view_processing: 1 },
      { threads: 1 },
    ]) {
      expect((await client.service("PUT", path, wrong)).status, JSON.stringify(wrong)).to.equal(400);
    }
  });

  it("POST …/pipes is answered with 501: its shape is not documented", async () => {
    expect((await client.service("POST", "/pipes", {})).body.error).to.match(/^NOT_IMPLEMENTED: /);
  });

  it("GET …/pipesReversePrivateEndpoints answers endpoints, one of them Ready", async () => {
    const { result } = (await client.service("GET", "/pipesReversePrivateEndpoints")).body;
    expect(result.map(({ status }: { status: string }) => status)).to.deep.equal([
      "Ready",
      "PendingAcceptance",
    ]);
  });

  it("GET of sources and webhooks answers the same on both APIs", async () => {
    for (const noun of ["sources", "webhooks"]) {
      const { result } = (await client.service("GET", `/stack/${noun}`)).body;
      expect(result.length, noun).to.be.above(0);
      expect(result[0]).to.not.have.property("serviceId");
      expect((await client.observability("GET", `/${noun}`)).body).to.deep.equal({ data: result });
      expect((await client.secondService("GET", `/stack/${noun}`)).body.result).to.deep.equal([]);
    }
  });
});
