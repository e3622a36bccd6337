import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { builtBin, node } from "../../pipestackCommand";
import { pulumiThatAnswers, runHere } from "./runHere";

describe("The command pipestack", () => {
  it("every help text explains the exit codes and the sources of settings", async () => {
    for (const args of [["--help"], ["help", "drift"], ["orphans", "--help"]]) {
      const { code, stdout } = await runHere(args, tmpdir());
      expect(code).to.equal(0);
      expect(stdout).to.include(
        "Exit codes: 0 success, 7 something found (drift, orphans, mistakes), 1 error.",
      );
      expect(stdout).to.match(/Settings come from options, then from PIPESTACK_… .*variables, then/);
    }
  });

  it("the resource plugin's program contains the command pipestack, for people without npm", async () => {
    const plugin = join(__dirname, "..", "..", "..", "dist", "plugin.js");
    for (const [args, expected] of [
      [["doctor", "--help"], /^Usage: pipestack doctor/],
      [["--version"], /^\d+\.\d+\.\d+$/m],
      [["drfit"], /did you mean drift/i],
    ] as const) {
      const { stdout, stderr } = await node([plugin, ...args], tmpdir());
      expect(stdout + stderr).to.match(expected);
    }
  });

  it("pipestack exits with 1 if its output does not fit on the disk", async function () {
    if (!existsSync("/dev/full")) this.skip();
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [...builtBin, "--help"], { stdio: ["ignore", full, "pipe"] });
    const stderr = text(child.stderr as Readable);
    const [code] = await once(child, "close");
    closeSync(full);
    expect(await stderr).to.match(/^error: the output could not be written: .*ENOSPC/);
    expect(code).to.equal(1);
  });
});

if (process.platform !== "win32")
  describe("Access to a stack through the Pulumi CLI", () => {
    let folder: string;

    const run = async (args: string[], answers: Record<string, string>, variables = {}) =>
      runHere(args, folder, { ...(await pulumiThatAnswers(folder, answers)), ...variables });

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "pipestack-stack-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it("a stack before its first update has no resources", async () => {
      const answers = { refresh: ":", stack: `echo '{"version":3,"deployment":null}'` };
      expect(await run(["drift"], answers)).to.deep.equal({
        code: 0,
        stdout: "The stack has no pipestack resources; --stack names another.\n",
        stderr: "",
      });
    });

    it("pipestack draw reads a preview although the environment asks the CLI to stream it", async () => {
      const variable = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW";
      const preview = `test "$${variable}" = true && printf '{}\\n{}\\n' || echo '{"steps":[]}'`;
      const { code, stderr } = await run(["draw", "--json"], { preview }, { [variable]: "true" });
      expect([code, stderr]).to.deep.equal([0, ""]);
    });
  });
