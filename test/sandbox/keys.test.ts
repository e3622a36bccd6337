import { expect } from "chai";
import { Client } from "./requests";

describe("sandbox: keys", () => {
  let client: Client;
  before(async () => {
    client = Client.inProcess();
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  const valid = {
    name: "ci",
    expireAt: "2099-01-01T00:00:00Z",
    state: "enabled",
    roles: ["admin", "query_endpoints"],
    ipAccessList: [{ source: "10.0.0.0/8", description: "office" }],
  };
  const create = (body: object) => client.organizationRequest("POST", "/keys", body);

  it("POST …/keys answers the key with its id and its secret, and no later answer has the secret", async () => {
    const { status, body } = await create(valid);
    expect(status).to.equal(200);
    expect(body.result).to.have.all.keys("key", "keyId", "keySecret");
    expect(body.result.keyId).to.match(/^[A-Za-z0-9]{20}$/);
    expect(body.result.keySecret).to.match(/^[A-Za-z0-9]{40}$/);
    expect(body.result.key).to.deep.include(valid);
    expect(body.result.key.keySuffix).to.equal(body.result.keyId.slice(-4));
    const list = await client.organizationRequest("GET", "/keys");
    expect(list.body.result).to.deep.include(body.result.key);
    expect(list.text).to.not.include(body.result.keySecret).and.not.match(/hash/i);
    expect(JSON.stringify(client.sandbox.store.contents())).to.not.include(body.result.keySecret);
  });

  it("POST …/keys without a state makes an enabled key that never expires", async () => {
    const { key } = (await create({ name: "ci", roles: ["admin"], expireAt: "" })).body.result;
    expect(key.state).to.equal("enabled");
    expect(key).to.not.have.any.keys("expireAt", "usedAt", "ipAccessList");
  });

  const refused: [string, object][] = [
    ["without roles", { roles: undefined }],
    ["with no role", { roles: [] }],
    ["with an unknown role", { roles: ["owner"] }],
    ["with state paused", { state: "paused" }],
    ["with expireAt tomorrow", { expireAt: "tomorrow" }],
    ["with expireAt 2099-13-01T00:00:00Z", { expireAt: "2099-13-01T00:00:00Z" }],
    ["with name 5", { name: 5 }],
    ["with an ipAccessList of a name", { ipAccessList: [{ source: "office" }] }],
    ["with an ipAccessList of texts", { ipAccessList: ["10.0.0.0/8"] }],
    ["with hashData that lacks keySecretHash", { hashData: { keyIdHash: "a", keyIdSuffix: "b" } }],
    ["with an unknown member", { expiresAt: "2099-01-01T00:00:00Z" }],
  ];
  for (const [what, mutation] of refused) {
    it(`POST …/keys ${what} is refused with 400`, async () => {
      const { status, body } = await create({ ...valid, ...mutation });
      expect(status).to.equal(400);
      expect(body.error).to.match(/^BAD_REQUEST: /);
      expect(client.sandbox.store.keys.size).to.equal(1);
    });
  }

  for (const body of ["{", "", "null", "[]", '"text"']) {
    it(`POST …/keys with the body ${JSON.stringify(body)} is refused with 400`, async () => {
      expect((await client.organizationRequest("POST", "/keys", body)).status).to.equal(400);
    });
  }

  it("POST …/keys is refused with 400 when the organization has 100 keys", async () => {
    const answers = await Promise.all(Array.from({ length: 99 }, () => create(valid)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(99).fill(200));
    expect((await create(valid)).status).to.equal(400);
    await client.organizationRequest("DELETE", `/keys/${answers[0]?.body.result.key.id}`);
    expect((await create(valid)).status).to.equal(200);
  });

  it("PATCH …/keys/{id} changes what it names and keeps the rest; expireAt null clears it", async () => {
    const { key } = (await create(valid)).body.result;
    const patch = (body: object) => client.organizationRequest("PATCH", `/keys/${key.id}`, body);
    expect((await patch({ name: "renamed" })).body.result).to.deep.equal({ ...key, name: "renamed" });
    const { expireAt, ...cleared } = key;
    expect((await patch({ name: "ci", expireAt: null })).body.result).to.deep.equal(cleared);
    expect((await patch({ roles: [] })).status).to.equal(400);
    expect((await patch({ hashData: {} })).status).to.equal(400);
    expect((await patch({ expireAt: "never" })).status).to.equal(400);
  });

  it("DELETE …/keys/{id} answers without a result, then the key is not found", async () => {
    const { key } = (await create(valid)).body.result;
    const { status, body } = await client.organizationRequest("DELETE", `/keys/${key.id}`);
    expect(status).to.equal(200);
    expect(body).to.have.all.keys("status", "requestId");
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const answer = await client.organizationRequest(
        method,
        `/keys/${key.id}`,
        method === "PATCH" ? {} : undefined,
      );
      expect(answer.status, method).to.equal(404);
      expect(answer.body.error).to.equal("NOT_FOUND: key not found");
    }
  });

  it("DELETE of the key that signs the request is refused with 400", async () => {
    const [admin] = client.sandbox.store.keys.keys();
    expect((await client.organizationRequest("DELETE", `/keys/${admin}`)).status).to.equal(400);
    expect(client.sandbox.store.keys.size).to.equal(1);
  });

  it("GET …/keys/mine is refused with 400", async () => {
    const { status, body } = await client.organizationRequest("GET", "/keys/mine");
    expect(status).to.equal(400);
    expect(body.error).to.equal("BAD_REQUEST: Invalid key id");
  });
});

describe("sandbox: query endpoint", () => {
  let client: Client;
  before(async () => {
    client = Client.inProcess();
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  const path = "/serviceQueryEndpoint";
  const valid = () => ({
    roles: ["sql_console_read_only"],
    openApiKeys: [...client.sandbox.store.keys.keys()],
    allowedOrigins: "https://a.example.com,https://b.example.com",
  });

  it("POST …/serviceQueryEndpoint creates the record, then replaces it whole under the same id", async () => {
    expect((await client.service("GET", path)).status).to.equal(404);
    const first = await client.service("POST", path, valid());
    expect(first.status).to.equal(200);
    expect(first.body.result).to.deep.include(valid());
    expect((await client.service("GET", path)).body.result).to.deep.equal(first.body.result);
    const second = await client.service("POST", path, { roles: ["sql_console_admin"] });
    expect(second.body.result).to.deep.equal({
      id: first.body.result.id,
      roles: ["sql_console_admin"],
      openApiKeys: [],
      allowedOrigins: "",
    });
    expect((await client.secondService("GET", path)).status).to.equal(404);
  });

  const refused: [string, object][] = [
    ["an unknown role", { roles: ["admin"] }],
    ["the keyId in place of the key's id", { openApiKeys: ["SandboxK3y7Qm2Vt9Xb4"] }],
    ["a key that does not exist", { openApiKeys: ["00000000-0000-4000-8000-000000000000"] }],
    ["allowedOrigins as an array", { allowedOrigins: ["https://a.example.com"] }],
    ["an unknown member", { origins: "" }],
  ];
  for (const [what, mutation] of refused) {
    it(`POST …/serviceQueryEndpoint with ${what} is refused with 400`, async () => {
      expect((await client.service("POST", path, { ...valid(), ...mutation })).status).to.equal(400);
      expect((await client.service("GET", path)).status).to.equal(404);
    });
  }

  it("DELETE …/serviceQueryEndpoint removes the record, and is answered with 404 when there is none", async () => {
    await client.service("POST", path, valid());
    expect((await client.service("DELETE", path)).body).to.have.all.keys("status", "requestId");
    expect((await client.service("GET", path)).status).to.equal(404);
    expect((await client.service("DELETE", path)).status).to.equal(404);
  });
});
