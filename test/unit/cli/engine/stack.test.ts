import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { runHere } from "../runHere";

if (process.platform !== "win32")
  describe("a stack of the CLI", () => {
    let folder: string;

    /** Runs a command with a CLI in which these shell commands are the answers to its own. */
    async function run(args: string[], answers: Record<string, string>, variables = {}) {
      const program = join(folder, "pulumi");
      const cases = Object.entries(answers).map(([command, answer]) => `${command}) ${answer} ;;`);
      await writeFile(program, `#!/bin/sh\ncase "$1" in\n${cases.join("\n")}\nesac\n`);
      await chmod(program, 0o755);
      return runHere(args, folder, { PIPESTACK_PULUMI: program, ...variables });
    }

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "pipestack-stack-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it("has no resources before its first update", async () => {
      const answers = { refresh: ":", stack: `echo '{"version":3,"deployment":null}'` };
      expect(await run(["drift"], answers)).to.deep.equal({
        code: 0,
        stdout: "The stack has no pipestack resources.\n",
        stderr: "",
      });
    });

    it("is previewed as one document even if the environment asks for one event on each line", async () => {
      const variable = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW";
      const preview = `test "$${variable}" = true && printf '{}\\n{}\\n' || echo '{"steps":[]}'`;
      const { code, stderr } = await run(["draw", "--json"], { preview }, { [variable]: "true" });
      expect([code, stderr]).to.deep.equal([0, ""]);
    });
  });
