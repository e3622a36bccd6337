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

  it("DELETE refuses the API key that signs the request", async () => {
    const [admin] = client.sandbox.store.keys.keys();
    expect((await client.organization("DELETE", `/keys/${admin}`)).status).to.equal(400);
    expect(client.sandbox.store.keys.size).to.equal(1);
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
});
