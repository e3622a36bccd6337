/**
 * Entry point of the engine's dynamic host, loaded by the constant string in the state of each resource. These names are
 * frozen: state written by the first release calls them for ever.
 */
import { FolderBoard } from "./hosts/board";
import { Claims } from "./hosts/claims";
import { createHost } from "./hosts/dynamic/host";
import { declarable } from "./resources/registry";

// The engine starts its dynamic host with its own address.
const [engineAddress] = process.argv.slice(2);
const board = engineAddress === undefined ? undefined : new FolderBoard(engineAddress);

// The engine requires the module by its names, and nobody imports it.
module.exports = createHost(declarable, undefined, new Claims(board));

// An engine that was killed reads nothing any more. The SDK prints each error that nobody catches, which fails for the same
// reason: without this, a host that is left behind would print for ever, with all of a core and ever more memory.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit(1));
