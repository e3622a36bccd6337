import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { expectOneClearError, useFixture } from "./fixture";

const wrong = 'pipestack.getPipesOutput({ serviceId: "nonsense" })';

// The SDK has been seen to drop a rejection that came before it had loaded the program: a preview then never ended.
describe("A wrong argument of a function ends a preview with its error, in a program", () => {
  const fixture = useFixture();
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
});
