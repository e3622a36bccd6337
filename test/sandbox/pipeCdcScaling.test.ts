import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { judge } from "../productJudge";
import { useSandbox } from "./requests";

const path = "/clickpipesCdcScaling";
const twice = { replicaCpuMillicores: 4000, replicaMemoryGb: 16 };
const replica = {
  name: "replica",
  source: {
    mongodb: {
      ...{ uri: "mongodb://db.example.com", readPreference: "secondary" },
      credentials: { username: "reader", password: "mongo-password" },
      settings: { replicationMode: "cdc" },
      tableMappings: [{ sourceDatabaseName: "a", sourceCollection: "b", targetTable: "b" }],
    },
  },
  destination: { database: "default" },
};

describe("The shared scaling of database pipes in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const pass = (minutes: number) => client.sandbox.pass(minutes * 60_000);

  const usual = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 };
  const create = async () => {
    const made = await client.secondService("POST", "/clickpipes", replica);
    expect(made.status, made.text).to.equal(200);
    return made.payload.id;
  };

  it("the scaling of database pipes exists once the first such pipe is provisioned", async () => {
    const missing = await client.secondService("GET", path);
    expect([missing.status, missing.reason]).to.deep.equal([
      404,
      "NOT_FOUND: the service has no scaling of CDC pipes",
    ]);
    expect((await client.secondService("PATCH", path, twice)).status).to.equal(404);
    await create();
    expect((await client.secondService("GET", path)).status).to.equal(404);
    pass(1);
    expect((await client.secondService("GET", path)).payload).to.deep.equal(usual);
  });

  it("the scaling of database pipes stays after the deletion of the last such pipe", async () => {
    const id = await create();
    pass(1);
    await client.secondService("DELETE", `/clickpipes/${id}`);
    pass(3);
    expect((await client.secondService("GET", path)).payload).to.deep.equal(usual);
  });

  it("the scaling of database pipes shows a change with a delay", async () => {
    const before = await client.service("GET", path);
    expect(judge.answerFailure("management", "getPipeCdcScaling", before.payload)).to.equal(undefined);
    const changed = await client.service("PATCH", path, twice);
    expect([changed.status, changed.payload]).to.deep.equal([200, twice]);
    expect((await client.service("GET", path)).payload).to.deep.equal(before.payload);
    pass(1);
    expect((await client.service("GET", path)).payload).to.deep.equal(twice);
  });

  it("PATCH of the scaling of database pipes refuses sizes that replicas cannot have", async () => {
    await client.service("PATCH", path, twice);
    pass(1);
    for (const [body, reason] of [
      [{ replicaMemoryGb: 32 }, /4 times the cores/],
      [{ replicaCpuMillicores: 1500 }, /Body validation failed/],
      [{ replicaCpuMillicores: 33000, replicaMemoryGb: 132 }, /Body validation failed/],
    ] as const) {
      const refused = await client.service("PATCH", path, body);
      expect([refused.status, refused.reason]).to.satisfy(([status, text]: [number, string]) => {
        return status === 400 && reason.test(text);
      }, JSON.stringify(refused.body));
    }
    pass(1);
    expect((await client.service("GET", path)).payload).to.deep.equal(twice);
  });

  it("the list of services leaves out the scaling of database pipes", async () => {
    const services = await client.organization("GET", "/services");
    expect(services.text).not.to.match(/cdc/i);
  });

  it("the scaling of database pipes cannot be read while the service is idle", async () => {
    const service = client.sandbox.store.services.get(seededCredentials.serviceId);
    if (service) service.state = "idle";
    expect((await client.service("GET", path)).reason).to.match(/^FAILED_DEPENDENCY: .*idle/);
  });
});
