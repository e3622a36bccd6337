import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { LifecycleResult } from "../../bench/lifecycle";
import { works } from "../../bench/work";
import { fasterStarts } from "./workspace";

describe("npm run bench", () => {
  it("takes the figures of its contenders, and reports which goals are met", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pipestack-"));
    const json = join(folder, "results.json");
    const main = join(__dirname, "..", "..", "bench", "main.ts");
    const small = ["--sizes", "0", "--mixed", "2", "--handwritten", "0"];
    const args = ["--quick", "--only", "lifecycle", ...small, "--results", json];
    try {
      const env = { ...process.env, ...(await fasterStarts(process.env, "javascript")) };
      const command = ["--require", "tsx/cjs", main, ...args];
      const { stdout } = await promisify(execFile)(process.execPath, command, { env });
      const lifecycle: LifecycleResult[] = JSON.parse(await readFile(json, "utf8")).lifecycle;
      const requests = lifecycle.map(({ contender, size, operations }) => ({
        [contender]: [
          size,
          operations.up?.requests,
          operations.refresh?.requests,
          operations.destroy?.requests,
        ],
      }));
      // The scaling stays. Before the first creation of each kind there is one list, and before each write of what is there
      // once one look. Of the scaling, a refresh looks for a list first, which only newer servers have. Before the first
      // deletion of a dashboard there is one list of the alerts that may watch its tiles. An endpoint that is not there yet is
      // confirmed by its service: one list, which this API lacks, and one look.
      expect(requests).to.deep.equal([
        { floor: [5, 0, 0, 0] },
        { pipestack: [5, 12, 6, 5] },
        { plugin: [5, 12, 6, 5] },
      ]);
      for (const { contender, operations, state } of lifecycle) {
        for (const { seconds, hostMegabytes } of Object.values(operations)) {
          expect(seconds).to.be.above(0);
          expect(hostMegabytes).to.be.above(0);
        }
        expect(state.resource).to.be.above(state.inputsAndOutputs);
        if (contender === "plugin") expect(state.provider).to.equal(0);
        else expect(state.provider).to.be.above(0);
      }
      expect(stdout).to.match(
        /^\| state of one of 5 resources of all types: .* \| (met|\*\*not met\*\*) \|$/m,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("has some of each kind in a mixed stack, and as many as it was asked for", () => {
    for (const size of [5, 100, 1000]) {
      const { alerts, dashboards, keys, services } = works.mixed(size);
      expect(Math.min(alerts, dashboards, keys, services)).to.be.above(0);
      expect(alerts + dashboards + keys + 2 * services).to.equal(size);
    }
  });
});
