import { expect } from "chai";
import type { OperationName, SandboxOptions } from "../../sandbox/index";
import { unheld } from "../promises/held";
import { selected } from "../seed";
import { useFixture } from "./fixture";

/** The number of resources in the load test. `LOAD=1000` is the load for which the provider is made. */
const load = Number(process.env.LOAD ?? 300);
const [dashboards, keys] = [Math.round(load * 0.08), Math.round(load * 0.04)];
const alerts = load - dashboards - keys;
const lists = 3;

const program = `
const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
for (let index = 0; index < ${alerts}; index++)
  new Alert("alert" + index, {
    name: "Alert " + index, source: "search", threshold: index, thresholdType: "above", interval: "5m", channel,
  });
for (let index = 0; index < ${dashboards}; index++)
  new Dashboard("dashboard" + index, {
    name: "Dashboard " + index, tiles: [{ name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] }],
  });
for (let index = 0; index < ${keys}; index++)
  new ApiKey("key" + index, { roles: ["developer"] });
`;

/** Turns off the engine's checkpoints, since it would spend most of the time writing its state. */
const environment = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

const kinds = ["500", "reset", "502", "reset-during"] as const;
const operations = ["Alert", "Dashboard", "Key"].flatMap((noun) => [
  `create${noun}`,
  `list${noun}s`,
  `get${noun}`,
  `delete${noun}`,
]) as OperationName[];

const services: { readonly [title: string]: SandboxOptions } = {
  // The rate limit of ClickHouse Cloud, 10 requests in 10 s, in a hundredth of the time.
  "that refuses more than 10 requests in a tenth of a second": {
    rateLimit: {
      management: { requests: 10, seconds: 0.1 },
      observability: { requests: 10, seconds: 0.1 },
    },
  },
  "of which every twentieth answer is an error or is lost": {
    faults: operations.flatMap((operation, at) =>
      kinds.flatMap((kind, index) =>
        // If the answer to the create of an API key is lost, its secret is lost, too, and the create fails and names the key.
        // So the test injects no fault into these creates.
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
};

for (const [title, options] of selected(Object.entries(services), 2)) {
  describe(`${load} resources on a service ${title}`, () => {
    const fixture = useFixture({ sandbox: options, judged: true });

    before(async () => {
      Object.assign(fixture.environment, environment);
      await fixture.write(program);
    });

    const left = () => unheld(fixture.judged.recorder.account());

    it(`one update creates ${load} resources with at most 1.2 requests for each`, async () => {
      const { summary } = await fixture.up({ expect: "any", args: ["--continue-on-error"] });
      // On a slow machine a list may be more than a second older than a create whose answer is lost. Then the provider cannot
      // tell whether it created the object, and a message names the object.
      expect(left().length).to.be.at.most(options.faults ? load / 50 : 0);
      expect(summary).to.deep.equal({ create: load - left().length });
      expect(fixture.sandbox.requests.length).to.be.at.most(1.2 * (load + lists));
    });
  });
}
