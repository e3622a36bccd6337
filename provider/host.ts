/**
 * The module that the Pulumi engine's host for dynamic providers loads. The Pulumi state of each resource has a constant string
 * that requires this module. Its exported names are frozen, since state written by the first release uses them for ever.
 */

import { shareLimits } from "./api/privateFolder";
import { createHost } from "./hosts/dynamic/host";
import { withLackingTypes } from "./hosts/dynamic/lackingType";
import { FolderBoard } from "./hosts/ownership/board";
import { Claims } from "./hosts/ownership/claims";
import { declarable } from "./resources/registry";

shareLimits();

// The Pulumi engine passes its own address to its host for dynamic providers.
const [engineAddress] = process.argv.slice(2);
const board = engineAddress === undefined ? undefined : new FolderBoard(engineAddress);

// The Pulumi engine's host for dynamic providers requires this module and uses its exports by name.
module.exports = withLackingTypes(createHost(declarable, undefined, new Claims(board)));

// If the Pulumi engine was killed, nobody reads this process's output any more. Pulumi's SDK prints each uncaught error, and
// printing then fails with another error. Without this handler, a process that is left behind would print for ever, with a
// whole core and ever more memory.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit(1));
