import { hostUnlessTold } from "../pluginHost";
import { testInterruptions } from "./interruption";

testInterruptions(hostUnlessTold("dynamic"), ["the host killed", "the CLI killed"]);
testInterruptions(hostUnlessTold("plugin"), ["the host interrupted"]);
