import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { expectOneClearError, useFixture } from "./fixture";

const wrong = 'pipestack.getPipesOutput({ serviceId: "nonsense" })';

// The SDK has been seen to drop a rejection that came before it had loaded the program: a preview then never ended.
describe("A wrong argument of a function ends a preview with its error, in a program", () => {
  const fixture = useFixture({ host: "dynamic" });
  const programs: { readonly [kind: string]: readonly [type: string, program: string] } = {
    "of CommonJS": ["commonjs", `exports.pipes = require("pipestack").${wrong.replace("pipestack.", "")};\n`],
    "of ES modules": ["module", `import * as pipestack from "pipestack";\nexport const pipes = ${wrong};\n`],
    "that awaits the value": [
      "module",
      `import * as pipestack from "pipestack";
export const pipes = await new Promise((resolve) => ${wrong}.apply(resolve));\n`,
    ],
  };
  for (const [kind, [type, program]] of Object.entries(programs)) {
    it(kind, async () => {
      const manifest = { name: "test", private: true, main: "index.js", type };
      await writeFile(join(fixture.folder, "package.json"), JSON.stringify(manifest));
      await writeFile(join(fixture.folder, "index.js"), program);
      const { output } = await fixture.preview({ expect: "failure" });
      expectOneClearError(output, "pipestack.getPipes: serviceId must be a uuid");
      expect(fixture.sandbox.requests).to.deep.equal([]);
    });
  }

  // A rejection would reach the engine once more for each resource, and V8 would follow every path to them (failedValue.ts).
  it("on whose value much depends", async () => {
    const program = `const { Alert, Dashboard, getSourceOutput } = require("pipestack");
const [logs, traces] = ["log", "trace"].map((kind) => getSourceOutput({ serviceId: "nonsense", kind }).id);
const tile = (name, y, sourceId) => ({ name, x: 0, y, w: 12, h: 6, config: { displayType: "line", sourceId, select: [{ aggFn: "count", where: "" }] } });
const dashboard = new Dashboard("overview", { name: "Overview", tiles: [tile("Errors", 0, logs), tile("Slow", 6, traces)] });
new Alert("errors", {
  source: "tile", dashboardId: dashboard.id, tileId: dashboard.tileIds.Errors,
  threshold: 1, thresholdType: "above", interval: "5m", channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" },
});
`;
    await writeFile(
      join(fixture.folder, "package.json"),
      JSON.stringify({ name: "test", private: true, main: "index.js", type: "commonjs" }),
    );
    await writeFile(join(fixture.folder, "index.js"), program);
    const { output } = await fixture.preview({ expect: "failure" });
    expectOneClearError(output, "pipestack.getSource: serviceId must be a uuid");
    expect(fixture.sandbox.requests).to.deep.equal([]);
  });
});
