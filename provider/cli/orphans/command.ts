import { printable } from "../../api/printable";
import { counted } from "../../lifecycle/nouns";
import type { Session } from "../../lifecycle/session";
import type { TypeName } from "../../resources/registry";
import { nameIn } from "../engine/stack";
import { type ExitCode, exitCodes } from "../shared/exitCodes";
import { note, warn } from "../shared/messages";
import { deletableTypes, reachableTypes } from "../shared/resourceTypes";
import { openSession, settingSources } from "../shared/session";
import { chooseOrphans, deleteOrphans, inTerminal } from "./deletion";
import { findOrphans, type Orphan } from "./findOrphans";
import { type Listing, listObjects } from "./listObjects";
import { readable, titleOf } from "./report";
import { type Holdings, readStates, type StateOptions, stacksOf } from "./states";

/** Options of `pipestack orphans`. */
export interface OrphansCommandOptions extends StateOptions {
  /** Service (uuid). Default: that of the settings. */
  readonly service?: string;
  /** Organization (uuid). Default: that of the settings. */
  readonly organization?: string;
  /** Types of objects. Default: all that the settings give access to. */
  readonly only?: readonly TypeName[];
  /** Whether to print JSON instead of a table. */
  readonly json?: boolean;
  /** Whether to delete what was found, after asking. */
  readonly delete?: boolean;
  /** Whether to delete without asking. */
  readonly yes?: boolean;
}

/** Prints what the service has and no given state holds, and deletes it on request. */
export async function reportOrphans(options: OrphansCommandOptions): Promise<ExitCode> {
  checkOptions(options);
  const [first] = stacksOf(options);
  const given = { organizationId: options.organization, serviceId: options.service };
  const session = openSession(given, await settingSources(first?.stack));
  const types = options.only ?? reachableTypes(deletableTypes, session);
  // Before the states: what an update makes and records in the meantime is no orphan.
  const listing = await listObjects(session, types, warn);
  const holdings = await readStates(options);
  const orphans = findOrphans(listing, types, holdings, session);
  for (const message of unfinishedIn(holdings)) warn(message);

  const { organizationId = null, serviceId = null } = session.settings;
  const scope = { organizationId, serviceId, states: holdings.names };
  if (!options.json) console.log(printable(readable(orphans, scope, new Date())));
  const { deleted, failed } = options.delete
    ? await deleteSome(options, { session, types, listing, holdings, orphans })
    : nothingDeleted;
  if (options.json) {
    const shown = orphans.map((orphan) => ({ ...orphan, deleted: deleted.includes(orphan) }));
    console.log(printable(JSON.stringify({ ...scope, orphans: shown }, null, 2)));
  }
  if (failed) return exitCodes.failed;
  return deleted.length < orphans.length ? exitCodes.found : exitCodes.done;
}

function checkOptions({ delete: deletes, yes, json }: OrphansCommandOptions): void {
  if (yes && !deletes) throw new Error("--yes requires --delete");
  if (!deletes || yes) return;
  if (json) throw new Error("--delete cannot ask with --json; add --yes to delete without asking");
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new Error("--delete cannot ask without a terminal; add --yes to delete without asking");
}

/** What is known of the service and the states before anything is deleted. */
interface Findings {
  readonly session: Session;
  readonly types: readonly TypeName[];
  readonly listing: Listing;
  readonly holdings: Holdings;
  readonly orphans: readonly Orphan[];
}

interface Deletion {
  readonly deleted: readonly Orphan[];
  /** Whether any deletion failed. */
  readonly failed: boolean;
}

const nothingDeleted: Deletion = { deleted: [], failed: false };

/** Deletes the orphans that may be deleted and that the user agrees to. */
async function deleteSome(options: OrphansCommandOptions, found: Findings): Promise<Deletion> {
  const { session, types, listing, holdings, orphans } = found;
  const { objects } = listing;
  const candidates = orphans.filter(({ kept }) => kept === null);
  if (candidates.length === 0) return nothingDeleted;
  refuseUnfinished(holdings);
  if (options.yes && !objects.some(({ type, id }) => holdings.holds(type, id))) {
    throw new Error(
      "nothing was deleted: the given states hold no object of this service; check --stack, --cwd and --state",
    );
  }
  const agreed = options.yes
    ? candidates
    : await inTerminal((ask) => chooseOrphans(candidates, objects, ask));
  // A program may have adopted an object while the questions were open.
  const now = options.yes ? holdings : await readStates(options);
  refuseUnfinished(now);
  const left = findOrphans(listing, types, now, session).filter(({ kept }) => kept === null);
  const chosen = agreed.filter(({ type, id }) =>
    left.some((other) => other.type === type && other.id === id),
  );
  let failed = false;
  const deleted = await deleteOrphans(chosen, objects, session, (orphan, reason) => {
    note(`error: ${titleOf(orphan)} was not deleted: ${reason}`);
    failed = true;
  });
  if (!options.json) console.log(`${counted(deleted.length, "object")} deleted.`);
  return { deleted, failed };
}

/** An object that no state holds may be one that a running update is about to record. */
function refuseUnfinished({ unfinished }: Holdings): void {
  if (unfinished.length === 0) return;
  throw new Error(
    "nothing was deleted: a state has unfinished operations. Wait until the update ends; after an interrupted one, " +
      'run "pulumi cancel" and "pulumi refresh --clear-pending-creates"',
  );
}

function unfinishedIn({ unfinished }: Holdings): string[] {
  return [...new Set(unfinished.map(({ state }) => state))].map((state) => {
    const operations = unfinished.filter((other) => other.state === state);
    const names = operations.map(({ operation, urn }) => `${operation} ${nameIn(urn)}`);
    return `${state} has ${counted(operations.length, "unfinished operation")} (${names.join(", ")}), which may have created an orphan`;
  });
}
