import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { callFunction } from "../../../provider/functions/definition";
import { discoverPipeSchema } from "../../../provider/functions/pipeDiscovery";
import * as pipestack from "../../../provider/index";
import { resources } from "../../../provider/resources/registry";
import { seededCredentials } from "../../../sandbox/index";
import { failureOf } from "../api/failure";
import { sessionFor } from "../lifecycle/note";
import { useService } from "../lifecycle/scriptedService";
import { requestsTo, resolved, sandboxedProgram } from "./sandboxedProgram";

const password = "discovery-password";
const source = {
  kafka: {
    type: "kafka",
    format: "JSONEachRow",
    brokers: "broker.example.com:9092",
    topics: "orders",
    authentication: "PLAIN",
  },
} as const;
const credentials = { username: "reader", password };
const { organizationId, serviceId } = seededCredentials;
const messageOf = async (call: Promise<unknown>) => (await failureOf(call)).message;

describe("The function discoverPipeSchema", () => {
  const cloud = sandboxedProgram("clickhouse");
  const bodies = () => cloud.sandbox.requests.map(({ requestBody }) => requestBody);

  it("discoverPipeSchema returns columns and field mappings by one request", async () => {
    const schema = await pipestack.discoverPipeSchema({ source, credentials });
    expect(schema.columns).to.deep.equal([
      { name: "id", type: "Int64" },
      { name: "payload", type: "String" },
      { name: "created_at", type: "DateTime64(3)" },
    ]);
    expect(schema.fieldMappings[1]).to.deep.equal({ sourceField: "payload", destinationField: "payload" });
    expect(schema.fields.map(({ optional }) => optional)).to.deep.equal([false, true, null]);
    expect(requestsTo(cloud.sandbox)).to.deep.equal(["POST schemaDiscovery"]);
    expect(JSON.stringify(schema)).to.not.include(password);
  });

  it("discoverPipeSchema with secret credentials returns no secret, so that a Pipe can use the columns", async () => {
    const secret = { ...credentials, password: pulumi.secret(password) };
    const schema = pipestack.discoverPipeSchemaOutput({ source, credentials: secret });
    expect(await pulumi.isSecret(schema)).to.equal(false);
    const { columns, fieldMappings } = await resolved(schema);
    const destination = {
      database: "default",
      table: "orders",
      columns,
      tableDefinition: { sortingKey: ["id"] },
    };
    const { session } = sessionFor({ dialect: "clickhouse" });
    const pipe = {
      organizationId,
      serviceId,
      name: "orders",
      source,
      credentials,
      destination,
      fieldMappings,
    };
    const { failures } = await resources.Pipe.check({}, pipe as never, session);
    expect(failures).to.deep.equal([]);
  });

  it("discoverPipeSchema sends credentials where the service expects them in the create of a Pipe", async () => {
    const schemaRegistry = { url: "https://registry.example.com" };
    await pipestack.discoverPipeSchema({
      source: { kafka: { ...source.kafka, format: "AvroConfluent", schemaRegistry } },
      credentials,
      schemaRegistryCredentials: { username: "registry", password: "registry-password" },
    });
    await pipestack.discoverPipeSchema({
      source: {
        pubsub: {
          format: "JSONEachRow",
          projectId: "shop",
          topic: "signups",
          seekType: "latest",
          authentication: "SERVICE_ACCOUNT",
        },
      },
      credentials: { serviceAccountKey: "key-of-the-account" },
    });
    const [kafka, pubsub] = bodies() as { source: { [kind: string]: { [member: string]: object } } }[];
    expect(kafka?.source.kafka?.schemaRegistry).to.deep.include({ authentication: "PLAIN" });
    expect(kafka?.source.kafka?.schemaRegistry).to.have.nested.property("credentials.username", "registry");
    expect(pubsub?.source.pubsub).to.have.property("serviceAccountKey");
    expect(JSON.stringify(bodies())).to.not.match(/registry-password|key-of-the-account/);
  });

  for (const [title, args, message] of [
    ["none", {}, "source must have exactly one of kafka, kinesis, objectStorage, pubsub"],
    [
      "two",
      { ...source, objectStorage: { type: "s3", format: "CSV", url: "https://files.example.com/*" } },
      "source must have exactly one of kafka, kinesis, objectStorage, pubsub",
    ],
    ["a database", { postgres: { host: "db.example.com" } }, /source has no property postgres|postgres/],
    ["one without its credentials", source, "credentials is missing: the source needs username and password"],
  ] as const)
    it(`discoverPipeSchema needs exactly one stream, and refuses ${title} before any request`, async () => {
      const asked = pipestack.discoverPipeSchema({ source: args as never });
      expect(await messageOf(asked)).to.match(new RegExp(message));
      expect(cloud.sandbox.requests).to.deep.equal([]);
    });

  it("discoverPipeSchema fails with the source's message, and does not wake an idle service", async () => {
    const unreachable = { kafka: { ...source.kafka, brokers: "unreachable.example.com:9092" } };
    expect(await messageOf(pipestack.discoverPipeSchema({ source: unreachable, credentials }))).to.match(
      /^pipestack\.discoverPipeSchema: .*failed to establish connection to the source/,
    );
    const { store, credentials: own } = cloud.sandbox;
    Object.assign(store.services.get(own.serviceId) ?? {}, { state: "idle" });
    expect(await messageOf(pipestack.discoverPipeSchema({ source, credentials }))).to.match(
      /the service must be running\. Current state: 'idle'/,
    );
    expect(requestsTo(cloud.sandbox)).to.deep.equal(["POST schemaDiscovery", "POST schemaDiscovery"]);
    expect(store.services.get(own.serviceId)?.state).to.equal("idle");
  });

  it("getPipesContext returns the account that pipes use, by one request", async () => {
    const context = await pipestack.getPipesContext();
    expect(context.gcpWorkloadIdentity).to.include({ supported: true, ready: true });
    expect(await resolved(pipestack.getPipesContextOutput())).to.deep.equal(context);
    expect(requestsTo(cloud.sandbox)[0]).to.equal("GET context");
  });
});

describe("discoverPipeSchema when the service fails", () => {
  const service = useService({ dialect: "clickhouse" });
  const discover = () =>
    callFunction(
      discoverPipeSchema,
      { organizationId, serviceId, source, credentials },
      service.open({ dialect: "clickhouse" }).session,
    );

  it("the error of discoverPipeSchema quotes the source's message without the credentials in it", async () => {
    const words = `SASL handshake failed for reader with ${password}`;
    service.gateway = () => ({
      status: 400,
      body: JSON.stringify({ status: 400, error: `BAD_REQUEST: ${words}` }),
    });
    const message = await messageOf(discover());
    expect(message).to.include("SASL handshake failed for").and.not.include(password);
  });

  it("discoverPipeSchema does not repeat a request after a gateway's timeout, and says what to do", async () => {
    service.gateway = () => ({ status: 504, type: "text/html", body: "<html>Gateway Timeout</html>" });
    const message = await messageOf(discover());
    expect(message)
      .to.match(/504/)
      .and.to.match(/try again, or declare columns and fieldMappings yourself/);
    expect(service.requests).to.deep.equal(["discoverPipeSchema"]);
  });
});
