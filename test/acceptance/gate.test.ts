import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { startSandbox } from "../../sandbox/http/sandbox";
import type { Sandbox } from "../../sandbox/index";
import { addOthersObjects } from "../life/sandboxService";
import type { Totals } from "./gate";
import { Ledger } from "./ledger";
import { ordered } from "./realServer";
import type { Target } from "./target";

const prefix = "pipestack-test ";

describe("The gate between an acceptance run and a real server", () => {
  let sandbox: Sandbox;
  let gate: ChildProcess;
  let address: string;
  let folder: string;

  beforeEach(async () => {
    sandbox = await startSandbox({ dialect: "clickhouse", apis: "management" });
    addOthersObjects(sandbox, "clickhouse");
    folder = await mkdtemp(join(tmpdir(), "pipestack-gate-"));
    const { organizationId, serviceId, keyId, keySecret } = sandbox.credentials;
    const target: Target = {
      addresses: { management: sandbox.baseUrl },
      ...{ organizationId, serviceId, key: `${keyId}:${keySecret}` },
      ...{ accessTokens: [], rates: {}, isBilled: false, folder, prefix },
    };
    gate = fork(join(__dirname, "gate.ts"), {
      execArgv: ["--require", "tsx/cjs"],
      env: { ...process.env, PIPESTACK_ACCEPTANCE_TARGET: JSON.stringify(target) },
    });
    const [addresses] = await once(gate, "message");
    address = addresses.management;
  });
  afterEach(async () => {
    gate.kill("SIGKILL");
    await once(gate, "exit");
    await sandbox.close();
    await rm(folder, { recursive: true });
  });

  const place = () => `/v1/organizations/${sandbox.credentials.organizationId}`;
  const service = () => `${place()}/services/${sandbox.credentials.serviceId}`;

  async function send(method: string, path: string, body?: object) {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, answer: text === "" ? undefined : JSON.parse(text) };
  }

  it("lets no write pass to what the run has not created", async () => {
    const [alert] = sandbox.store.alerts.keys();
    const [member] = sandbox.store.members.keys();
    const writes: readonly [string, string, object?][] = [
      ["DELETE", `${service()}/clickstack/alerts/${alert}`],
      ["PUT", `${service()}/clickstack/alerts/${alert}`, { name: "mine" }],
      ["PATCH", service(), { name: "mine" }],
      ["DELETE", service()],
      ["PATCH", `${service()}/replicaScaling`, { numReplicas: 1 }],
      ["POST", `${service()}/serviceQueryEndpoint`, { roles: [] }],
      ["PATCH", place(), { name: "mine" }],
      ["DELETE", `${place()}/members/${member}`],
      ["POST", `${place()}/invitations`, { email: "a@example.com" }],
      ["POST", `${place()}/services`, { name: "mine" }],
      ["POST", `${service().replace(/[^/]+$/, sandbox.credentials.secondServiceId)}/clickstack/webhooks`, {}],
      ["POST", "/v2/unknown", {}],
    ];
    for (const [method, path, body] of writes)
      expect((await send(method, path, body)).status, `${method} ${path}`).to.equal(403);
    expect(sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
    const { refused } = await ordered<Totals>(address, { kind: "end" });
    expect(refused).to.have.length(writes.length);
  });

  it("puts the run's prefix before names of what it creates, unseen by the tests", async () => {
    const { answer } = await send("POST", `${place()}/keys`, { name: "reader" });
    const { id } = answer.result.key;
    expect(sandbox.store.keys.get(id)?.name).to.equal(`${prefix}reader`);
    expect(answer.result.key.name).to.equal("reader");
    expect((await send("GET", `${place()}/keys/${id}`)).answer.result.name).to.equal("reader");
    await send("PATCH", `${place()}/keys/${id}`, { name: "writer" });
    expect(sandbox.store.keys.get(id)?.name).to.equal(`${prefix}writer`);
  });

  it("notes what it creates before and after the request", async () => {
    const { answer } = await send("POST", `${place()}/keys`, { name: "reader" });
    await send("PATCH", `${place()}/keys/${answer.result.key.id}`, { name: "writer" });
    const ledger = await readFile(join(folder, `${prefix.trim()}.jsonl`), "utf8");
    expect(ledger)
      .to.match(/"begins".*\n.*"creates".*\/keys.*\n.*"made".*\/keys/)
      .and.not.to.contain("keySecret");
  });

  it("deletes what it has created when it is told to reset", async () => {
    const { answer } = await send("POST", `${place()}/keys`, { name: "reader" });
    const { id } = answer.result.key;
    expect(sandbox.store.keys.has(id)).to.equal(true);
    await ordered(address, { kind: "reset" });
    expect(sandbox.store.keys.has(id)).to.equal(false);
  });

  it("keeps what a run has created from being deleted by another run on the same account", async () => {
    await send("POST", `${place()}/keys`, { name: "reader" });
    expect(Ledger.leftIn(folder, sandbox.credentials.organizationId)).to.deep.equal([]);
  });

  it("notes no credential, and forgets a run that has left nothing", async () => {
    await send("POST", `${place()}/keys`, { name: "reader" });
    const ledger = await readFile(join(folder, `${prefix.trim()}.jsonl`), "utf8");
    expect(ledger).not.to.contain(sandbox.credentials.keySecret);
    const { left } = await ordered<Totals>(address, { kind: "end" });
    expect(left).to.deep.equal([]);
    await readFile(join(folder, `${prefix.trim()}.jsonl`), "utf8").then(
      () => expect.fail("the ledger is still there"),
      ({ code }) => expect(code).to.equal("ENOENT"),
    );
  });
});
