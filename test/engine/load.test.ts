import { expect } from "chai";
import { createSandbox, type OperationName, type Sandbox, type SandboxOptions } from "../../sandbox/index";
import { settingsOf } from "../serviceContents";
import { createWorkspace, type Workspace } from "./workspace";

/** `LOAD=1000` is the load that the provider is made for. */
const load = Number(process.env.LOAD ?? 300);
const [dashboards, keys] = [Math.round(load * 0.08), Math.round(load * 0.04)];
const counts = { alerts: load - dashboards - keys, dashboards, keys };
const resources = counts.alerts + counts.dashboards + counts.keys;
const lists = Object.keys(counts).length;

const program = `
const pipestack = require("pipestack");
const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
for (let index = 0; index < ${counts.alerts}; index++)
  new pipestack.Alert("alert" + index, {
    name: "Alert " + index, source: "search", threshold: index, thresholdType: "above", interval: "5m", channel,
  });
for (let index = 0; index < ${counts.dashboards}; index++)
  new pipestack.Dashboard("dashboard" + index, {
    name: "Dashboard " + index, tiles: [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] }],
  });
for (let index = 0; index < ${counts.keys}; index++)
  new pipestack.ApiKey("key" + index, { roles: ["developer"] });
`;

/** Without checkpoints: the engine would spend most of the time on writing its state. */
const environment = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

const kinds = ["500", "reset", "502", "reset-during"] as const;
const operations = ["Alert", "Dashboard", "Key"].flatMap((noun) => [
  `create${noun}`,
  `list${noun}s`,
  `get${noun}`,
  `delete${noun}`,
]) as OperationName[];

const services: [string, SandboxOptions][] = [
  [
    // The product's limit of 10 in 10 seconds, with time a hundred times as fast.
    "that refuses more than 10 requests in a tenth of a second",
    {
      rateLimit: {
        management: { requests: 10, seconds: 0.1 },
        observability: { requests: 10, seconds: 0.1 },
      },
    },
  ],
  [
    "of which every twentieth answer is a failure or lost",
    {
      faults: operations.flatMap((operation, at) =>
        kinds.flatMap((kind, index) =>
          // The secret of a key is lost with the answer: that creation fails, and names the key.
          (["before", "after"] as const)
            .filter((when) => operation !== "createKey" || (when === "before" && kind !== "reset-during"))
            .map((when, moment) => ({
              kind,
              operation,
              probability: 0.05 / 8,
              seed: 100 * at + 10 * index + moment,
              ...(kind === "reset-during" ? {} : { when }),
            })),
        ),
      ),
    },
  ],
];

for (const [title, options] of services) {
  describe(`${resources} resources on a service ${title}`, () => {
    let sandbox: Sandbox;
    let workspace: Workspace;
    let seededKeys: number;
    before(async () => {
      sandbox = await createSandbox(options);
      seededKeys = sandbox.store.keys.size;
      workspace = await createWorkspace({ settings: settingsOf(sandbox), program });
      Object.assign(workspace.environment, environment);
    });
    after(async () => {
      await workspace?.close();
      await sandbox?.close();
    });

    /** How many requests were sent since the last time that this was asked. */
    let counted = 0;
    function newRequests(): number {
      const sent = sandbox.requests.length - counted;
      counted = sandbox.requests.length;
      return sent;
    }
    function held() {
      const { alerts, dashboards, keys } = sandbox.store;
      return { alerts: alerts.size, dashboards: dashboards.size, keys: keys.size - seededKeys };
    }

    it("are created by one update or named, none twice, with at most 1.2 times the requests needed", async () => {
      const { code, output, summary } = await workspace.up({ expect: "any", args: ["--continue-on-error"] });
      expect(held()).to.deep.equal(counts);
      expect(newRequests()).to.be.at.most(1.2 * (resources + lists));
      // A slow machine reads the list more than a second before a request whose answer is lost: whose the object is stays in doubt.
      const { alerts, dashboards } = sandbox.store;
      const ids = [...output.matchAll(/delete it: ([0-9a-f]{24})/g)].map(([, id = ""]) => id);
      const names = [...output.matchAll(/if it lists an? \w+ named "([^"]+)"/g)].map(([, name = ""]) => name);
      const described = [...alerts.values(), ...dashboards.values()].filter(({ name }) =>
        names.includes(String(name)),
      );
      const named = new Set([...ids, ...described.map(({ id }) => id)]);
      expect(named.size).to.be.at.most(options.faults ? resources / 50 : 0);
      expect(code).to.equal(named.size > 0 ? 1 : 0);
      expect(summary).to.deep.equal({ create: resources - named.size });
      for (const id of named) expect(dashboards.delete(id) || alerts.delete(id)).to.equal(true);
      if (named.size > 0) await workspace.up();
      newRequests();
      expect(held()).to.deep.equal(counts);
    });

    it("are refreshed by one list of each kind, and have not drifted", async () => {
      const { summary } = await workspace.refresh({ args: ["--expect-no-changes"] });
      expect(summary).to.deep.equal({ same: resources });
      // A list that fails is asked for again.
      expect(newRequests()).to.be.at.most(options.faults ? 2 * lists : lists);
    });

    it("are destroyed, and nothing is left", async () => {
      const { summary } = await workspace.destroy();
      expect(summary).to.deep.equal({ delete: resources });
      expect(held()).to.deep.equal({ alerts: 0, dashboards: 0, keys: 0 });
      expect(newRequests()).to.be.at.most(1.2 * resources);
    });
  });
}
