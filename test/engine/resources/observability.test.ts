import { setups } from "../../life/sandboxService";
import { testStack } from "./stack";

const title = "an observability server of the product";
testStack(title, setups[title], "dynamic", ["defaults", "reorder", "seriesAsConfig", "movingState"]);
