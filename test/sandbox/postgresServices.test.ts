import { expect } from "chai";
import { unknownUuid, useSandbox } from "./requests";

const minute = 60_000;
const body = { name: "Orders", provider: "aws", region: "eu-central-1", size: "r8gd.large" };
const rule = { source: "203.0.113.7", portRange: "5432" };
const tags = [{ key: "team", value: "data" }];

describe("Postgres services in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse", stateMilliseconds: minute });
  const call = (method: string, path = "", content?: object) =>
    client.organization(method, `/postgres${path}`, content);
  const made = async (members: object = {}) => (await call("POST", "", { ...body, ...members })).payload;
  const running = async (members: object = {}) => {
    const service = await made(members);
    client.sandbox.pass(3 * minute);
    return service;
  };
  const get = async (id: string) => (await call("GET", `/${id}`)).payload;

  it("only the answer to a create shows the password and the connection string", async () => {
    const service = await running();
    expect(service).to.include({ state: "creating", isPrimary: true, haType: "none", postgresVersion: "18" });
    expect(service.connectionString).to.contain(`${service.password}@${service.hostname}`);
    const later = await get(service.id);
    expect(later.state).to.equal("running");
    expect(later).not.to.have.any.keys("password", "connectionString", "passwordHash");
    const [listed] = (await call("GET")).payload;
    expect(listed).not.to.have.any.keys("hostname", "username", "ipAccessList");
  });

  it("without rules everybody reaches both ports, and rules have canonical networks and ids", async () => {
    const { ipAccessList: open } = await made();
    expect(open.map(({ portRange }: { portRange: string }) => portRange)).to.deep.equal(["5432", "6432"]);
    const { id, ipAccessList } = await made({ ipAccessList: [rule] });
    expect(ipAccessList[0]).to.deep.include({ ...rule, source: "203.0.113.7/32" });
    const remove = [{ id: ipAccessList[0].id }];
    const add = [{ source: "10.0.0.0/8", portRange: "5432..6432" }];
    const { payload } = await call("PATCH", `/${id}`, { ipAccessList: { add, remove } });
    expect(payload.ipAccessList).to.have.length(1);
  });

  it("an update without tags removes them", async () => {
    const { id } = await running({ tags });
    expect((await call("PATCH", `/${id}`, { name: "Orders 2", tags })).payload.tags).to.deep.equal(tags);
    expect((await call("PATCH", `/${id}`, { name: "Orders 3" })).payload.tags).to.deep.equal([]);
  });

  it("POST of the configuration replaces both maps, PATCH merges, and the answer names a restart", async () => {
    const { id } = await running({ pgConfig: { work_mem: 4096 } });
    const config = async (method: string, content?: object) =>
      (await call(method, `/${id}/config`, content)).payload;
    const pool = { default_pool_size: "16" };
    const merged = await config("PATCH", { pgConfig: { max_connections: 200 }, pgBouncerConfig: pool });
    expect(merged.message).to.contain("max_connections");
    expect(merged.pgConfig).to.deep.equal({ work_mem: "4096", max_connections: "200" });
    const next = { pgConfig: { work_mem: "8MB" }, pgBouncerConfig: {} };
    expect((await config("POST", next)).message).to.contain("max_connections");
    expect(await config("GET")).to.deep.equal(next);
  });

  it("a new size of a Postgres service shows after a while", async () => {
    const { id } = await running();
    const size = "r8gd.xlarge";
    expect((await call("PATCH", `/${id}`, { size })).payload.size).to.equal(body.size);
    client.sandbox.pass(minute);
    expect((await get(id)).size).to.equal(size);
  });

  it("an update of a read replica is refused in the words of the product", async () => {
    const { id } = await running();
    client.sandbox.pass(2 * minute);
    const { payload: replica } = await call("POST", `/${id}/readReplica`, { name: "Reports" });
    client.sandbox.pass(5 * minute);
    const { reason } = await call("PATCH", `/${replica.id}`, { tags: [] });
    expect(reason).to.match(/cannot be modified directly/);
  });

  const restoring = { name: "Orders again", restoreTarget: "2020-01-01T00:00:00Z" };
  const refused: readonly [title: string, request: string, content?: object][] = [
    ["a rule for addresses of IPv6", "POST ", { ...body, ipAccessList: [{ ...rule, source: "::1/128" }] }],
    ["a rule for the port 0", "POST ", { ...body, ipAccessList: [{ ...rule, portRange: "0" }] }],
    [
      "ports that end before they begin",
      "POST ",
      { ...body, ipAccessList: [{ ...rule, portRange: "7..5" }] },
    ],
    ["a tag of the product's own", "POST ", { ...body, tags: [{ key: "chc_a", value: "b" }] }],
    ["a tag without a value", "PATCH /:id", { tags: [{ key: "team" }] }],
    ["an empty configuration", "POST ", { ...body, pgConfig: {} }],
    ["a switchover without a standby", "PATCH /:id/state", { command: "switchover" }],
    ["the promotion of a primary service", "PATCH /:id/state", { command: "promote" }],
    ["a replica before the first backup", "POST /:id/readReplica", { name: "Reports" }],
    ["a time before the first backup", "POST /:id/restoredService", restoring],
    ["an id that never existed", `GET /${unknownUuid}`],
  ];
  for (const [title, request, content] of refused)
    it(`the sandbox refuses ${title} of a Postgres service`, async () => {
      const { id } = await running();
      const [method = "", path] = request.replace(":id", id).split(" ");
      expect((await call(method, path, content)).status).to.equal(400);
    });
});
