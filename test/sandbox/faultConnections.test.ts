import { once } from "node:events";
import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { expect } from "chai";
import { createSandbox, type Fault, type Sandbox, seededCredentials } from "../../sandbox/index";
import { basic } from "./requests";
import { ask } from "./wire";

const { organizationId, keyId, keySecret, accessToken } = seededCredentials;
const reached = { status: 200 };
const refused = { code: "ECONNREFUSED" };

describe("Faults of the sandbox that refuse or break connections", () => {
  let sandbox: Sandbox;
  let agents: (Agent | TlsAgent)[] = [];
  const open = async (faults: Fault[] = [], tls = false) => {
    sandbox = await createSandbox({ faults, tls });
  };
  /** Registers an HTTP agent that keeps connections, so that it is destroyed after the test. */
  const keeping = <Kind extends Agent | TlsAgent>(agent: Kind): Kind => {
    agents.push(agent);
    return agent;
  };
  afterEach(async () => {
    for (const agent of agents) agent.destroy();
    agents = [];
    await sandbox.close();
  });

  const get = (url: string, authorization: string, agent?: Agent | TlsAgent) =>
    ask({ method: "GET", url, headers: { authorization }, agent, ca: sandbox.certificate });
  const listKeys = (agent?: Agent | TlsAgent) =>
    get(`${sandbox.baseUrl}/v1/organizations/${organizationId}/keys`, basic(keyId, keySecret), agent);
  const listAlerts = () => get(`${sandbox.obsBaseUrl}/api/v2/alerts`, `Bearer ${accessToken}`);
  const firstCounts = () => sandbox.faults.list()[0];

  it("a fault of kind refused closes the port of its API until the fault is cleared", async () => {
    await open();
    const { baseUrl } = sandbox;
    await sandbox.faults.set([{ kind: "refused", operation: "*", api: "management" }]);
    expect(await listKeys()).to.include(refused);
    expect(await listAlerts()).to.include(reached);
    await sandbox.faults.clear();
    expect(await listKeys()).to.include(reached);
    expect(sandbox.baseUrl).to.equal(baseUrl);
    expect(sandbox.requests).to.have.length(2);
  });

  it("a fault of kind refused with nth: 3 refuses the third request, even on a kept connection", async () => {
    await open([{ kind: "refused", operation: "*", nth: 3 }]);
    const agent = keeping(new Agent({ keepAlive: true }));
    expect(await listKeys(agent)).to.include(reached);
    expect(firstCounts()).to.include({ matched: 1, injected: 0 });
    expect(await listKeys(agent)).to.include(reached);
    expect(await listKeys(agent)).to.include(refused);
    expect(firstCounts()).to.include({ matched: 2, injected: 1 });
    expect(await listAlerts()).to.include(refused);
    await sandbox.faults.clear();
    expect(await listKeys(agent)).to.include(reached);
  });

  it("a fault of kind refused ends after its property milliseconds", async () => {
    // The fault refuses connections for 300 ms, which begin while the sandbox opens. Opening takes long on a busy machine, so
    // the test measures the time from before the opening.
    const start = performance.now();
    await open([{ kind: "refused", operation: "*", milliseconds: 300 }]);
    expect(await listKeys()).to.include(refused);
    while ((await listKeys()).code);
    expect(performance.now() - start).to.be.above(290);
    expect(await listKeys()).to.include(reached);
  });

  it("a fault of kind refused that has ended begins again after a reset of the sandbox", async () => {
    await open([{ kind: "refused", operation: "*", milliseconds: 300 }]);
    while ((await listKeys()).code);
    expect(await listKeys()).to.include(reached);
    await sandbox.reset();
    expect(await listKeys()).to.include(refused);
  });

  it("a sandbox can be closed while a fault of kind refused keeps its port closed", async () => {
    await open([{ kind: "refused", operation: "*", milliseconds: 600_000 }]);
    await sandbox.close();
  });

  it("the sandbox's port opens again when the last of several faults of kind refused is cleared", async () => {
    await open();
    const first = await sandbox.faults.add({ kind: "refused", operation: "*" });
    const second = await sandbox.faults.add({ kind: "refused", operation: "*", api: "management" });
    await sandbox.faults.clear(first);
    expect(await listKeys()).to.include(refused);
    expect(await listAlerts()).to.include(reached);
    await sandbox.faults.clear(second);
    expect(await listKeys()).to.include(reached);
  });

  it("a sandbox with TLS has its own certificate, which a client can be told to trust", async () => {
    await open([], true);
    expect(sandbox.baseUrl).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await listKeys()).to.include(reached);
    expect(await listAlerts()).to.include(reached);
    const untrusting = await ask({ method: "GET", url: sandbox.baseUrl, headers: {} });
    expect(untrusting.code).to.equal("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(sandbox.requests).to.have.length(2);
    const [other, plain] = [await createSandbox({ tls: true }), await createSandbox()];
    await Promise.all([other.close(), plain.close()]);
    expect(other.certificate).to.not.equal(sandbox.certificate);
    expect(plain).to.not.have.property("certificate");
  });

  it("a fault of kind certificate sends another host's certificate, even to a kept connection", async () => {
    await open([{ kind: "certificate", operation: "*", nth: 2, api: "management" }], true);
    const agent = keeping(new TlsAgent({ keepAlive: true }));
    expect(await listKeys(agent)).to.include(reached);
    expect(await listKeys(agent)).to.include({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    expect(await listAlerts()).to.include(reached);
    await sandbox.faults.clear();
    expect(await listKeys(agent)).to.include(reached);
    expect(sandbox.requests.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
  });

  it("a fault of kind reset ends a TLS connection without an answer", async () => {
    await open([{ kind: "reset", operation: "listKeys" }], true);
    expect(await listKeys()).to.include({ code: "ECONNRESET" });
  });

  it("a fault that only changes an answer leaves the connection open", async () => {
    await open([{ kind: "409", operation: "listKeys" }]);
    const agent = keeping(new Agent({ keepAlive: true }));
    expect(await listKeys(agent)).to.include({ status: 409 });
    const [socket] = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    expect(socket?.destroyed).to.equal(false);
    agent.destroy();
    if (socket && !socket.closed) await once(socket, "close");
  });
});
