import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { judge } from "../productJudge";
import { useSandbox } from "./requests";

const path = "/clickpipes/schemaDiscovery";
const password = "kafka-password-of-discovery";
const kafka = {
  ...{ type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092", topics: "orders,refunds" },
  ...{ authentication: "PLAIN", credentials: { username: "reader", password } },
};
const serviceAccountFile = "service-account-of-discovery";
const pubsub = {
  ...{ format: "JSONEachRow", projectId: "shop", topic: "signups", seekType: "latest" },
  ...{ authentication: "SERVICE_ACCOUNT", serviceAccountKey: { serviceAccountFile } },
};

describe("The discovery of the schema of a pipe's source in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const discover = (source: object) => client.service("POST", path, { source });

  it("the schema discovery of a pipe's source returns fields with column types, and creates no pipe", async () => {
    const before = client.sandbox.store.pipes.size;
    const found = await discover({ kafka });
    expect(found.status, found.text).to.equal(200);
    expect(found.payload.fields[0]).to.deep.equal({ name: "id", type: "Int64", optional: false });
    expect(found.payload.meta).to.deep.equal({ topic: "orders" });
    expect(judge.answerFailure("management", "discoverPipeSchema", found.payload)).to.equal(undefined);
    const url = "https://files.example.com/*.csv";
    const files = await discover({ objectStorage: { type: "s3", format: "CSV", url } });
    expect(files.payload.fields.map(({ name }: { name: string }) => name)).to.deep.equal(["c1", "c2", "c3"]);
    expect(client.sandbox.store.pipes.size).to.equal(before);
  });

  it("the schema discovery of a pipe's source neither returns nor stores credentials", async () => {
    const answers = [
      await discover({ kafka }),
      await discover({ pubsub }),
      await discover({ kafka: { ...kafka, brokers: "unreachable.example.com:9092" } }),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 400]);
    expect(answers[2]?.reason).to.equal("BAD_REQUEST: failed to establish connection to the source");
    const kept = [answers, client.sandbox.requests, [...client.sandbox.store.pipes.values()]];
    expect(JSON.stringify(kept)).not.to.include(password).and.not.include(serviceAccountFile);
  });

  it("the schema discovery of a pipe's source refuses a database, two sources at once, and an idle service", async () => {
    const postgres = { host: "db.example.com", port: 5432, database: "shop" };
    expect((await discover({ postgres })).status).to.equal(400);
    expect((await discover({ kafka, pubsub })).reason).to.equal(
      "BAD_REQUEST: Exactly one source must be provided",
    );
    const service = client.sandbox.store.services.get(seededCredentials.serviceId);
    if (service) service.state = "idle";
    expect((await discover({ kafka })).reason).to.match(/^FAILED_DEPENDENCY: .*idle/);
  });

  it("GET of /clickpipes/context shows the Google Cloud account that the service's pipes use", async () => {
    const { payload } = await client.service("GET", "/clickpipes/context");
    expect(payload.gcpWorkloadIdentity).to.include({ supported: true, ready: true });
    expect(payload.gcpWorkloadIdentity.principal).to.match(/@.*gserviceaccount\.com$/);
    expect(judge.answerFailure("management", "getPipesContext", payload)).to.equal(undefined);
  });
});
