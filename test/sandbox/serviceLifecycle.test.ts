import { createHash } from "node:crypto";
import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { judge } from "../productJudge";
import { unknownUuid, useSandbox } from "./requests";

const create = {
  ...{ name: "lake", provider: "aws", region: "eu-west-1" },
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
};
/** Each change of a service's state takes one second in these tests. */
const second = 1000;

describe("The lifecycle of services in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const organization = client.organization.bind(client);
  const at = (id: string, path = "") => `/services/${id}${path}`;
  const post = (change: object = {}) => organization("POST", "/services", { ...create, ...change });
  const get = async (id: string) => (await organization("GET", at(id))).payload;
  const state = async (id: string) => (await get(id)).state;
  const patch = (id: string, change: object) => organization("PATCH", at(id), change);
  const command = (id: string, word: string) => organization("PATCH", at(id, "/state"), { command: word });
  const pass = (seconds: number) => client.sandbox.pass(seconds * second);

  async function running(change: object = {}): Promise<string> {
    const { payload } = await post(change);
    pass(3);
    return payload.service.id;
  }

  it("POST returns a service in the state provisioning with its password, which no later answer shows", async () => {
    const { status, payload } = await post({ tags: [{ key: "team" }], endpoints: [] });
    expect(status).to.equal(200);
    expect(judge.answerFailure("management", "createService", payload)).to.equal(undefined);
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

  it("a new service runs after three seconds, and later if it is created from a backup", async () => {
    const { payload: empty } = await post();
    const { payload: restored } = await post({ backupId: unknownUuid });
    pass(2.9);
    expect(await state(empty.service.id)).to.equal("provisioning");
    pass(0.2);
    expect(await state(empty.service.id)).to.equal("running");
    expect(await state(restored.service.id)).to.equal("provisioning");
    pass(7);
    expect(await state(restored.service.id)).to.equal("running");
  });

  it("the option provisioning makes new services fail, or stay in the state provisioning for ever", async () => {
    client.sandbox.store.organization.provisioning = "fails";
    const { payload: failing } = await post();
    client.sandbox.store.organization.provisioning = "hangs";
    const { payload: hanging } = await post();
    pass(3600);
    expect(await state(failing.service.id)).to.equal("failed");
    expect(await state(hanging.service.id)).to.equal("provisioning");
  });

  it("a sandbox that loads saved contents finishes the provisioning of a service in them", async () => {
    const { payload } = await post();
    client.sandbox.store.load(JSON.parse(JSON.stringify(client.sandbox.store.contents())));
    pass(3);
    expect(await state(payload.service.id)).to.equal("running");
  });

  const refused: readonly (readonly [title: string, change: object])[] = [
    ["no IP access list", { ipAccessList: undefined }],
    ["null as its IP access list", { ipAccessList: null }],
    ["an access list entry that is no IP address", { ipAccessList: [{ source: "office" }] }],
    ["a name of 51 characters", { name: "a".repeat(51) }],
    ["an unknown region", { region: "mars-1" }],
    ["the property tier", { tier: "production" }],
    ["isReadonly but no warehouse", { isReadonly: true }],
    ["a warehouse that does not exist", { dataWarehouseId: unknownUuid }],
    ["one replica as the first service of a warehouse", { numReplicas: 1 }],
    ["horizontal mode without a range", { autoscalingMode: "horizontal" }],
    ["a memory of 10 GB", { minReplicaMemoryGb: 10, maxReplicaMemoryGb: 16 }],
    ["two tags with one key", { tags: [{ key: "team" }, { key: "team", value: "a" }] }],
    ["byocId but no memory limits", { byocId: "account" }],
    ["an unknown property", { region2: "eu-west-1" }],
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

  it("PATCH of a service first removes addresses from its IP access list, and then adds others at the end", async () => {
    const id = await running();
    const [office] = create.ipAccessList;
    const home = { source: "198.51.100.7", description: "home" };
    const { status, payload } = await patch(id, {
      ipAccessList: { add: [home], remove: [{ source: "192.0.2.1" }] },
    });
    expect(status).to.equal(200);
    expect(payload.ipAccessList).to.deep.equal([office, home]);
    const renamed = { source: home.source, description: "house" };
    await patch(id, { ipAccessList: { add: [renamed], remove: [home] } });
    expect((await get(id)).ipAccessList).to.deep.equal([office, renamed]);
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

  it("PATCH of a service changes the release channel of all services in its warehouse", async () => {
    const id = await running();
    const { dataWarehouseId } = await get(id);
    const other = await running({ dataWarehouseId, numReplicas: 1, releaseChannel: "slow" });
    expect((await get(other)).releaseChannel).to.equal("default");
    await patch(other, { releaseChannel: "fast" });
    expect((await get(id)).releaseChannel).to.equal("fast");
  });

  it("PATCH turns the MySQL endpoint of a service on and off", async () => {
    const id = await running();
    const protocols = async () =>
      (await get(id)).endpoints.map(({ protocol }: { protocol: string }) => protocol);
    await patch(id, { endpoints: [{ protocol: "mysql", enabled: true }] });
    expect(await protocols()).to.deep.equal(["https", "nativesecure", "mysql"]);
    await patch(id, { endpoints: [{ protocol: "mysql", enabled: false }] });
    expect(await protocols()).to.deep.equal(["https", "nativesecure"]);
  });

  it("PATCH of a service accepts an encryption key only if the service was created encrypted", async () => {
    const change = { transparentDataEncryptionKeyId: "arn:aws:kms:key" };
    expect((await patch(await running(), change)).status).to.equal(400);
    const encrypted = await running({ hasTransparentDataEncryption: true });
    const { encryptionRoleId } = await get(encrypted);
    expect(encryptionRoleId).to.be.a("string");
    client.sandbox.store.organization.keysWithoutGrant = ["arn:aws:kms:other"];
    const refused = await patch(encrypted, { transparentDataEncryptionKeyId: "arn:aws:kms:other" });
    expect(refused.reason).to.include(`the key does not grant access to ${encryptionRoleId}`);
    expect((await patch(encrypted, change)).payload).to.include(change);
  });

  it("PATCH of a service's state returns the old state, and takes effect a second later", async () => {
    const id = await running();
    expect((await command(id, "stop")).payload.state).to.equal("running");
    expect(await state(id)).to.equal("stopping");
    pass(1);
    expect(await state(id)).to.equal("stopped");
    expect((await command(id, "awake")).status).to.equal(200);
    pass(1);
    expect(await state(id)).to.equal("stopped");
    expect((await command(id, "start")).payload.state).to.equal("stopped");
    expect(await state(id)).to.equal("starting");
    pass(1);
    expect(await state(id)).to.equal("running");
    const { status, reason } = await command(id, "start");
    expect(status).to.equal(409);
    expect(reason).to.match(/Current state: 'running'$/);
  });

  it("an idle service refuses requests about its pipes until it is awake", async () => {
    const { serviceId } = seededCredentials;
    Object.assign(client.sandbox.store.services.get(serviceId) ?? {}, { state: "idle" });
    const refusal = await organization("GET", at(serviceId, "/clickpipes"));
    expect(refusal.status).to.equal(424);
    expect(refusal.reason).to.match(/^FAILED_DEPENDENCY: .*Current state: 'idle'$/);
    await command(serviceId, "awake");
    pass(1);
    expect((await organization("GET", at(serviceId, "/clickpipes"))).status).to.equal(200);
  });

  it("PATCH of a service's password accepts a hash, or generates a password that only this answer shows", async () => {
    const id = await running();
    const hash = (text: string) => createHash("sha256").update(text).digest("base64");
    const stored = () => client.sandbox.store.services.get(id)?.passwordHash;
    const given = await organization("PATCH", at(id, "/password"), { newPasswordHash: hash("secret") });
    expect(given.payload).to.deep.equal({});
    expect(stored()).to.equal(hash("secret"));
    await organization("PATCH", at(id, "/password"), { newDoubleSha1Hash: "00" });
    const made = await organization("PATCH", at(id, "/password"), {});
    expect(stored()).to.equal(hash(made.payload.password));
  });

  it("DELETE refuses a running service, in the words of the product", async () => {
    const id = await running();
    const { status, reason } = await organization("DELETE", at(id));
    expect(status).to.equal(409);
    expect(reason).to.equal(
      "CONFLICT: Only instance in one of the following states: 'provisioning','starting','awaking','idle','stopped','degraded','failed' can be terminated. Current state: 'running'",
    );
  });

  it("DELETE refuses a service for a second after it is shown as stopped", async () => {
    const id = await running();
    await command(id, "stop");
    pass(1);
    expect(await state(id)).to.equal("stopped");
    expect((await organization("DELETE", at(id))).status).to.equal(409);
    pass(1);
    expect((await organization("DELETE", at(id))).status).to.equal(200);
  });

  it("DELETE refuses the first service of a warehouse while the warehouse has other services", async () => {
    const id = await running();
    const { dataWarehouseId } = await get(id);
    const other = await running({ dataWarehouseId, numReplicas: 1 });
    for (const one of [id, other])
      Object.assign(client.sandbox.store.services.get(one) ?? {}, { state: "idle" });
    expect((await organization("DELETE", at(id))).status).to.equal(409);
    expect((await organization("DELETE", at(other))).status).to.equal(200);
    pass(2);
    expect((await organization("DELETE", at(id))).status).to.equal(200);
  });

  it("a deleted service is gone with all its objects, and GET answers 404 for its id", async () => {
    const id = await running();
    const key = [...client.sandbox.store.keys.keys()][0];
    const endpoint = { roles: ["sql_console_admin"], openApiKeys: [key] };
    expect((await organization("POST", at(id, "/serviceQueryEndpoint"), endpoint)).status).to.equal(200);
    Object.assign(client.sandbox.store.services.get(id) ?? {}, { state: "idle" });
    expect((await organization("DELETE", at(id))).status).to.equal(200);
    expect(await state(id)).to.equal("terminating");
    pass(2);
    expect(await organization("GET", at(id))).to.include({
      ...{ status: 404, reason: "NOT_FOUND: service not found" },
    });
    expect(client.sandbox.store.queryEndpoints.size).to.equal(0);
    expect(await organization("GET", at(unknownUuid))).to.include({
      ...{ status: 400, reason: "BAD_REQUEST: Invalid service id string" },
    });
  });

  it("POST of a query endpoint fails until the provisioning of its service has finished", async () => {
    const { payload } = await post();
    const path = at(payload.service.id, "/serviceQueryEndpoint");
    const endpoint = { roles: ["sql_console_admin"], openApiKeys: [] };
    expect(await organization("POST", path, endpoint)).to.include({
      ...{ status: 500, reason: "INTERNAL_SERVER_ERROR: Internal error" },
    });
    pass(3);
    expect((await organization("POST", path, endpoint)).status).to.equal(200);
  });

  it("backups with a start time cannot have a period of 12 hours", async () => {
    const id = await running();
    const change = (body: object) => organization("PATCH", at(id, "/backupConfiguration"), body);
    expect((await change({ backupStartTime: "" })).reason).to.match(
      /customBackupStartTime must be a valid time/,
    );
    expect((await change({ backupStartTime: "03:00" })).payload).to.include({ backupPeriodInHours: 24 });
    expect((await change({ backupPeriodInHours: 12 })).status).to.equal(400);
    expect((await change({ backupPeriodInHours: 12, backupStartTime: null })).payload).to.deep.equal({
      ...{ backupPeriodInHours: 12, backupRetentionPeriodInHours: 24 },
    });
    const reset = await change({ backupPeriodInHours: null });
    expect(reset.payload).to.include({ backupPeriodInHours: 24 });
  });

  it("a secondary service refuses a change of its backups", async () => {
    const second = await client.secondService("PATCH", "/backupConfiguration", { backupPeriodInHours: 12 });
    expect(second.status).to.equal(400);
  });

  it("a service takes two pairs of minutes for its snapshots, and neither null nor nothing", async () => {
    const change = (body: object) => client.service("PATCH", "/snapshotConfiguration", body);
    const often = { enabled: true, gap: 30, timeFrame: 1440 };
    expect((await change(often)).payload).to.deep.equal(often);
    expect((await change({ enabled: false })).payload).to.deep.equal({ ...often, enabled: false });
    for (const refused of [{}, { gap: 60 }, { gap: 45, timeFrame: 2160 }, { gap: null }, { enabled: null }])
      expect((await change(refused)).status, JSON.stringify(refused)).to.equal(400);
    expect((await client.service("GET", "/snapshotConfiguration")).payload).to.deep.equal({
      ...often,
      enabled: false,
    });
  });

  it("a PATCH of the routing to replicas changes the protocols that it names, and refuses null", async () => {
    const change = (body: object) => client.service("PATCH", "/replicaAwareRouting", body);
    expect((await change({ nativeEnabled: true })).payload).to.deep.equal({
      ...{ httpEnabled: false, nativeEnabled: true },
    });
    expect((await change({ httpEnabled: null })).status).to.equal(400);
    const shown = (await client.service("GET", "/replicaAwareRouting")).payload;
    expect(shown).to.deep.equal({ httpEnabled: false, nativeEnabled: true });
  });

  it("a secondary service shows the upgrade window of the first service in its warehouse", async () => {
    const window = { weekday: 0, startHourUtc: 6 };
    expect((await client.service("GET", "/upgradeWindow")).status).to.equal(404);
    expect((await client.secondService("PUT", "/upgradeWindow", window)).reason).to.match(
      /cannot set upgrade window on a secondary service$/,
    );
    expect((await client.service("PUT", "/upgradeWindow", { ...window, startHourUtc: 5 })).status).to.equal(
      400,
    );
    expect((await client.service("PUT", "/upgradeWindow", window)).payload).to.deep.equal({
      ...window,
      duration: 6,
    });
    expect((await client.secondService("GET", "/upgradeWindow")).payload).to.include(window);
    expect((await client.service("DELETE", "/upgradeWindow")).status).to.equal(200);
    expect((await client.service("GET", "/upgradeWindow")).status).to.equal(404);
  });

  it("a new service has the scaling of its POST request, and a PATCH of the scaling changes it", async () => {
    const id = await running({ minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, idleScaling: false });
    expect(await get(id)).to.include({ minReplicaMemoryGb: 8, maxTotalMemoryGb: 96, idleScaling: false });
    await organization("PATCH", at(id, "/replicaScaling"), { numReplicas: 4 });
    expect(await get(id)).to.include({ numReplicas: 4 });
  });
});

describe("Services of the sandbox in the dialect neutral", () => {
  const client = useSandbox();

  it("the dialect neutral has no routes that create, change or delete a service", async () => {
    for (const [method, path, body] of [
      ["POST", "/services", create],
      ["GET", "/services"],
    ] as const)
      expect((await client.organization(method, path, body)).type).to.equal("text/html; charset=utf-8");
    for (const [method, path] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["PATCH", "/state"],
      ["PATCH", "/password"],
    ] as const)
      expect((await client.service(method, path, {})).type).to.equal("text/html; charset=utf-8");
    expect((await client.service("GET", "")).payload).to.not.have.property("state");
  });
});
