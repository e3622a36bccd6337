import { testAllResources } from "./allResources";
import { setups } from "./setups";

testAllResources(setups.observability);
