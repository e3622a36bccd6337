import { expect } from "chai";
import { unknownUuid, useSandbox } from "./requests";

const create = {
  ...{ name: "lake", provider: "aws", region: "eu-west-1" },
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
};

describe("The lifecycle of services in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const organization = client.organization.bind(client);
  const at = (id: string, path = "") => `/services/${id}${path}`;
  const post = (change: object = {}) => organization("POST", "/services", { ...create, ...change });
  const get = async (id: string) => (await organization("GET", at(id))).payload;
  const state = async (id: string) => (await get(id)).state;
  const patch = (id: string, change: object) => organization("PATCH", at(id), change);
  const pass = (seconds: number) => client.sandbox.pass(seconds * 1000);

  async function running(change: object = {}): Promise<string> {
    const { payload } = await post(change);
    pass(3);
    return payload.service.id;
  }

  it("POST returns a service in the state provisioning with its password, which no later answer shows", async () => {
    const { status, payload } = await post({ tags: [{ key: "team" }], endpoints: [] });
    expect(status).to.equal(200);
    expect(payload.password).to.be.a("string").with.length(40);
    const { service } = payload;
    expect(service).to.deep.include({ ...create, state: "provisioning", isPrimary: true, numReplicas: 3 });
    expect(service).to.deep.include({ tags: [{ key: "team" }], autoscalingMode: "vertical" });
    expect(await get(service.id)).to.deep.equal(service);
    const { payload: list } = await organization("GET", "/services");
    expect(list.map(({ id }: { id: string }) => id)).to.include(service.id);
    expect(JSON.stringify(client.sandbox.store.contents())).to.not.include(payload.password);
    expect(JSON.stringify(service)).to.not.match(/password/i);
  });

  const refused: readonly (readonly [title: string, change: object])[] = [
    ["an access list entry that is no IP address", { ipAccessList: [{ source: "office" }] }],
    ["the property tier", { tier: "production" }],
    ["isReadonly but no warehouse", { isReadonly: true }],
    ["a warehouse that does not exist", { dataWarehouseId: unknownUuid }],
    ["one replica as the first service of a warehouse", { numReplicas: 1 }],
    ["horizontal mode without a range", { autoscalingMode: "horizontal" }],
    ["two tags with one key", { tags: [{ key: "team" }, { key: "team", value: "a" }] }],
    ["byocId but no memory limits", { byocId: "account" }],
  ];
  for (const [title, change] of refused)
    it(`POST refuses a service with ${title}, and creates nothing`, async () => {
      const { status, reason } = await post(change);
      expect(status).to.equal(400);
      expect(reason).to.match(/^BAD_REQUEST: /);
      expect(client.sandbox.store.services.size).to.equal(2);
    });

  it("POST accepts at most 5 services in a warehouse, with one replica each, in the warehouse's region", async () => {
    const { dataWarehouseId, provider, region } = await get(await running());
    const secondary = { dataWarehouseId, provider, numReplicas: 1, isReadonly: true };
    expect((await post({ ...secondary, region: "us-east-1" })).status).to.equal(400);
    for (let count = 2; count <= 5; count++) {
      const { payload } = await post({ ...secondary, region });
      expect(payload.service).to.include({ isPrimary: false, isReadonly: true, dataWarehouseId });
    }
    expect((await post({ ...secondary, region })).status).to.equal(400);
  });

  it("PATCH of a service adds tags or removes them by key, but refuses both at once", async () => {
    const id = await running({ tags: [{ key: "team", value: "a" }] });
    const [add, remove] = [[{ key: "cost" }], [{ key: "team" }]];
    expect((await patch(id, { tags: { add, remove } })).status).to.equal(400);
    expect((await patch(id, { tags: { add: [{ key: "team", value: "b" }] } })).status).to.equal(400);
    await patch(id, { tags: { add } });
    await patch(id, { tags: { remove } });
    expect((await get(id)).tags).to.deep.equal(add);
  });

  it("a deleted service is gone with all its objects, and GET answers 404 for its id", async () => {
    const id = await running();
    const endpoint = { roles: ["sql_console_admin"], openApiKeys: [] };
    expect((await organization("POST", at(id, "/serviceQueryEndpoint"), endpoint)).status).to.equal(200);
    Object.assign(client.sandbox.store.services.get(id) ?? {}, { state: "idle" });
    expect((await organization("DELETE", at(id))).status).to.equal(200);
    expect(await state(id)).to.equal("terminating");
    pass(2);
    expect(await organization("GET", at(id))).to.include({
      status: 404,
      reason: "NOT_FOUND: service not found",
    });
    expect(client.sandbox.store.queryEndpoints.size).to.equal(0);
  });

  it("GET of a service answers 400 for an id that never existed", async () => {
    const reason = "BAD_REQUEST: Invalid service id string";
    expect(await organization("GET", at(unknownUuid))).to.include({ status: 400, reason });
  });

  it("backups with a start time cannot have a period of 12 hours", async () => {
    const id = await running();
    const change = (body: object) => organization("PATCH", at(id, "/backupConfiguration"), body);
    expect((await change({ backupStartTime: "03:00" })).payload).to.include({ backupPeriodInHours: 24 });
    expect((await change({ backupPeriodInHours: 12 })).status).to.equal(400);
    expect((await change({ backupPeriodInHours: 48 })).status).to.equal(200);
  });

  it("a secondary service shows the upgrade window of the first service in its warehouse", async () => {
    const window = { weekday: 0, startHourUtc: 6 };
    expect((await client.secondService("PUT", "/upgradeWindow", window)).reason).to.match(
      /cannot set upgrade window on a secondary service$/,
    );
    expect((await client.service("PUT", "/upgradeWindow", window)).payload).to.include({ duration: 6 });
    expect((await client.secondService("GET", "/upgradeWindow")).payload).to.include(window);
  });
});

describe("Services of the sandbox in the dialect neutral", () => {
  const client = useSandbox();

  for (const request of ["POST /services", "GET /services", "PATCH ", "DELETE ", "PATCH /state"])
    it(`the dialect neutral has no route ${request} for services`, async () => {
      const [method = "", path = ""] = request.split(" ");
      const ask = path === "/services" ? client.organization : client.service;
      const { type } = await ask.call(client, method, path, method === "GET" ? undefined : {});
      expect(type).to.equal("text/html; charset=utf-8");
    });
});
