import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { LifecycleResult } from "../../bench/lifecycle";
import { writeDocument } from "../../bench/report";
import { works } from "../../bench/work";
import { fasterStarts } from "./workspace";

describe("The bench", () => {
  it("the bench takes the figures of its contenders in a small stack, and reports them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pipestack-"));
    const json = join(folder, "results.json");
    const main = join(__dirname, "..", "..", "bench", "main.ts");
    const small = ["--sizes", "0", "--mixed", "2", "--handwritten", "0", "--rounds", "1"];
    const args = ["--only", "lifecycle", ...small, "--results", json];
    try {
      const env = { ...process.env, ...(await fasterStarts(process.env, "javascript")) };
      const command = ["--require", "tsx/cjs", main, ...args];
      const { stdout } = await promisify(execFile)(process.execPath, command, { env });
      const lifecycle: LifecycleResult[] = JSON.parse(await readFile(json, "utf8")).lifecycle;
      const requests = lifecycle.map(({ contender, size, operations: { up, refresh, destroy } }) => ({
        [contender]: [size, up?.requests, refresh?.requests, destroy?.requests],
      }));
      // The scaling stays. Before the first creation of each kind there is one list, and before each write of what is there
      // once one look. Of the scaling, a refresh looks for a list first, which only newer servers have. Before the first
      // deletion of a dashboard there is one list of the alerts that may watch its tiles, and before that of a key one of the
      // query API endpoints that may let it in. An endpoint that is not there yet is
      // confirmed by its service: one list, which this API lacks, and one look.
      expect(requests).to.deep.equal([
        { floor: [5, 0, 0, 0] },
        { pipestack: [5, 12, 6, 6] },
        { plugin: [5, 12, 6, 6] },
      ]);
      for (const { operations, stateBytes } of lifecycle) {
        expect(stateBytes).to.be.above(500);
        for (const { seconds, hostMegabytes } of Object.values(operations)) {
          expect(seconds).to.be.above(0);
          expect(hostMegabytes).to.be.above(0);
        }
      }
      expect(stdout).to.match(/^\*\*5 resources of all types\*\*$/m);
      expect(stdout).to.match(/^\| destroy \| \S+ s; CPU .* \| \S+ s, \S+ ×; CPU/m);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("the bench writes its tables into the places of docs/performance.md, and nothing else", async () => {
    const document = await readFile(join(__dirname, "..", "..", "docs", "performance.md"), "utf8");
    const written = writeDocument(document, { machine: "a machine", lifecycle: [] });
    expect(written).to.include("<!-- bench machine -->\na machine\n<!-- end -->");
    expect(written.replace("\na machine\n", "")).to.equal(
      document.replace(/(<!-- bench machine -->)[^<]*(<!-- end -->)/, "$1$2"),
    );
    const loading = { program: { pipestack: 7 }, host: {} };
    expect(writeDocument(document, { lifecycle: [], loading })).to.match(
      /\| `pipestack` in a program \| – \| 7 ms \|/,
    );
    expect(() => writeDocument("", { lifecycle: [] })).to.throw("no place for the table machine");
  });

  it("a mixed stack declares resources of each kind, as many as requested", () => {
    for (const size of [5, 100, 1000]) {
      const { alerts, dashboards, keys, services } = works.mixed(size);
      expect(Math.min(alerts, dashboards, keys, services)).to.be.above(0);
      expect(alerts + dashboards + keys + 2 * services).to.equal(size);
    }
  });
});
