import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../sandbox/src";
import { type ObjectStore, startObjectStore } from "../../toolchain/objectStore.mjs";
import { settingsOf } from "../serviceContents";
import { createWorkspace, type Workspace } from "./workspace";

const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
const programOf = (name: string) => `
const { Alert, ApiKey, Dashboard } = require("pipestack");
const board = new Dashboard("board", {
  name: ${JSON.stringify(name)}, tiles: [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] }],
});
for (const threshold of [1, 2, 3])
  new Alert("alert" + threshold, {
    name: ${JSON.stringify(name)} + threshold, source: "tile", dashboardId: board.id, tileId: board.tileIds.Errors,
    threshold, thresholdType: "above", interval: "5m", channel: ${JSON.stringify(channel)},
  });
new ApiKey("key", { name: ${JSON.stringify(name)}, roles: ["developer"] });
`;
const resources = 5;

describe("state in an object store", () => {
  let store: ObjectStore;
  let sandbox: Sandbox;
  let seededKeys: number;
  const workspaces: Workspace[] = [];

  before(async () => {
    store = await startObjectStore();
  });
  after(async () => {
    await store?.close();
  });

  async function start(options: Parameters<typeof createSandbox>[0], names: readonly string[]) {
    sandbox = await createSandbox(options);
    seededKeys = sandbox.store.keys.size;
    for (const name of names) {
      const workspace = await createWorkspace({
        projectFile: `name: ${name}\nruntime: nodejs\n`,
        settings: settingsOf(sandbox),
        objectStore: store,
        program: programOf(name),
      });
      workspaces.push(workspace);
    }
  }
  afterEach(async () => {
    for (const workspace of workspaces.splice(0)) await workspace.close();
    await sandbox.close();
  });

  const held = () => {
    const { alerts, dashboards, keys } = sandbox.store;
    return { alerts: alerts.size, dashboards: dashboards.size, keys: keys.size - seededKeys };
  };

  it("is locked while an update runs: a second one is refused, and nothing is doubled or lost", async () => {
    await start({}, ["board"]);
    const [workspace] = workspaces as [Workspace];
    let second: ReturnType<Workspace["run"]> | undefined;
    const unwatch = sandbox.watch(async ({ stage, method, path }) => {
      if (stage !== "received" || method !== "POST" || !path.endsWith("/dashboards")) return;
      unwatch();
      // The first update waits here, in the middle of its work, for all that the second one does.
      second = workspace.run(["up", "--yes", "--skip-preview"], { expect: "failure" });
      await second;
    });
    const { summary } = await workspace.up();
    expect((await second)?.output).to.match(/the stack is currently locked by 1 lock/);
    expect(summary).to.deep.equal({ create: resources });
    expect(held()).to.deep.equal({ alerts: 3, dashboards: 1, keys: 1 });
    await workspace.preview({ args: ["--refresh", "--expect-no-changes"] });
    await workspace.destroy();
    expect(held()).to.deep.equal({ alerts: 0, dashboards: 0, keys: 0 });
  });

  it("holds ten stacks that are updated at once with one key, whose rate limit they share", async () => {
    const names = Array.from({ length: 10 }, (_, index) => `board${index}`);
    await start({ rateLimit: { management: { requests: 10, seconds: 1 } } }, names);
    const updates = await Promise.all(workspaces.map((workspace) => workspace.up()));
    for (const { summary } of updates) expect(summary).to.deep.equal({ create: resources });
    expect(held()).to.deep.equal({ alerts: 30, dashboards: 10, keys: 10 });
    expect(new Set([...sandbox.store.alerts.values()].map(({ name }) => name)).size).to.equal(30);
    expect(sandbox.requests.some(({ status }) => status === 429)).to.equal(true);
  });
});
