import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { expectOneClearError, useFixture } from "./fixture";

// The tests expect that each preview ends: Pulumi's SDK has been seen to drop a rejection that came before the program was
// loaded, and then to wait for ever.
describe("Previews of programs with a wrong argument", () => {
  const fixture = useFixture({ host: "dynamic" });
  const programs: { readonly [title: string]: readonly [message: string, type: string, program: string] } = {
    "of a resource that is given an output without a value": [
      'Alert "none": tileId is given, but without a value',
      "commonjs",
      `const pulumi = require("@pulumi/pulumi");
const { Alert } = require("pipestack");
new Alert("none", {
  source: "tile", dashboardId: "66f0c2d8a1b2c3d4e5f60718", tileId: pulumi.output(undefined),
  threshold: 1, thresholdType: "above", interval: "5m", channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" },
});
`,
    ],
    "of a function, in a program that awaits the value": [
      "pipestack.getSource: serviceId must be a uuid",
      "module",
      `import * as pipestack from "pipestack";
const asked = pipestack.getSourceOutput({ serviceId: "nonsense", name: "Logs" });
export const source = await new Promise((resolve) => asked.apply(resolve));
`,
    ],
    // Many resources of the program depend on one value that fails. If the value were an ordinary rejected promise, the engine
    // would get the error once for each resource, and V8 would search every path to the resources (failedValue.ts).
    "of a function, in a program in which much depends on the value": [
      "pipestack.getSource: serviceId must be a uuid",
      "commonjs",
      `const { Alert, Dashboard, getSourceOutput } = require("pipestack");
const [logs, traces] = ["log", "trace"].map((kind) => getSourceOutput({ serviceId: "nonsense", kind }).id);
const tile = (name, y, sourceId) => ({ name, x: 0, y, w: 12, h: 6, config: { displayType: "line", sourceId, select: [{ aggFn: "count", where: "" }] } });
const dashboard = new Dashboard("overview", { name: "Overview", tiles: [tile("Errors", 0, logs), tile("Slow", 6, traces)] });
new Alert("errors", {
  source: "tile", dashboardId: dashboard.id, tileId: dashboard.tileIds.Errors,
  threshold: 1, thresholdType: "above", interval: "5m", channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" },
});
`,
    ],
  };
  for (const [title, [message, type, program]] of Object.entries(programs)) {
    it(`a preview ends with an error about the wrong argument ${title}`, async () => {
      const manifest = { name: "test", private: true, main: "index.js", type };
      await writeFile(join(fixture.folder, "package.json"), JSON.stringify(manifest));
      await writeFile(join(fixture.folder, "index.js"), program);
      const { output } = await fixture.preview({ expect: "failure" });
      expectOneClearError(output, message);
      expect(fixture.sandbox.requests).to.deep.equal([]);
    });
  }
});
