import { expect } from "chai";
import { judge } from "../productJudge";
import { unknownUuid, useSandbox } from "./requests";

const path = "/clickpipesSshKeyResources";
const bastion = { name: "bastion", host: "bastion.example.com", username: "clickpipes" };
const login = { credentials: { username: "reader", password: "a password" } };
const columns = [{ name: "id", type: "UInt64" }];
const kafka = {
  ...{ type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092", topics: "orders" },
  ...{ authentication: "PLAIN", ...login },
};
const postgres = {
  ...{ host: "orders.db.example.com", port: 5432, database: "orders", ...login },
  settings: { replicationMode: "cdc" },
  tableMappings: [{ sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" }],
};

describe("SSH tunnels of pipes in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const post = (body: object) => client.service("POST", path, body);
  const validate = (id: string) => client.service("POST", `${path}/${id}/validate`, {});
  const pipe = (source: object, destination: object = {}) =>
    client.service("POST", "/clickpipes", {
      ...{ name: "orders", source, fieldMappings: [{ sourceField: "id", destinationField: "id" }] },
      destination: { database: "default", ...destination },
    });
  const ofKafka = (sshKeyResourceId: string) =>
    pipe(
      { kafka: { ...kafka, sshKeyResourceId } },
      { table: "orders", columns, tableDefinition: { engine: { type: "MergeTree" } } },
    );
  const active = async () => {
    const { payload } = await post(bastion);
    client.sandbox.pass(60_000);
    return (await validate(payload.id)).payload.id as string;
  };

  it("a new SSH tunnel is pending and shows its public key, and only a validation tells whether it works", async () => {
    const { payload: made } = await post(bastion);
    expect(made).to.include({ status: "pending", description: "", port: 22, lastValidatedAt: null });
    expect(made.publicKey).to.match(/^ssh-ed25519 AAAA\S{50,} clickpipes$/);
    expect(judge.answerFailure("management", "createSshTunnel", made)).to.equal(undefined);
    const { payload: early } = await validate(made.id);
    expect([early.status, early.statusMessage]).to.deep.equal([
      "failed",
      "ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey]",
    ]);
    expect(judge.answerFailure("management", "validateSshTunnel", early)).to.equal(undefined);
    client.sandbox.pass(60_000);
    expect((await client.service("GET", `${path}/${made.id}`)).payload.status).to.equal("failed");
    expect((await validate(made.id)).payload).to.include({ status: "active", statusMessage: null });
    expect((await client.service("GET", path)).payload[1]).to.include({ id: made.id, status: "active" });
  });

  it("POST refuses a name that another SSH tunnel of the service has, and a tunnel without a host", async () => {
    await post(bastion);
    expect((await post(bastion)).status).to.equal(409);
    expect((await post({ name: "other", username: "clickpipes" })).status).to.equal(400);
    expect((await validate(unknownUuid)).status).to.equal(404);
    expect((await client.service("PATCH", `${path}/${unknownUuid}`, {})).status).to.equal(404);
  });

  it("a pipe takes only an SSH tunnel that exists and is active, and no update takes one", async () => {
    expect((await ofKafka(unknownUuid)).reason).to.match(/does not exist/);
    const { payload: pending } = await post({ ...bastion, name: "other" });
    expect((await ofKafka(pending.id)).reason).to.match(/is pending, and must be active/);
    const id = await active();
    const { payload: made } = await ofKafka(id);
    const change = { source: { kafka: { sshKeyResourceId: id } } };
    expect((await client.service("PATCH", `/clickpipes/${made.id}`, change)).reason).to.match(
      /sshKeyResourceId cannot be updated/,
    );
  });

  const ofPostgres = (sshKeyResourceId: string) => pipe({ postgres: { ...postgres, sshKeyResourceId } });

  it("a Kafka pipe shows its SSH tunnel", async () => {
    const id = await active();
    expect((await ofKafka(id)).payload.source.kafka.sshKeyResourceId).to.equal(id);
  });

  it("a database pipe does not show its SSH tunnel", async () => {
    const { payload, text } = await ofPostgres(await active());
    expect(payload.source?.postgres, text).to.be.an("object").and.not.have.property("sshKeyResourceId");
  });

  it("an SSH tunnel cannot be deleted while a pipe uses it", async () => {
    const id = await active();
    for (const { payload: made } of [await ofKafka(id), await ofPostgres(id)]) {
      expect((await client.service("DELETE", `${path}/${id}`)).status).to.equal(409);
      client.sandbox.store.pipes.delete(made.id);
    }
    expect((await client.service("DELETE", `${path}/${id}`)).status).to.equal(200);
    expect((await client.service("GET", `${path}/${id}`)).status).to.equal(404);
  });
});
