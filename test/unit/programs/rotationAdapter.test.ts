import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { adapterOf } from "../../../examples/key-rotation/environment/adapter";
import { createSandbox, type Sandbox } from "../../../sandbox/index";

const [organization, environment, url] = ["acme", "access/pipelines", "https://rotation.example.com/"];

describe("The adapter that rotates the key of pipelines for an environment of secrets", () => {
  let sandbox: Sandbox;
  let pulumiCloud: Server;
  let adapter: Server;
  let pair: Awaited<ReturnType<typeof generateKeyPair>>;
  const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = () => [...sandbox.store.keys.values()];
  const named = () => keys().filter(({ name }) => name === "pipelines");

  before(async () => {
    sandbox = await createSandbox({ dialect: "clickhouse" });
    pair = await generateKeyPair("RS256", { extractable: true });
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: "first", alg: "RS256" };
    pulumiCloud = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
    await once(pulumiCloud.listen(0, "127.0.0.1"), "listening");
    const { keyId, keySecret, organizationId } = sandbox.credentials;
    adapter = adapterOf({
      ...{ url, organization, environment, organizationId, keyName: "pipelines" },
      ...{ jwksUrl: addressOf(pulumiCloud), api: sandbox.baseUrl, first: { keyId, keySecret } },
    });
    await once(adapter.listen(0, "127.0.0.1"), "listening");
  });
  beforeEach(() => sandbox.reset());
  after(async () => {
    for (const server of [adapter, pulumiCloud]) await new Promise((done) => server.close(done));
    await sandbox.close();
  });

  async function rotate(state: object | null, claims: object = {}, { privateKey } = pair, sent?: string) {
    const body = JSON.stringify({ request: {}, state });
    const hash = `sha256-${createHash("sha256").update(body).digest("base64")}`;
    const token = await new SignJWT({
      ...{ aud: url, org: organization, current_env: environment, body_hash: hash },
      ...{ exp: Math.floor(Date.now() / 1000) + 60, ...claims },
    })
      .setProtectedHeader({ alg: "RS256", kid: "first" })
      .sign(privateKey);
    const response = await fetch(addressOf(adapter), {
      ...{ method: "POST", body: sent ?? body, headers: { authorization: `Bearer ${token}` } },
    });
    return { status: response.status, answer: (await response.json()) as { [name: string]: string } };
  }

  const works = async ({ keyId, keySecret }: { [name: string]: string }) => {
    const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
    const address = `${sandbox.baseUrl}/v1/organizations/${sandbox.credentials.organizationId}/keys`;
    return (await fetch(address, { headers: { authorization } })).ok;
  };

  it("a rotation makes a key that works, with the addresses of the key that signs", async () => {
    const [signing] = keys();
    Object.assign(signing ?? {}, { ipAccessList: [{ source: "127.0.0.0/8", description: "runners" }] });
    const { status, answer: first } = await rotate(null);
    expect([status, Object.keys(first)]).to.deep.equal([200, ["id", "keyId", "keySecret", "rotatedAt"]]);
    expect(named()[0]).to.deep.include({ id: first.id, ipAccessList: signing?.ipAccessList });
    expect(await works(first)).to.equal(true);
  });

  it("each rotation keeps the key of the rotation before it, and no earlier one", async () => {
    const [signing] = keys();
    const { answer: first } = await rotate(null);
    sandbox.store.keys.delete(signing?.id ?? "");
    const { answer: second } = await rotate(first);
    expect([await works(first), await works(second)]).to.deep.equal([true, true]);
    const { answer: third } = await rotate(second);
    expect([await works(first), await works(second), await works(third)]).to.deep.equal([false, true, true]);
    expect(named().map(({ id }) => id)).to.have.members([second.id, third.id]);
  });

  it("a rotation deletes a key whose secret a failed one has lost, and no key of others", async () => {
    const { answer: first } = await rotate(null);
    const others = keys().filter(({ name }) => name !== "pipelines");
    await sandbox.faults.set([{ kind: "cut-off", operation: "createKey" }]);
    const { status, answer } = await rotate(first);
    expect([status, answer]).to.deep.equal([500, { error: "the rotation failed" }]);
    expect(named()).to.have.length(2);
    await sandbox.faults.clear();
    const { answer: second } = await rotate(first);
    expect(named().map(({ id }) => id)).to.have.members([first.id, second.id]);
    expect(keys()).to.include.members(others);
  });

  for (const [what, status, claims] of [
    ["for another address", 401, { aud: "https://elsewhere.example.com/" }],
    ["that is too old", 401, { exp: Math.floor(Date.now() / 1000) - 600 }],
    ["of another organization", 403, { org: "mallory" }],
    ["of another environment", 403, { current_env: "access/other" }],
    ["for another body", 400, { body_hash: "sha256-" }],
  ] as const)
    it(`a token ${what} is refused, and nothing is asked of the API`, async () => {
      const before = sandbox.requests.length;
      expect((await rotate(null, claims)).status).to.equal(status);
      expect(sandbox.requests).to.have.length(before);
    });

  it("a token that somebody else has signed, or that goes with another body, is refused", async () => {
    const before = sandbox.requests.length;
    expect((await rotate(null, {}, await generateKeyPair("RS256"))).status).to.equal(401);
    expect((await rotate(null, {}, pair, '{"state":null,"request":{"a":1}}')).status).to.equal(400);
    expect(sandbox.requests).to.have.length(before);
  });

  it("a refusal by the API is answered by its status, without a secret", async () => {
    const { answer: first } = await rotate(null);
    const wrong = { ...first, keySecret: "a-secret-that-is-wrong" };
    const { status, answer } = await rotate(wrong);
    expect([status, answer]).to.deep.equal([502, { error: "GET /keys answered 401" }]);
  });
});
