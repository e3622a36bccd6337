import { testInterruptions } from "./interruption";

// Only the plugin is tested with this interruption, since the engine does not tell the dynamic host of one.
testInterruptions("plugin", ["the CLI interrupted", "the CLI interrupted twice"]);
