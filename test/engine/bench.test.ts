import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { LifecycleResult } from "../../bench/lifecycle";
import { fasterStarts } from "./workspace";

describe("The benchmark of provider and engine", () => {
  it("the benchmark reports figures of both hosts and of an empty provider", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pipestack-"));
    const json = join(folder, "results.json");
    const main = join(__dirname, "..", "..", "bench", "main.ts");
    const args = ["--only", "lifecycle", "--sizes", "1", "--rounds", "1", "--results", json];
    try {
      const env = { ...process.env, ...(await fasterStarts(process.env, "javascript")) };
      const command = ["--require", "tsx/cjs", main, ...args];
      const { stdout } = await promisify(execFile)(process.execPath, command, { env });
      const lifecycle: LifecycleResult[] = JSON.parse(await readFile(json, "utf8")).lifecycle;
      const requests = lifecycle.map(({ contender, size, operations: { up, refresh, destroy } }) => ({
        [contender]: [size, up?.requests, refresh?.requests, destroy?.requests],
      }));
      // The provider lists the objects of a type once before its first create of that type.
      expect(requests).to.deep.equal([
        { floor: [1, 0, 0, 0] },
        { pipestack: [1, 2, 1, 1] },
        { plugin: [1, 2, 1, 1] },
      ]);
      for (const { operations, stateBytes } of lifecycle) {
        expect(stateBytes).to.be.above(500);
        for (const { seconds, hostMegabytes } of Object.values(operations)) {
          expect(seconds).to.be.above(0);
          expect(hostMegabytes).to.be.above(0);
        }
      }
      expect(stdout).to.match(/^\*\*1 alert, with checkpoints\*\*$/m);
      expect(stdout).to.match(/^\| destroy \| \S+ s; CPU .* \| \S+ s, \S+ ×; CPU/m);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
