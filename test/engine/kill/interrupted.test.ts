import { expect } from "chai";
import { testInterruptions } from "./interruption";

// The processes are looked for below /proc.
if (process.platform === "linux") {
  describe("an up of 40 resources ends whole after another one, and leaves only what orphans finds, with", () => {
    testInterruptions(
      ["the CLI interrupted", "the CLI interrupted twice"],
      ({ kind, unfinished, orphans }) => {
        // What runs is waited for and recorded.
        if (kind === "the CLI interrupted")
          expect({ unfinished, orphans }).to.deep.equal({ unfinished: 0, orphans: [] });
      },
    );
  });
}
