import { once } from "node:events";
import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { expect } from "chai";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../sandbox/index";
import { basic } from "./requests";
import { ask } from "./wire";

describe("sandbox: faults of connections", () => {
  let sandbox: Sandbox;
  const open = async (options?: SandboxOptions) => {
    sandbox = await createSandbox(options);
  };
  afterEach(() => sandbox.close());

  const listKeys = (agent?: Agent | TlsAgent) => {
    const { organizationId, keyId, keySecret } = sandbox.credentials;
    const url = `${sandbox.baseUrl}/v1/organizations/${organizationId}/keys`;
    const headers = { authorization: basic(keyId, keySecret) };
    return ask({ method: "GET", url, headers, agent, ca: sandbox.certificate });
  };
  const listAlerts = () =>
    ask({
      method: "GET",
      url: `${sandbox.obsBaseUrl}/api/v2/alerts`,
      headers: { authorization: `Bearer ${sandbox.credentials.accessToken}` },
      ca: sandbox.certificate,
    });

  describe("refused", () => {
    it("closes the port at once, for as long as it is set", async () => {
      await open();
      const { baseUrl } = sandbox;
      await sandbox.faults.set([{ kind: "refused", operation: "*", api: "management" }]);
      expect(await listKeys()).to.include({ code: "ECONNREFUSED" });
      expect(await listAlerts()).to.include({ status: 200 });
      await sandbox.faults.clear();
      expect(await listKeys()).to.include({ status: 200 });
      expect(sandbox.baseUrl).to.equal(baseUrl);
      expect(sandbox.requests).to.have.length(2);
    });

    it("closes it from the nth request on, also to a client that keeps its connection", async () => {
      await open();
      const agent = new Agent({ keepAlive: true });
      await sandbox.faults.set([{ kind: "refused", operation: "*", nth: 3 }]);
      expect(await listKeys(agent)).to.include({ status: 200 });
      expect(sandbox.faults.list()[0]).to.include({ matched: 1, injected: 0 });
      expect(await listKeys(agent)).to.include({ status: 200 });
      expect(await listKeys(agent)).to.include({ code: "ECONNREFUSED" });
      expect(sandbox.faults.list()[0]).to.include({ matched: 2, injected: 1 });
      expect(await listAlerts()).to.include({ code: "ECONNREFUSED" });
      await sandbox.faults.clear();
      expect(await listKeys(agent)).to.include({ status: 200 });
      agent.destroy();
    });

    it("closes it for the connection of a request that met another fault, too", async () => {
      await open({
        faults: [
          { kind: "refused", operation: "*", nth: 2 },
          { kind: "404-gateway", operation: "listKeys" },
        ],
      });
      const agent = new Agent({ keepAlive: true });
      expect(await listKeys(agent)).to.include({ status: 404 });
      expect(await listKeys(agent)).to.include({ code: "ECONNREFUSED" });
      agent.destroy();
    });

    it("opens it again after its time, once", async () => {
      await open({ faults: [{ kind: "refused", operation: "*", milliseconds: 120 }] });
      const start = performance.now();
      expect(await listKeys()).to.include({ code: "ECONNREFUSED" });
      let outcome = await listKeys();
      while (outcome.code) outcome = await listKeys();
      expect(performance.now() - start).to.be.above(80);
      expect(await listKeys()).to.include({ status: 200 });
      await sandbox.reset();
      expect(await listKeys(), "the count starts again").to.include({ code: "ECONNREFUSED" });
    });

    it("is no obstacle to close", async () => {
      await open({ faults: [{ kind: "refused", operation: "*", milliseconds: 600_000 }] });
      await sandbox.close();
    });

    it("several end when the last of them is cleared", async () => {
      await open();
      const first = await sandbox.faults.add({ kind: "refused", operation: "*" });
      const second = await sandbox.faults.add({ kind: "refused", operation: "*", api: "management" });
      await sandbox.faults.clear(first);
      expect(await listKeys()).to.include({ code: "ECONNREFUSED" });
      expect(await listAlerts()).to.include({ status: 200 });
      await sandbox.faults.clear(second);
      expect(await listKeys()).to.include({ status: 200 });
    });
  });

  describe("with TLS", () => {
    it("the sandbox serves under a certificate that a client can be told to trust", async () => {
      await open({ tls: true });
      expect(sandbox.baseUrl).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
      expect(await listKeys()).to.include({ status: 200 });
      expect(await listAlerts()).to.include({ status: 200 });
      const { keyId, keySecret } = sandbox.credentials;
      const headers = { authorization: basic(keyId, keySecret) };
      const untrusting = await ask({ method: "GET", url: sandbox.baseUrl, headers });
      expect(untrusting.code).to.equal("DEPTH_ZERO_SELF_SIGNED_CERT");
      expect(sandbox.requests).to.have.length(2);
    });

    it("two sandboxes have different certificates, and one without TLS has none", async () => {
      await open({ tls: true });
      const other = await createSandbox({ tls: true });
      expect(other.certificate).to.not.equal(sandbox.certificate);
      await other.close();
      const plain = await createSandbox();
      expect(plain).to.not.have.property("certificate");
      await plain.close();
    });

    it("certificate: the one of another host, from the nth request on, also to a client that keeps its connection and session", async () => {
      await open({ tls: true, faults: [{ kind: "certificate", operation: "*", nth: 2, api: "management" }] });
      const agent = new TlsAgent({ keepAlive: true });
      expect(await listKeys(agent)).to.include({ status: 200 });
      expect(await listKeys(agent)).to.include({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
      expect(await listAlerts()).to.include({ status: 200 });
      await sandbox.faults.clear();
      expect(await listKeys(agent)).to.include({ status: 200 });
      expect(sandbox.requests.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      agent.destroy();
    });

    it("reset: the connection ends without an answer", async () => {
      await open({ tls: true, faults: [{ kind: "reset", operation: "listKeys" }] });
      expect(await listKeys()).to.include({ code: "ECONNRESET" });
    });
  });

  it("a connection stays open where no fault says otherwise", async () => {
    await open({ faults: [{ kind: "409", operation: "listKeys" }] });
    const agent = new Agent({ keepAlive: true });
    expect(await listKeys(agent)).to.include({ status: 409 });
    const [socket] = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    expect(socket?.destroyed).to.equal(false);
    agent.destroy();
    if (socket && !socket.closed) await once(socket, "close");
  });
});
