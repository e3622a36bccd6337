import { expect } from "chai";
import { testInterruptions } from "./interruption";

// The plugin hears of it, which the dynamic host does not.
testInterruptions(
  "plugin",
  ["the CLI interrupted", "the CLI interrupted twice"],
  ({ kind, unfinished, orphans }) => {
    // What is being created is waited for and recorded.
    if (kind === "the CLI interrupted")
      expect({ unfinished, orphans }).to.deep.equal({ unfinished: 0, orphans: [] });
  },
);
