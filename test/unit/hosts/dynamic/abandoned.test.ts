import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "chai";

const host = join(__dirname, "..", "..", "..", "..", "dist", "provider", "host.js");

describe("The process of the dynamic host", () => {
  it("the dynamic host ends when nobody reads its output any more", async () => {
    // Pulumi's SDK prints errors that nobody has caught, and so does the test's program. A print that fails is such an error,
    // so the process could go on printing for ever.
    const program = `require(${JSON.stringify(host)});
      process.on("uncaughtException", (error) => console.error(error.stack));
      process.stdin.once("data", () => setInterval(() => console.error("warning"), 1));
      console.log("ready");`;
    const child = spawn(process.execPath, ["-e", program], { stdio: "pipe" });
    try {
      await once(child.stdout, "data");
      child.stderr.destroy();
      child.stdin.write("print");
      const [code] = await once(child, "exit", { signal: AbortSignal.timeout(15_000) });
      expect(code).to.equal(1);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
