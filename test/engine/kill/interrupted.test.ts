import { testInterruptions } from "./interruption";

// Only the plugin is tested with an interrupted CLI, since the engine does not tell the dynamic host of an interruption.
testInterruptions("plugin", ["the CLI interrupted", "the CLI interrupted twice"]);
