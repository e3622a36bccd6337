import { testInterruptions } from "./interruption";

// The engine tells the plugin of an interruption, but not the dynamic host.
testInterruptions("plugin", ["the CLI interrupted", "the CLI interrupted twice"]);
