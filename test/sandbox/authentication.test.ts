import { expect } from "chai";
import { sha256 } from "../../sandbox/core/identifiers";
import type { ApiName } from "../../sandbox/core/request";
import { seededCredentials } from "../../sandbox/index";
import { basic, unknownUuid, useSandbox } from "./requests";

const { organizationId, keyId, keySecret, accessToken } = seededCredentials;

describe("Authentication of the sandbox", () => {
  const client = useSandbox();
  const past = "2020-01-01T00:00:00Z";

  const createKey = async (members: object = {}) => {
    const body = { name: "ci", roles: ["developer"], ...members };
    const { payload } = await client.organization("POST", "/keys", body);
    return { id: payload.key.id, authorization: basic(payload.keyId, payload.keySecret) };
  };
  const listWith = (authorization: string) => client.organization("GET", "/keys", undefined, authorization);
  const statusWith = async (authorization: string) => (await listWith(authorization)).status;

  it("the management API accepts a request with the seeded API key, and answers in its envelope", async () => {
    const { status, body } = await client.organization("GET", "/keys");
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(["status", "requestId", "result"]);
    expect(body.status).to.equal(200);
    expect(body.requestId).to.match(/^[0-9a-f-]{36}$/);
  });

  const refused: readonly [api: ApiName, title: string, authorization: string][] = [
    ["management", "a request without the header Authorization", ""],
    ["management", "a wrong secret", basic(keyId, "x".repeat(40))],
    ["management", "an unknown key id", basic("x".repeat(20), keySecret)],
    ["management", "Basic credentials without a secret", `Basic ${Buffer.from(keyId).toString("base64")}`],
    ["management", "the observability token as Bearer", `Bearer ${accessToken}`],
    ["observability", "a request without the header Authorization", ""],
    ["observability", "an unknown token", "Bearer something"],
    ["observability", "the token in upper case", `Bearer ${accessToken.toUpperCase()}`],
    ["observability", "a lower-case bearer", `bearer ${accessToken}`],
    ["observability", "Basic credentials of the admin key", basic(keyId, keySecret)],
  ];
  for (const [api, title, authorization] of refused)
    it(`the ${api} API refuses ${title} with 401, in its own form`, async () => {
      if (api === "management") {
        const { status, body } = await listWith(authorization);
        expect([status, Object.keys(body)]).to.deep.equal([401, ["status", "error", "requestId"]]);
        expect(body.error).to.match(/^UNAUTHORIZED: /);
      } else {
        const answer = await client.observability("GET", "/alerts", undefined, authorization);
        expect(answer).to.include({ status: 401, text: "Unauthorized", type: "text/plain; charset=utf-8" });
      }
    });

  it("an API key that was created with hashes of its credentials can sign requests", async () => {
    const hashData = {
      keyIdHash: sha256("my-key-id"),
      keyIdSuffix: "y-id",
      keySecretHash: sha256("my-key-secret"),
    };
    const { payload } = await client.organization("POST", "/keys", { roles: ["admin"], hashData });
    expect(payload).to.have.all.keys("key");
    expect(payload.key.keySuffix).to.equal("y-id");
    expect(await statusWith(basic("my-key-id", "my-key-secret"))).to.equal(200);
    expect(await statusWith(basic("my-key-id", "another-secret"))).to.equal(401);
  });

  const from = (...sources: string[]) => ({ ipAccessList: sources.map((source) => ({ source })) });
  const ofKeys: readonly [key: string, members: object, status: number][] = [
    ["that has not expired", { expireAt: "2099-01-01T00:00:00Z", state: "enabled" }, 200],
    ["that is disabled", { state: "disabled" }, 401],
    ["that has expired", { expireAt: past }, 401],
    ["with an access list without the caller's address", from("10.0.0.0/8"), 403],
    ["with an empty access list", from(), 403],
    ["with an access list of IPv6 addresses only", from("::/0"), 403],
    ["with an access list that contains the caller's address", from("10.0.0.0/8", "127.0.0.1"), 200],
    ["with an access list that contains the caller's subnet", from("127.0.0.0/8"), 200],
    ["with the access list 0.0.0.0/0", from("0.0.0.0/0"), 200],
  ];
  for (const [title, members, status] of ofKeys)
    it(`the management API answers ${status} to an API key ${title}`, async () => {
      expect(await statusWith((await createKey(members)).authorization)).to.equal(status);
    });

  it("an API key can sign requests while it is enabled, and no longer after its deletion", async () => {
    const { id, authorization } = await createKey();
    await client.organization("PATCH", `/keys/${id}`, { state: "disabled" });
    expect(await statusWith(authorization)).to.equal(401);
    await client.organization("PATCH", `/keys/${id}`, { state: "enabled" });
    expect(await statusWith(authorization)).to.equal(200);
    await client.organization("DELETE", `/keys/${id}`);
    expect(await statusWith(authorization)).to.equal(401);
  });

  it("every signed request changes usedAt of its API key", async () => {
    const { id, authorization } = await createKey();
    const usedAt = async () => (await client.organization("GET", `/keys/${id}`)).payload.usedAt;
    expect(await usedAt()).to.equal(undefined);
    const before = Date.now();
    await listWith(authorization);
    expect(Date.parse(await usedAt())).to.be.within(before, Date.now());
    Object.assign(client.sandbox.store.keys.get(id) ?? {}, { usedAt: past });
    await listWith(authorization);
    expect(await usedAt()).to.not.equal(past);
  });

  const authorization = basic(keyId, keySecret);
  for (const [what, path, status, error] of [
    ["an unknown organization", `/${unknownUuid}/keys`, 404, "NOT_FOUND: organization not found"],
    ["a malformed id of an organization", "/mine/keys", 400, "BAD_REQUEST: Invalid organization id"],
    ["an unknown service", `/${organizationId}/services/${unknownUuid}`, 404, "NOT_FOUND: service not found"],
    [
      "a malformed id of a service",
      `/${organizationId}/services/mine`,
      400,
      "BAD_REQUEST: Invalid service id",
    ],
  ] as const)
    it(`the management API answers ${status} to a path with ${what}`, async () => {
      const url = `/v1/organizations${path}`;
      const answer = await client.ask("management", "GET", url, undefined, { authorization });
      expect([answer.status, answer.body.status, answer.reason]).to.deep.equal([status, status, error]);
    });
});
