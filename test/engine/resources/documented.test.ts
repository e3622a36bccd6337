import { setups } from "../../life/sandboxService";
import { testStack } from "./stack";

const title = "both APIs of the document";
testStack(title, setups[title], "dynamic");
