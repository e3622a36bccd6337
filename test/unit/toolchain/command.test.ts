import { expect } from "chai";
import { command } from "../../../toolchain/command.mjs";
import { failureOf } from "../api/failure";

const node = (script: string, options = {}) => command(process.execPath, ["-e", script], options);

describe("Commands that the toolchain runs", () => {
  it("a command of the toolchain returns its exit code, and its stdout and stderr unchanged", async () => {
    const script = `process.stdout.write("one\\n", () => process.stderr.write("two\\n", () => process.exit(3)));`;
    const { output, ...result } = await node(script);
    expect(result).to.deep.equal({ code: 3, stdout: "one\n", stderr: "two\n" });
    expect(output.split("\n")).to.have.members(["one", "two"]);
  });

  it("the failure of a command names the signal that ended its program", async () => {
    const started = (child: { kill(signal: string): void }) => child.kill("SIGKILL");
    expect(await node("setInterval(() => {}, 1000)", { started })).to.include({
      code: null,
      output: "ended by SIGKILL",
    });
  });

  it("a command of the toolchain fails after its time limit, and the error has the output so far", async () => {
    const late = node(`console.log("so far"); setInterval(() => {}, 1000);`, { timeoutSeconds: 2 });
    const { message } = await failureOf(late);
    expect(message).to.match(/ took longer than 2 s\nso far$/);
  });
});
