import { expect } from "chai";
import { judge } from "../productJudge";
import { unknownUuid, useSandbox } from "./requests";

const minute = 60_000;
const body = { name: "Orders", provider: "aws", region: "eu-central-1", size: "r8gd.large" };

describe("Postgres services in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse", stateMilliseconds: minute });
  const call = async (method: string, path = "", content?: object) => {
    const answer = await client.organization(method, `/postgres${path}`, content);
    return answer;
  };
  const made = async (members: object = {}) => (await call("POST", "", { ...body, ...members })).payload;
  const running = async (members: object = {}) => {
    const service = await made(members);
    client.sandbox.pass(3 * minute);
    return service;
  };
  const backedUp = async (members: object = {}) => {
    const service = await running(members);
    client.sandbox.pass(2 * minute);
    return service;
  };
  const get = async (id: string) => (await call("GET", `/${id}`)).payload;
  const judged = (operation: string, result: unknown) =>
    expect(judge.answerFailure("management", operation, result), operation).to.equal(undefined);

  it("only the answer to a create shows the password and the connection string", async () => {
    const service = await made();
    judged("createPostgresService", service);
    expect(service).to.include({ state: "creating", isPrimary: true, haType: "none", postgresVersion: "18" });
    expect(service.connectionString).to.contain(`${service.password}@${service.hostname}`);
    client.sandbox.pass(3 * minute);
    const later = await get(service.id);
    judged("getPostgresService", later);
    expect(later.state).to.equal("running");
    expect(later).not.to.have.any.keys("password", "connectionString", "passwordHash");
    const { payload: list } = await call("GET");
    judged("listPostgresServices", list);
    expect(list).to.have.length(1);
    expect(list[0]).not.to.have.any.keys("hostname", "username", "ipAccessList");
  });

  it("without rules everybody reaches both ports, and rules have canonical networks and ids", async () => {
    expect(
      (await made()).ipAccessList.map(({ portRange }: { portRange: string }) => portRange),
    ).to.deep.equal(["5432", "6432"]);
    const rule = { source: "203.0.113.7", portRange: "5432" };
    const { id, ipAccessList } = await made({ ipAccessList: [rule] });
    expect(ipAccessList[0]).to.deep.include({ ...rule, source: "203.0.113.7/32" });
    const remove = [{ id: ipAccessList[0].id }];
    const add = [{ source: "10.0.0.0/8", portRange: "5432..6432" }];
    const { payload } = await call("PATCH", `/${id}`, { ipAccessList: { add, remove } });
    judged("updatePostgresService", payload);
    expect(payload.ipAccessList).to.have.length(1);
    expect((await call("PATCH", `/${id}`, { tags: [] })).payload).not.to.have.key("ipAccessList");
    for (const wrong of [{ source: "::1/128" }, { portRange: "0" }, { portRange: "7..5" }])
      expect((await call("POST", "", { ...body, ipAccessList: [{ ...rule, ...wrong }] })).status).to.equal(
        400,
      );
  });

  it("an update without tags removes them, and one with a tag without a value is refused", async () => {
    const tags = [{ key: "team", value: "data" }];
    const { id } = await running({ tags });
    expect((await call("PATCH", `/${id}`, { tags: [{ key: "team" }] })).status).to.equal(400);
    expect((await call("PATCH", `/${id}`, { name: "Orders 2", tags })).payload.tags).to.deep.equal(tags);
    expect((await call("PATCH", `/${id}`, { name: "Orders 3" })).payload.tags).to.deep.equal([]);
    expect((await call("POST", "", { ...body, tags: [{ key: "chc_a", value: "b" }] })).status).to.equal(400);
  });

  it("a new name changes the host name at once, and a new size shows after a while", async () => {
    const { id, hostname } = await running();
    const { payload } = await call("PATCH", `/${id}`, {
      name: "Bills",
      size: "r8gd.xlarge",
      haType: "async",
    });
    expect(payload).to.include({ name: "Bills", size: "r8gd.large", haType: "none" });
    expect(payload.hostname).to.not.equal(hostname);
    client.sandbox.pass(minute);
    expect(await get(id)).to.include({ size: "r8gd.xlarge", haType: "async" });
  });

  it("POST of the configuration replaces both maps, PATCH merges, and the answer names a restart", async () => {
    const { id } = await running({ pgConfig: { work_mem: 4096 } });
    const config = async (method: string, content?: object) => {
      const { payload, status } = await call(method, `/${id}/config`, content);
      return status === 200 ? payload : status;
    };
    expect(await config("GET")).to.deep.equal({ pgConfig: { work_mem: "4096" }, pgBouncerConfig: {} });
    const merged = await config("PATCH", {
      pgConfig: { max_connections: 200 },
      pgBouncerConfig: { default_pool_size: "16" },
    });
    judged("updatePostgresConfig", merged);
    expect(merged.message).to.contain("max_connections");
    expect(merged.pgConfig).to.deep.equal({ work_mem: "4096", max_connections: "200" });
    expect(await config("PATCH", { pgConfig: { work_mem: "8MB" } })).to.equal(400);
    const replaced = await config("POST", { pgConfig: { work_mem: "8MB" }, pgBouncerConfig: {} });
    expect(replaced.message).to.contain("max_connections");
    expect(await config("GET")).to.deep.equal({ pgConfig: { work_mem: "8MB" }, pgBouncerConfig: {} });
    expect(await config("POST", { pgConfig: { wrok_mem: "8MB" }, pgBouncerConfig: {} })).to.equal(400);
    expect((await call("POST", "", { ...body, pgConfig: {} })).status).to.equal(400);
  });

  it("sets a password without showing it, and shows one that it makes", async () => {
    const { id } = await running();
    const set = (content: object) => call("PATCH", `/${id}/password`, content);
    expect((await set({ password: "Secret-12-Secret" })).payload).to.deep.equal({});
    expect((await set({})).payload.password).to.match(/.{12}/);
    expect((await set({ password: "short" })).status).to.equal(400);
    expect((await set({ password: "no digits in THIS" })).status).to.equal(400);
  });

  it("restarts from running, switches over to a standby alone, and promotes replicas alone", async () => {
    const { id } = await made();
    const order = (command: string) => call("PATCH", `/${id}/state`, { command });
    expect((await order("restart")).status).to.equal(409);
    client.sandbox.pass(3 * minute);
    expect((await order("switchover")).status).to.equal(400);
    expect((await order("promote")).status).to.equal(400);
    expect((await order("restart")).payload.state).to.equal("running");
    expect((await get(id)).state).to.equal("restarting");
    client.sandbox.pass(minute);
    expect((await get(id)).state).to.equal("running");
  });

  it("a replica needs a backup of its parent, takes no update but of parameters, and goes first", async () => {
    const { id } = await running();
    const replicate = () => call("POST", `/${id}/readReplica`, { name: "Reports" });
    const early = await replicate();
    expect([early.status, early.reason]).to.deep.equal([
      400,
      "BAD_REQUEST: Parent server is not ready for read replicas. There are no backups, yet.",
    ]);
    client.sandbox.pass(2 * minute);
    const { payload: replica } = await replicate();
    judged("createPostgresReplica", replica);
    expect(replica).to.include({ isPrimary: false, size: "r8gd.large" }).and.not.have.key("password");
    client.sandbox.pass(5 * minute);
    expect((await get(replica.id)).state).to.equal("running");
    expect((await call("PATCH", `/${replica.id}`, { tags: [] })).reason).to.match(
      /cannot be modified directly/,
    );
    const config = { pgConfig: { work_mem: "8MB" }, pgBouncerConfig: {} };
    expect((await call("PATCH", `/${replica.id}/config`, config)).status).to.equal(200);
    expect((await call("DELETE", `/${id}`)).status).to.equal(409);
    expect((await call("PATCH", `/${replica.id}/state`, { command: "promote" })).status).to.equal(200);
    client.sandbox.pass(minute);
    expect((await get(replica.id)).isPrimary).to.equal(true);
    expect((await call("DELETE", `/${id}`)).status).to.equal(200);
  });

  it("restores to a time between the first backup and now", async () => {
    const { id } = await backedUp();
    const { earliestRestoreTime } = await get(id);
    const restore = (restoreTarget: string) =>
      call("POST", `/${id}/restoredService`, { name: "Orders again", restoreTarget });
    expect((await restore("2020-01-01T00:00:00Z")).status).to.equal(400);
    const { payload: restored } = await restore(earliestRestoreTime);
    judged("restorePostgresService", restored);
    expect(restored).to.include({ isPrimary: true, state: "creating" }).and.not.have.key("password");
    client.sandbox.pass(minute);
    expect((await get(restored.id)).state).to.equal("restoring_backup");
    client.sandbox.pass(4 * minute);
    expect((await get(restored.id)).state).to.equal("running");
    const { payload: backups } = await call("GET", `/${id}/backups`);
    judged("listPostgresBackups", backups);
    expect(backups[0]).to.include({ status: "ready", lastModified: earliestRestoreTime });
    expect((await call("GET", `/${restored.id}/backups`)).payload).to.deep.equal([]);
  });

  it("certificates are a file, and a deleted service is gone after a while", async () => {
    const { id } = await running();
    const { text, type } = await call("GET", `/${id}/caCertificates`);
    expect(type).to.equal("application/x-pem-file");
    expect(text).to.match(/^-----BEGIN CERTIFICATE-----\n/);
    await call("DELETE", `/${id}`);
    expect((await get(id)).state).to.equal("deleting");
    client.sandbox.pass(2 * minute);
    expect((await call("GET", `/${id}`)).status).to.equal(404);
    expect((await call("GET", `/${unknownUuid}`)).status).to.equal(400);
  });
});
