import { createHash } from "node:crypto";
import { expect } from "chai";
import { startSandbox } from "../../sandbox/http/sandbox";
import type { Sandbox } from "../../sandbox/index";
import { addOthersObjects } from "../life/sandboxService";
import { judge } from "../productJudge";
import { Acceptance, nameOf } from "./command";

const open: Sandbox[] = [];
let acceptance: Acceptance;

/** Starts a sandbox that is full of other people's objects, as a stranger's account is. */
async function startAccount(apis: "management" | "observability"): Promise<Sandbox> {
  const sandbox = await startSandbox({ dialect: "clickhouse", apis, stateMilliseconds: 20 }, judge);
  addOthersObjects(sandbox, "clickhouse");
  open.push(sandbox);
  return sandbox;
}

/** Returns a hash of each collection of an account, without what each request changes. */
function hashesOf({ store }: Sandbox): { readonly [collection: string]: string } {
  const collections = Object.entries(store).filter(
    ([name, each]) => each instanceof Map && name !== "activities",
  );
  return Object.fromEntries(
    collections.map(([name, each]) => {
      const text = JSON.stringify([...each.values()], (member, value) =>
        member === "usedAt" ? undefined : value,
      );
      return [name, createHash("sha256").update(text).digest("hex")];
    }),
  );
}

/** Returns the names in an account that begin as those of a run's objects do. */
function namesOfRuns({ store }: Sandbox): string[] {
  const collections = Object.values(store).filter(
    (each): each is Map<string, { name?: unknown }> => each instanceof Map,
  );
  return collections.flatMap((each) =>
    [...each.values()].flatMap(({ name }) => (String(name).startsWith("pipestack-") ? [String(name)] : [])),
  );
}

describe("npm run acceptance", () => {
  before(async () => {
    acceptance = await Acceptance.begin();
  });
  afterEach(async () => {
    for (const sandbox of open.splice(0)) await sandbox.close();
  });
  after(() => acceptance.end());

  it("says which settings it needs, and exits with 2", async () => {
    const { code, output } = await acceptance.start(undefined, []).ended;
    expect(output).to.match(/PIPESTACK_KEY_ID and PIPESTACK_KEY_SECRET.* PIPESTACK_ACCESS_TOKEN/);
    expect(code).to.equal(2);
  });

  it("refuses an organization that is not named twice, before any request", async () => {
    const sandbox = await startAccount("management");
    const name = nameOf(sandbox);
    for (const args of [[], ["--on", name], ["--on", name, "--on-again", "another"]]) {
      const { code, output } = await acceptance.start(sandbox, args).ended;
      expect(output).to.contain(`name it twice: --on ${name} --on-again ${name}`);
      expect(code).to.equal(2);
    }
    expect(sandbox.requests).to.deep.equal([]);
  });

  it("asks before it creates what is billed, and takes no answer for a no", async () => {
    const sandbox = await startAccount("management");
    const { code, output } = await acceptance.run(sandbox, "--billed");
    expect(output).to.match(/services.*billed[\s\S]*Nobody can be asked here: --yes/);
    expect(code).to.equal(2);
    expect(sandbox.requests).to.deep.equal([]);
  });

  it("tries the types of a HyperDX server, and leaves what others have there as it was", async () => {
    const sandbox = await startAccount("observability");
    const before = hashesOf(sandbox);
    const theirs = new Set([...sandbox.store.webhooks.keys(), ...sandbox.store.alerts.keys()]);
    const { code, output } = await acceptance.run(
      sandbox,
      "--types",
      "a webhook|creates an alert|deletes an alert",
    );
    expect(output).to.match(/\| Webhook \| 12 \| 0 \|[\s\S]*\| Alert \| \d \| 0 \|/);
    expect(output)
      .to.contain("No answer differs from the documents.")
      .and.to.match(/\d+ passed, 0 failed\n$/);
    expect(code, output).to.equal(0);
    const written = sandbox.requests.filter(
      ({ method, path }) => method !== "GET" && theirs.has(path.split("/").at(-1) ?? ""),
    );
    expect(written).to.deep.equal([]);
    expect(hashesOf(sandbox)).to.deep.equal(before);
  });

  it("tries the types of ClickHouse Cloud, those of a service on a service of its own", async () => {
    const sandbox = await startAccount("management");
    const before = hashesOf(sandbox);
    const types = "an API key|a scaling schedule|a saved query|creates a service";
    const { code, output } = await acceptance.run(sandbox, "--billed", "--yes", "--types", types);
    for (const type of ["ApiKey", "ServiceScalingSchedule", "SavedQuery", "Service"])
      expect(output).to.match(new RegExp(`\\| ${type} \\| \\d+ \\| 0 \\|`));
    expect(output).to.contain("| Member | | | left out: it is about people");
    expect(code, output).to.equal(0);
    expect(hashesOf(sandbox)).to.deep.equal(before);
  });

  it("deletes what it has created when it is interrupted", async () => {
    const sandbox = await startAccount("observability");
    const before = hashesOf(sandbox);
    const name = nameOf(sandbox);
    const { child, ended } = acceptance.start(sandbox, ["--on", name, "--on-again", name]);
    await somethingIsCreated(sandbox, 12);
    process.kill(-Number(child.pid), "SIGINT");
    const { code, output } = await ended;
    expect(output).to.contain("what the run has created is deleted first");
    expect(code).to.equal(1);
    expect(hashesOf(sandbox)).to.deep.equal(before);
  });

  it("deletes what a killed run has left, also a create whose answer it never got", async () => {
    const sandbox = await startAccount("observability");
    const before = hashesOf(sandbox);
    const name = nameOf(sandbox);
    const { child, ended } = acceptance.start(sandbox, ["--on", name, "--on-again", name]);
    await somethingIsCreated(sandbox, 12);
    process.kill(-Number(child.pid), "SIGKILL");
    await ended;
    const left = namesOfRuns(sandbox);
    expect(left).to.have.length.above(5);
    // As if the process had been killed between the request and its answer: nothing has noted the id.
    const [webhook] = [...sandbox.store.webhooks.values()];
    sandbox.store.webhooks.set("aaaaaaaaaaaaaaaaaaaaabc1", {
      ...structuredClone(webhook as NonNullable<typeof webhook>),
      ...{ id: "aaaaaaaaaaaaaaaaaaaaabc1", name: `${left[0]?.split(" ")[0]} lost` },
    });
    const { code, output } = await acceptance.run(sandbox, "--clean");
    expect(output).to.match(/An earlier run left \d+ objects \(pipestack-\w+\): deleted\./);
    expect(code).to.equal(0);
    expect(namesOfRuns(sandbox)).to.deep.equal([]);
    expect(hashesOf(sandbox)).to.deep.equal(before);
  });
});

/** Waits until the sandbox has answered a number of creates. */
async function somethingIsCreated(sandbox: Sandbox, count: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let created = 0;
    const end = sandbox.watch(({ stage, method }) => {
      if (stage === "answered" && method === "POST" && ++created === count) {
        end();
        resolve();
      }
    });
  });
}
