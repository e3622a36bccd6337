export { resources as resourceTypes } from "../../resources/registry";
