import { expect } from "chai";
import { basic, Client, send } from "./requests";

describe("sandbox: authentication", () => {
  let client: Client;
  const past = "2020-01-01T00:00:00Z";
  const future = "2099-01-01T00:00:00Z";

  before(async () => {
    client = Client.inProcess();
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  const createKey = async (members: object = {}) => {
    const { body } = await client.organizationRequest("POST", "/keys", {
      name: "ci",
      roles: ["developer"],
      ...members,
    });
    return { id: body.result.key.id, authorization: basic(body.result.keyId, body.result.keySecret) };
  };
  const listWith = (authorization: string) =>
    client.organizationRequest("GET", "/keys", undefined, authorization);

  it("GET …/keys with the seeded key is answered in the envelope", async () => {
    const { status, body } = await client.organizationRequest("GET", "/keys");
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(["status", "requestId", "result"]);
    expect(body.status).to.equal(200);
    expect(body.requestId).to.match(/^[0-9a-f-]{36}$/);
  });

  const refusedOnManagement: [string, () => string | undefined][] = [
    ["no Authorization", () => undefined],
    ["a wrong secret", () => basic(client.sandbox.credentials.keyId, "x".repeat(40))],
    ["an unknown key id", () => basic("x".repeat(20), client.sandbox.credentials.keySecret)],
    [
      "Basic without a secret",
      () => `Basic ${Buffer.from(client.sandbox.credentials.keyId).toString("base64")}`,
    ],
    ["the observability token as Bearer", () => `Bearer ${client.sandbox.credentials.accessToken}`],
  ];
  for (const [what, authorization] of refusedOnManagement) {
    it(`GET …/keys with ${what} is refused with 401 in the API's JSON`, async () => {
      const value = authorization();
      const answer = await send(
        "GET",
        `${client.organization}/keys`,
        undefined,
        value ? { authorization: value } : {},
      );
      expect(answer.status).to.equal(401);
      expect(Object.keys(answer.body)).to.deep.equal(["status", "error", "requestId"]);
      expect(answer.body.error).to.match(/^UNAUTHORIZED: /);
    });
  }

  const refusedOnObservability: [string, () => string | undefined][] = [
    ["no Authorization", () => undefined],
    ["an unknown token", () => "Bearer something"],
    ["the token in upper case", () => `Bearer ${client.sandbox.credentials.accessToken.toUpperCase()}`],
    ["a lower-case bearer", () => `bearer ${client.sandbox.credentials.accessToken}`],
    ["Basic and the admin key", () => client.authorization],
  ];
  for (const [what, authorization] of refusedOnObservability) {
    it(`GET /api/v2/alerts with ${what} is refused with 401 as text`, async () => {
      const value = authorization();
      const url = `${client.sandbox.obsBaseUrl}/api/v2/alerts`;
      const answer = await send("GET", url, undefined, value ? { authorization: value } : {});
      expect(answer).to.include({ status: 401, text: "Unauthorized", type: "text/plain; charset=utf-8" });
    });
  }

  it("a key created in the sandbox signs requests", async () => {
    const { authorization } = await createKey({ expireAt: future, state: "enabled" });
    expect((await listWith(authorization)).status).to.equal(200);
  });

  it("a key with hashData signs requests with the credentials whose hashes it has", async () => {
    const { createHash } = await import("node:crypto");
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    const hashData = {
      keyIdHash: hash("my-key-id"),
      keyIdSuffix: "y-id",
      keySecretHash: hash("my-key-secret"),
    };
    const { body } = await client.organizationRequest("POST", "/keys", { roles: ["admin"], hashData });
    expect(body.result).to.have.all.keys("key");
    expect(body.result.key.keySuffix).to.equal("y-id");
    expect((await listWith(basic("my-key-id", "my-key-secret"))).status).to.equal(200);
    expect((await listWith(basic("my-key-id", "another-secret"))).status).to.equal(401);
  });

  for (const [what, members] of [
    ["disabled", { state: "disabled" }],
    ["expired", { expireAt: past }],
  ] as const) {
    it(`a key that is ${what} cannot sign requests`, async () => {
      const { authorization } = await createKey(members);
      expect((await listWith(authorization)).status).to.equal(401);
    });
  }

  it("a key that is disabled, then enabled again signs requests", async () => {
    const { id, authorization } = await createKey();
    await client.organizationRequest("PATCH", `/keys/${id}`, { state: "disabled" });
    expect((await listWith(authorization)).status).to.equal(401);
    await client.organizationRequest("PATCH", `/keys/${id}`, { state: "enabled" });
    expect((await listWith(authorization)).status).to.equal(200);
  });

  it("a deleted key cannot sign requests", async () => {
    const { id, authorization } = await createKey();
    await client.organizationRequest("DELETE", `/keys/${id}`);
    expect((await listWith(authorization)).status).to.equal(401);
  });

  for (const [what, sources, status] of [
    ["without the caller's address", ["10.0.0.0/8"], 403],
    ["that is empty", [], 403],
    ["of another family", ["::/0"], 403],
    ["with the caller's address", ["10.0.0.0/8", "127.0.0.1"], 200],
    ["with the caller's block", ["127.0.0.0/8"], 200],
    ["of everything", ["0.0.0.0/0"], 200],
  ] as const) {
    it(`a key with an IP access list ${what} is answered with ${status}`, async () => {
      const { authorization } = await createKey({ ipAccessList: sources.map((source) => ({ source })) });
      expect((await listWith(authorization)).status).to.equal(status);
    });
  }

  it("usedAt of a key changes at every use", async () => {
    const { id, authorization } = await createKey();
    const usedAt = async () => (await client.organizationRequest("GET", `/keys/${id}`)).body.result.usedAt;
    expect(await usedAt()).to.equal(undefined);
    const before = Date.now();
    await listWith(authorization);
    expect(Date.parse(await usedAt())).to.be.within(before, Date.now());
    const key = client.sandbox.store.keys.get(id);
    if (key) key.usedAt = past;
    await listWith(authorization);
    expect(await usedAt()).to.not.equal(past);
  });

  const other = "00000000-0000-4000-8000-000000000000";
  for (const [path, status, error] of [
    [`/v1/organizations/${other}/keys`, 404, "NOT_FOUND: organization not found"],
    ["/v1/organizations/mine/keys", 400, "BAD_REQUEST: Invalid organization id"],
    [`{organization}/services/${other}`, 404, "NOT_FOUND: service not found"],
    ["{organization}/services/mine", 400, "BAD_REQUEST: Invalid service id"],
  ] as const) {
    it(`GET ${path} is refused with ${status}`, async () => {
      const url = path.startsWith("/")
        ? client.sandbox.baseUrl + path
        : path.replace("{organization}", client.organization);
      const answer = await send("GET", url, undefined, { authorization: client.authorization });
      expect(answer.status).to.equal(status);
      expect(answer.body).to.include({ status, error });
    });
  }
});
