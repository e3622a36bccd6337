import { setups } from "../../life/sandboxService";
import { testStack } from "./stack";

const title = "the management API of the product";
testStack(title, setups[title], "plugin", ["defaults", "reorder", "seriesAsConfig", "movingState"]);
