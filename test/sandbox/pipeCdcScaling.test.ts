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

  it("the scaling of database pipes exists once the first such pipe is provisioned, and stays after its deletion", async () => {
    const missing = await client.secondService("GET", path);
    expect([missing.status, missing.reason]).to.deep.equal([
      404,
      "NOT_FOUND: the service has no scaling of CDC pipes",
    ]);
    expect((await client.secondService("PATCH", path, twice)).status).to.equal(404);
    const made = await client.secondService("POST", "/clickpipes", replica);
    expect(made.status, made.text).to.equal(200);
    expect((await client.secondService("GET", path)).status).to.equal(404);
    pass(1);
    const usual = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 };
    expect((await client.secondService("GET", path)).payload).to.deep.equal(usual);
    await client.secondService("DELETE", `/clickpipes/${made.payload.id}`);
    pass(3);
    expect((await client.secondService("GET", path)).payload).to.deep.equal(usual);
  });

  it("the scaling of database pipes shows a change after a second, and refuses a memory other than 4 GB per core", async () => {
    const before = await client.service("GET", path);
    expect(judge.answerFailure("management", "getPipeCdcScaling", before.payload)).to.equal(undefined);
    const changed = await client.service("PATCH", path, twice);
    expect([changed.status, changed.payload]).to.deep.equal([200, twice]);
    expect((await client.service("GET", path)).payload).to.deep.equal(before.payload);
    pass(1);
    expect((await client.service("GET", path)).payload).to.deep.equal(twice);
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

  it("the list of services leaves out the scaling of database pipes, which cannot be read while the service is idle", async () => {
    const services = await client.organization("GET", "/services");
    expect(services.text).not.to.match(/cdc/i);
    const service = client.sandbox.store.services.get(seededCredentials.serviceId);
    if (service) service.state = "idle";
    expect((await client.service("GET", path)).reason).to.match(/^FAILED_DEPENDENCY: .*idle/);
  });
});
