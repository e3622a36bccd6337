/**
 * Entry point of the engine's dynamic host, loaded by the constant string in the state of each resource. These names are
 * frozen: state written by the first release calls them for ever.
 */
import { FolderBoard } from "./hosts/board";
import { Claims } from "./hosts/claims";
import { createHost } from "./hosts/dynamic/host";
import { declarable } from "./resources/registry";

// The engine passes its own address to its dynamic host.
const [engineAddress] = process.argv.slice(2);
const board = engineAddress === undefined ? undefined : new FolderBoard(engineAddress);

// The dynamic host requires this module and uses its members by name.
module.exports = createHost(declarable, undefined, new Claims(board));

// If the engine was killed, nobody reads the output any more. Pulumi's SDK prints each uncaught error, which then fails
// again: without this handler, a host that is left behind would print for ever, with a whole core and ever more memory.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit(1));
