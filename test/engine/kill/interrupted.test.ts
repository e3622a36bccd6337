import { expect } from "chai";
import { testInterruptions } from "./interruption";

testInterruptions(["the CLI interrupted", "the CLI interrupted twice"], ({ kind, unfinished, orphans }) => {
  // What runs is waited for and recorded.
  if (kind === "the CLI interrupted")
    expect({ unfinished, orphans }).to.deep.equal({ unfinished: 0, orphans: [] });
});
