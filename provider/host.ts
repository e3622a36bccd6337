/**
 * What the engine's dynamic host loads, by the constant string that the state of each resource holds. These names are
 * frozen: state written by the first release calls them for ever.
 */
import { createHost } from "./hosts/dynamic/host";
import { resources } from "./resources/registry";

// The engine requires the module by its names, and nobody imports it.
module.exports = createHost(resources);
