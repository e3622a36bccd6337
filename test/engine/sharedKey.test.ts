import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../sandbox/index";
import { settingsOf } from "../serviceContents";
import { createWorkspace, type Workspace } from "./workspace";

const stacks = 4;
const programOf = (name: string) => `
const { Alert, ApiKey, Dashboard } = require("pipestack");
const board = new Dashboard("board", {
  name: "${name}", tiles: [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] }],
});
for (const threshold of [1, 2, 3])
  new Alert("alert" + threshold, {
    name: "${name} " + threshold, source: "tile", dashboardId: board.id, tileId: board.tileIds.Errors,
    threshold, thresholdType: "above", interval: "5m",
    channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
  });
new ApiKey("key", { name: "${name}", roles: ["developer"] });
`;

describe("stacks that share a key and its rate limit", () => {
  let sandbox: Sandbox;
  let workspaces: Workspace[] = [];

  before(async () => {
    sandbox = await createSandbox({ rateLimit: { management: { requests: 10, seconds: 1 } } });
    const settings = settingsOf(sandbox);
    workspaces = await Promise.all(
      Array.from({ length: stacks }, (_, index) =>
        createWorkspace({ settings, program: programOf(`board ${index}`) }),
      ),
    );
  });
  after(async () => {
    for (const workspace of workspaces) await workspace.close();
    await sandbox?.close();
  });

  it("are updated at the same time, and each object is made once, although the service refuses some requests", async () => {
    const seededKeys = sandbox.store.keys.size;
    const updates = await Promise.all(workspaces.map((workspace) => workspace.up()));
    for (const { summary } of updates) expect(summary).to.deep.equal({ create: 5 });
    const { alerts, dashboards, keys } = sandbox.store;
    expect([dashboards.size, keys.size - seededKeys]).to.deep.equal([stacks, stacks]);
    const names = [...alerts.values()].map(({ name }) => name);
    expect([names.length, new Set(names).size]).to.deep.equal([3 * stacks, 3 * stacks]);
    expect(sandbox.requests.some(({ status }) => status === 429)).to.equal(true);
  });
});
