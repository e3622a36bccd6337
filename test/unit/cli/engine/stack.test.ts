import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { pulumiThatAnswers, runHere } from "../runHere";

if (process.platform !== "win32")
  describe("A stack of the CLI", () => {
    let folder: string;

    const run = async (args: string[], answers: Record<string, string>, variables = {}) =>
      runHere(args, folder, { ...(await pulumiThatAnswers(folder, answers)), ...variables });

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "pipestack-stack-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it("reports no resources before the first update of a stack", async () => {
      const answers = { refresh: ":", stack: `echo '{"version":3,"deployment":null}'` };
      expect(await run(["drift"], answers)).to.deep.equal({
        code: 0,
        stdout: "The stack has no pipestack resources; --stack names another.\n",
        stderr: "",
      });
    });

    it("previews a stack as one document even if the environment asks for one event a line", async () => {
      const variable = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW";
      const preview = `test "$${variable}" = true && printf '{}\\n{}\\n' || echo '{"steps":[]}'`;
      const { code, stderr } = await run(["draw", "--json"], { preview }, { [variable]: "true" });
      expect([code, stderr]).to.deep.equal([0, ""]);
    });
  });
