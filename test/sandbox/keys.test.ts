import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { unknownUuid, useSandbox } from "./requests";

describe("API keys of the sandbox", () => {
  const client = useSandbox();
  const valid = {
    name: "ci",
    expireAt: "2099-01-01T00:00:00Z",
    state: "enabled",
    roles: ["admin", "query_endpoints"],
    ipAccessList: [{ source: "10.0.0.0/8", description: "office" }],
  };
  const create = (body: unknown) => client.organization("POST", "/keys", body);

  it("POST returns an API key with its id and secret, and no later answer contains the secret", async () => {
    const { status, payload } = await create(valid);
    expect(status).to.equal(200);
    expect(payload).to.have.all.keys("key", "keyId", "keySecret");
    expect(payload.keyId).to.match(/^[A-Za-z0-9]{20}$/);
    expect(payload.keySecret).to.match(/^[A-Za-z0-9]{40}$/);
    expect(payload.key).to.deep.include({ ...valid, keySuffix: payload.keyId.slice(-4) });
    const list = await client.organization("GET", "/keys");
    expect(list.payload).to.deep.include(payload.key);
    expect(list.text).to.not.include(payload.keySecret).and.not.match(/hash/i);
    expect(JSON.stringify(client.sandbox.store.contents())).to.not.include(payload.keySecret);
  });

  it("POST without state and expireAt creates an enabled API key that never expires", async () => {
    const { key } = (await create({ name: "ci", roles: ["admin"], expireAt: "" })).payload;
    expect(key.state).to.equal("enabled");
    expect(key).to.not.have.any.keys("expireAt", "usedAt", "ipAccessList");
  });

  const refused = {
    "without roles": { roles: undefined },
    "with no role": { roles: [] },
    "with an unknown role": { roles: ["owner"] },
    "with state paused": { state: "paused" },
    "with expireAt tomorrow": { expireAt: "tomorrow" },
    "with expireAt 2099-13-01T00:00:00Z": { expireAt: "2099-13-01T00:00:00Z" },
    "with name 5": { name: 5 },
    "with an ipAccessList entry that is no address": { ipAccessList: [{ source: "office" }] },
    "with texts as entries of ipAccessList": { ipAccessList: ["10.0.0.0/8"] },
    "with hashData that lacks keySecretHash": { hashData: { keyIdHash: "a", keyIdSuffix: "b" } },
  };
  const bodies = Object.entries(refused).map(([title, change]) => [title, { ...valid, ...change }] as const);
  const texts = ["{", "", "null", "[]", '"text"'].map(
    (body) => [`as ${JSON.stringify(body)}`, body] as const,
  );
  for (const [title, body] of [...bodies, ...texts])
    it(`POST refuses an API key ${title}`, async () => {
      const { status, reason } = await create(body);
      expect(status).to.equal(400);
      expect(reason).to.match(/^BAD_REQUEST: /);
      expect(client.sandbox.store.keys.size).to.equal(1);
    });

  it("POST refuses the 101st API key of an organization until another one is deleted", async () => {
    const answers = await Promise.all(Array.from({ length: 99 }, () => create(valid)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(99).fill(200));
    expect((await create(valid)).status).to.equal(400);
    await client.organization("DELETE", `/keys/${answers[0]?.payload.key.id}`);
    expect((await create(valid)).status).to.equal(200);
  });

  it("PATCH of an API key keeps omitted properties, and clears expireAt with null", async () => {
    const { key } = (await create(valid)).payload;
    const patch = (body: object) => client.organization("PATCH", `/keys/${key.id}`, body);
    expect((await patch({ name: "renamed" })).payload).to.deep.equal({ ...key, name: "renamed" });
    const { expireAt, ...cleared } = key;
    expect((await patch({ name: "ci", expireAt: null })).payload).to.deep.equal(cleared);
    for (const body of [{ roles: [] }, { hashData: {} }, { expireAt: "never" }])
      expect((await patch(body)).status).to.equal(400);
  });

  it("DELETE refuses the API key that signs the request", async () => {
    const [admin] = client.sandbox.store.keys.keys();
    expect((await client.organization("DELETE", `/keys/${admin}`)).status).to.equal(400);
    expect(client.sandbox.store.keys.size).to.equal(1);
  });
});

describe("API keys in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const create = async (body: object) => {
    const answer = await client.organization("POST", "/keys", body);
    return { ...answer, key: answer.payload?.key };
  };
  const idOf = (role: string) =>
    [...client.sandbox.store.roles.values()].find(({ name }) => name === role)?.id ?? "";
  const assigned = (roleName: string, roleType: string) => [{ roleId: idOf(roleName), roleName, roleType }];

  it("GET /roles lists the roles of the organization", async () => {
    const { payload } = await client.organization("GET", "/roles");
    const roles = [...client.sandbox.store.roles.values()];
    expect(payload).to.have.length(roles.length);
    for (const [index, role] of roles.entries()) expect(payload[index]).to.include(role);
  });

  it("an API key gets system roles by name, and shows a missing expiry as null", async () => {
    const { key } = await create({ name: "ci", roles: ["developer"] });
    const assignedRoles = assigned("developer", "system");
    expect(key).to.deep.include({ roles: ["developer"], assignedRoles, expireAt: null });
  });

  it("an API key may have custom roles of the organization, or no role", async () => {
    const { key } = await create({ name: "ci", assignedRoleIds: [idOf("Dashboards")] });
    expect(key).to.deep.include({ roles: [], assignedRoles: assigned("Dashboards", "custom") });
    expect((await create({ name: "none" })).status).to.equal(200);
    expect((await create({ assignedRoleIds: [unknownUuid] })).status).to.equal(400);
  });

  it("PATCH with custom roles keeps the old role names of an API key and its omitted properties", async () => {
    const { key } = await create({ name: "ci", roles: ["admin"], expireAt: "2099-01-01T00:00:00Z" });
    const patch = async (body: object) =>
      (await client.organization("PATCH", `/keys/${key.id}`, body)).payload;
    const custom = await patch({ assignedRoleIds: [idOf("Dashboards")] });
    const assignedRoles = assigned("Dashboards", "custom");
    expect(custom).to.deep.include({ name: "ci", roles: ["admin"], expireAt: key.expireAt, assignedRoles });
    expect(await patch({ name: "other" })).to.deep.equal({ ...custom, name: "other" });
  });
});

