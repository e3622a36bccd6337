import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { expect } from "chai";

const program = join(__dirname, "..", "..", "..", "..", "provider", "plugin.ts");

describe("The process of the plugin", () => {
  it("ends with the CLI that has started it, however that ends", async () => {
    // Stands in for the CLI: starts the plugin, waits for its port, and is gone.
    const cli = `const plugin = require("node:child_process").spawn(process.execPath, ["--require", "tsx/cjs", ${JSON.stringify(program)}]);
      plugin.stdout.once("data", (port) => { console.log(plugin.pid, Number(port)); process.kill(process.pid, "SIGKILL"); });`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", cli]).catch((ended) => ended);
    const [pid, port] = stdout.split(" ").map(Number);
    expect(port).to.be.above(0);
    while (isRunning(pid)) await setTimeout(50);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
