import { testInterruptions } from "./interruption";

// Only the plugin is tested: the engine tells it of an interruption, but does not tell the dynamic host.
testInterruptions("plugin", ["the CLI interrupted", "the CLI interrupted twice"]);
