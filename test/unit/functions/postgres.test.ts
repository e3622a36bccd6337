import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { failureOf } from "../api/failure";
import { addPostgres, postgresServiceId as id } from "../resources/postgresService.example";
import { resolved, sandboxedProgram } from "./sandboxedProgram";

const messageOf = async (call: Promise<unknown>) => (await failureOf(call)).message;

const replica = "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7191";

describe("Functions about managed Postgres services", () => {
  const program = sandboxedProgram("clickhouse");

  beforeEach(() => {
    const { store } = program.sandbox;
    addPostgres(store, id, "orders");
    addPostgres(store, replica, "reports");
    Object.assign(store.postgresServices.get(replica) ?? {}, { parentId: id, state: "restarting" });
  });

  it("list the services of the organization, by name and state", async () => {
    const all = await pipestack.getPostgresServices();
    expect(all.map(({ name, isPrimary }) => [name, isPrimary])).to.deep.equal([
      ["orders", true],
      ["reports", false],
    ]);
    expect(await resolved(pipestack.getPostgresServicesOutput())).to.deep.equal(all);
    const running = await pipestack.getPostgresServices({ state: "running" });
    expect(running.map(({ name }) => name)).to.deep.equal(["orders"]);
    expect(await pipestack.getPostgresServices({ name: "none" })).to.deep.equal([]);
  });

  it("find one by its id or its name, with its host, and name the others if there is none", async () => {
    const orders = await pipestack.getPostgresService({ name: "orders" });
    expect(orders).to.include({ id, username: "postgres" });
    expect(orders.hostname).to.match(/example\.com$/);
    expect(orders.ipAccessList).to.deep.equal([{ source: "0.0.0.0/0", portRange: "5432" }]);
    expect(await pipestack.getPostgresService({ postgresServiceId: id })).to.deep.equal(orders);
    expect(await messageOf(pipestack.getPostgresService({ name: "none" }))).to.match(
      /the organization has no Postgres service named "none"; it has .*"?orders"?/,
    );
    expect(await messageOf(pipestack.getPostgresService({}))).to.match(
      /name is required without postgresServiceId/,
    );
  });

  it("read backups, and certificates as the file that the service sends", async () => {
    const [backup] = await pipestack.getPostgresBackups({ postgresServiceId: id });
    expect(backup).to.include({ status: "ready", lastModified: "2026-09-01T09:00:00.000Z" });
    const files = pipestack.getPostgresCaCertificatesOutput({ postgresServiceId: pulumi.output(id) });
    const { pem } = await resolved(files);
    expect(pem).to.match(/^-----BEGIN CERTIFICATE-----\n/);
  });
});