describe("The query endpoint of a service in the sandbox", () => {
  const client = useSandbox();
  const ask = (method: string, body?: object) => client.service(method, "/serviceQueryEndpoint", body);
  const [admin = ""] = client.sandbox.store.keys.keys();
  const valid = {
    roles: ["sql_console_read_only"],
    openApiKeys: [admin],
    allowedOrigins: "https://a.example.com,https://b.example.com",
  };

  it("POST creates a query endpoint, and a second POST replaces all of its properties but the id", async () => {
    expect((await ask("GET")).status).to.equal(404);
    const { status, payload } = await ask("POST", valid);
    expect(status).to.equal(200);
    expect(payload).to.deep.include(valid);
    expect((await ask("GET")).payload).to.deep.equal(payload);
    const roles = ["sql_console_admin"];
    const replaced = { id: payload.id, roles, openApiKeys: [], allowedOrigins: "" };
    expect((await ask("POST", { roles })).payload).to.deep.equal(replaced);
    expect((await client.secondService("GET", "/serviceQueryEndpoint")).status).to.equal(404);
  });

  const refused = {
    "an unknown role": { roles: ["admin"] },
    "a keyId in place of an API key's id": { openApiKeys: [seededCredentials.keyId] },
    "an API key that does not exist": { openApiKeys: [unknownUuid] },
    "allowedOrigins as an array": { allowedOrigins: ["https://a.example.com"] },
    "an unknown property": { origins: "" },
  };
  for (const [title, change] of Object.entries(refused))
    it(`POST refuses a query endpoint with ${title}`, async () => {
      expect((await ask("POST", { ...valid, ...change })).status).to.equal(400);
      expect((await ask("GET")).status).to.equal(404);
    });

  it("DELETE removes a query endpoint, and answers 404 if there is none", async () => {
    await ask("POST", valid);
    expect((await ask("DELETE")).body).to.have.all.keys("status", "requestId");
    expect((await ask("GET")).status).to.equal(404);
    expect((await ask("DELETE")).status).to.equal(404);
  });
});
