import { testInterruptions } from "./interruption";

// The plugin hears of it, which the dynamic host does not.
testInterruptions("plugin", ["the CLI interrupted", "the CLI interrupted twice"]);
