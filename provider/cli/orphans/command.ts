import { counted } from "../../../drawing/format";
import { printable, printableMessage } from "../../api/printable";
import { fromEnvironment, resolveSettings, type SettingSource } from "../../api/settings";
import { stackKey } from "../../hosts/dynamic/settingKeys";
import { Session } from "../../lifecycle/session";
import { nameIn } from "../engine/stack";
import type { OrphanType } from "../shared/typeNames";
import { chooseOrphans, deleteOrphans, inTerminal } from "./deletion";
import { findOrphans, type Orphan } from "./findOrphans";
import { type ListedObject, listObjects, reachableTypes } from "./listObjects";
import { readable, titleOf } from "./report";
import { type Holdings, readStates, type StateOptions, stacksOf } from "./states";

/** Options of `pipestack orphans`. */
export interface OrphansCommandOptions extends StateOptions {
  /** Service (uuid). Default: that of the settings. */
  readonly service?: string;
  /** Organization (uuid). Default: that of the settings. */
  readonly organization?: string;
  /** Types of objects. Default: all that the settings give access to. */
  readonly only?: readonly OrphanType[];
  /** Whether to print JSON instead of a table. */
  readonly json?: boolean;
  /** Whether to delete what was found, after asking. */
  readonly delete?: boolean;
  /** Whether to delete without asking. */
  readonly yes?: boolean;
}

/** Exit code when there are orphans: the one that `pipestack drift` has when there is drift. */
const orphansExitCode = 7;

/** Prints what the service has and no given state holds, deletes it if that is wanted, and sets the exit code. */
export async function reportOrphans(options: OrphansCommandOptions): Promise<void> {
  checkOptions(options);
  const warn = (message: string) => console.error(printableMessage(`warning: ${message}`));
  const session = await openSession(options, warn);
  const types = options.only ?? reachableTypes(session);
  // Before the states: what an update makes and records in the meantime is no orphan.
  const objects = await listObjects(session, types, warn);
  const holdings = await readStates(options);
  const orphans = findOrphans(objects, types, holdings, session);
  for (const message of unfinishedIn(holdings)) warn(message);

  const { organizationId = null, serviceId = null } = session.settings;
  const scope = { organizationId, serviceId, states: holdings.names };
  if (!options.json) console.log(printable(readable(orphans, scope, new Date())));
  const deleted = options.delete
    ? await deleteSome(options, { session, types, objects, holdings, orphans })
    : [];
  if (options.json) {
    const shown = orphans.map((orphan) => ({ ...orphan, deleted: deleted.includes(orphan) }));
    console.log(printable(JSON.stringify({ ...scope, orphans: shown }, null, 2)));
  }
  if (deleted.length < orphans.length) process.exitCode ||= orphansExitCode;
}

function checkOptions({ delete: deletes, yes, json }: OrphansCommandOptions): void {
  if (yes && !deletes) throw new Error("--yes goes with --delete");
  if (!deletes || yes) return;
  if (json)
    throw new Error("--delete asks first, which does not go with --json; add --yes to delete without asking");
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new Error("--delete asks first, and there is no terminal; add --yes to delete without asking");
  }
}

/** The settings are those of the options, of the environment, and of the first stack. */
async function openSession(
  options: OrphansCommandOptions,
  warn: (message: string) => void,
): Promise<Session> {
  const given = { organizationId: options.organization, serviceId: options.service };
  const [first] = stacksOf(options);
  const configuration = await first?.stack.configuration();
  const sources: SettingSource[] = [
    (name) => given[name as keyof typeof given],
    fromEnvironment,
    (name) => configuration?.get(stackKey(name)),
  ];
  return new Session(() => resolveSettings(sources), { warn, info: (message) => console.error(message) });
}

/** What is known of the service and the states when it comes to deleting. */
interface Findings {
  readonly session: Session;
  readonly types: readonly OrphanType[];
  readonly objects: readonly ListedObject[];
  readonly holdings: Holdings;
  readonly orphans: readonly Orphan[];
}

/** Deletes what may be deleted and is to be; returns what is gone. */
async function deleteSome(options: OrphansCommandOptions, found: Findings): Promise<Orphan[]> {
  const { session, types, objects, holdings, orphans } = found;
  const candidates = orphans.filter(({ kept }) => kept === null);
  if (candidates.length === 0) return [];
  refuseUnfinished(holdings);
  if (options.yes && !objects.some(({ type, id }) => holdings.holds(type, id))) {
    throw new Error(
      "nothing is deleted: the given states hold nothing of this service; are they the right ones?",
    );
  }
  const agreed = options.yes
    ? candidates
    : await inTerminal((ask) => chooseOrphans(candidates, objects, ask));
  // While the questions stood there, a program may have taken an object over.
  const now = options.yes ? holdings : await readStates(options);
  refuseUnfinished(now);
  const left = findOrphans(objects, types, now, session).filter(({ kept }) => kept === null);
  const chosen = agreed.filter(({ type, id }) =>
    left.some((other) => other.type === type && other.id === id),
  );
  const deleted = await deleteOrphans(chosen, session, (orphan, reason) => {
    console.error(printableMessage(`error: ${titleOf(orphan)} was not deleted: ${reason}`));
    process.exitCode = 1;
  });
  if (!options.json) console.log(`${counted(deleted.length, "object")} deleted.`);
  return deleted;
}

/** An object without a state may be one that an update is just about to record. */
function refuseUnfinished({ unfinished }: Holdings): void {
  if (unfinished.length === 0) return;
  throw new Error(
    "nothing is deleted while a state has unfinished operations: wait for the update to end; after one that was " +
      'interrupted, run "pulumi cancel" and "pulumi refresh --clear-pending-creates"',
  );
}

function unfinishedIn({ unfinished }: Holdings): string[] {
  return [...new Set(unfinished.map(({ state }) => state))].map((state) => {
    const operations = unfinished.filter((other) => other.state === state);
    const names = operations.map(({ operation, urn }) => `${operation} ${nameIn(urn)}`);
    return `${state} has ${counted(operations.length, "unfinished operation")} (${names.join(", ")}): an orphan may be what it made`;
  });
}
