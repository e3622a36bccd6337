import { isWithoutScope } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { resources, type TypeName } from "../../provider/resources/registry";
import { isSameId } from "../../provider/values/data";
import { printable } from "../../provider/values/printable";
import { counted } from "../../provider/values/wording";
import type { Stack } from "../engine/stack";
import { type ExitCode, exitCodes, note, warn } from "../shared/output";
import { leftoverTypes, openStackSession, reachableTypes, requireSettingsFor } from "../shared/session";
import { withCharts } from "./charts";
import { chooseOrphans, deleteOrphans, inTerminal, isAnswer, usedByNoOther } from "./deletion";
import { findOrphans, type Orphan } from "./findOrphans";
import { type Listing, listByType } from "./listObjects";
import { carryOutRecovery, planRecovery, readableRecovery } from "./recover";
import { orphansReport, titleOf } from "./report";
import { type Holdings, type NamedStack, readStates, type StateOptions, stacksOf } from "./states";

export interface OrphansCommandOptions extends StateOptions {
  readonly service?: string;
  readonly organization?: string;
  readonly only?: readonly TypeName[];
  readonly json?: boolean;
  readonly delete?: boolean;
  readonly recover?: boolean;
  readonly yes?: boolean;
}

/** Runs `pipestack orphans`: prints the objects that are in no given Pulumi state, and deletes or recovers them on request. */
export async function reportOrphans(options: OrphansCommandOptions): Promise<ExitCode> {
  const [first] = stacksOf(options);
  checkOptions(options, first);
  const { session } = await openStackSession(first?.stack, options);
  const types = options.only ?? reachableTypes(leftoverTypes, session);
  requireSettingsFor(types, session);
  const look = async (tell: typeof warn): Promise<Seen> => {
    // Objects are listed before the states are read, so that an object which an update creates meanwhile is no orphan.
    const listed = await listByType(session, types, tell);
    const holdings = await readStates(options);
    return { holdings, listing: await withCharts(listed, holdings, session) };
  };
  const { listing, holdings } = await look(warn);
  const orphans = findOrphans(listing, types, holdings, session);
  for (const message of holdings.unfinished) warn(message);

  const { organizationId = null, serviceId = null } = session.settings;
  const scope = { organizationId, serviceId, states: holdings.names };
  if (!options.json) console.log(printable(orphansReport(orphans, scope, new Date())));
  const again = () => {
    session.lists.forget();
    return look(() => {});
  };
  const findings = { session, types, listing, holdings, orphans, again };
  if (options.recover && first) return recoverSome(options, first.stack, findings);
  const { deleted, failed } = options.delete
    ? await deleteSome(options, findings)
    : { deleted: [], failed: false };
  if (options.json) {
    const rows = orphans.map((orphan) => ({ ...orphan, deleted: deleted.includes(orphan) }));
    console.log(printable(JSON.stringify({ ...scope, orphans: rows }, null, 2)));
  }
  if (failed) return exitCodes.failed;
  return deleted.length < orphans.length ? exitCodes.findings : exitCodes.done;
}

function checkOptions(
  { delete: deletes, recover, yes, json }: OrphansCommandOptions,
  first: NamedStack | undefined,
): void {
  if (recover && !first) throw new Error("--recover requires a stack; name it with --stack or --cwd");
  if (yes && !deletes && !recover) throw new Error("--yes requires --delete or --recover");
  if ((!deletes && !recover) || yes) return;
  const [option, verb] = deletes ? ["--delete", "delete"] : ["--recover", "recover"];
  if (json) throw new Error(`${option} cannot ask with --json; add --yes to ${verb} without asking`);
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new Error(`${option} cannot ask without a terminal; add --yes to ${verb} without asking`);
}

/** What the service has, and what the Pulumi states hold of it. */
interface Seen {
  readonly listing: Listing;
  readonly holdings: Holdings;
}

interface Findings extends Seen {
  readonly session: Session;
  readonly types: readonly TypeName[];
  readonly orphans: readonly Orphan[];
  /** Lists the objects and reads the Pulumi states once more. */
  again(): Promise<Seen>;
}

/** Deletes the orphans that may be deleted and that the user agrees to delete; tells whether any deletion failed. */
async function deleteSome(options: OrphansCommandOptions, findings: Findings) {
  const { session, types, listing, holdings, orphans } = findings;
  const mayGo = ({ kept: reason }: Orphan) => reason === null;
  const candidates = orphans.filter(mayGo);
  if (candidates.length === 0) return { deleted: [], failed: false };
  refuseUnfinished(holdings, "deleted");
  if (options.yes) refuseForeign({ ...findings, orphans: candidates }, "deleted");
  const agreed = options.yes
    ? candidates
    : await inTerminal((ask) => chooseOrphans(candidates, listing.objects, ask));
  // While the user answered the questions, a program may have adopted an orphan, and another object may have begun to use one.
  const now = options.yes || agreed.length === 0 ? findings : await findings.again();
  refuseUnfinished(now.holdings, "deleted");
  const left = findOrphans(now.listing, types, now.holdings, session);
  const stillFree = agreed.filter((orphan) => objectOf(orphan, left)?.kept === null);
  const chosen = usedByNoOther(stillFree, now.listing.objects);
  for (const orphan of agreed.filter((one) => !chosen.includes(one)))
    note(`${titleOf(orphan)} was not deleted: ${reasonToStay(orphan, left, now.listing)}`);
  let failed = false;
  const deleted = await deleteOrphans(chosen, now.listing.objects, session, (orphan, reason) => {
    note(`error: ${titleOf(orphan)} was not deleted: ${reason}`);
    failed = true;
  });
  if (!options.json) console.log(`${counted(deleted.length, "object")} deleted.`);
  return { deleted, failed };
}

/** The entry of a list that is the object of an orphan. */
function objectOf<Entry extends Pick<Orphan, "type" | "id">>(
  { type, id }: Orphan,
  entries: readonly Entry[],
): Entry | undefined {
  return entries.find((entry) => entry.type === type && entry.id === id);
}

/** Why an orphan stays whose deletion was agreed to, from the orphans and the objects of the second look. */
function reasonToStay(orphan: Orphan, left: readonly Orphan[], { objects, unseen }: Listing): string {
  const isLeft = objectOf(orphan, left);
  if (isLeft) return isLeft.kept ?? "an object that stays uses it by now";
  if (objectOf(orphan, objects)) return "a Pulumi state has it by now";
  return unseen.get(orphan.type) ?? "it is gone by now";
}

/** Imports orphans whose content equals resources that the program declares and the Pulumi state lacks. */
async function recoverSome(
  options: OrphansCommandOptions,
  stack: Stack,
  findings: Findings,
): Promise<ExitCode> {
  const { session, holdings, orphans } = findings;
  refuseUnfinished(holdings, "recovered");
  if (orphans.length === 0) return exitCodes.done;
  if (options.yes) refuseForeign(findings, "recovered");
  const recovery = await planRecovery(stack, orphans, session);
  const { imported } = recovery;
  console.log(readableRecovery(recovery));
  if (imported.length === 0) return exitCodes.findings;
  if (!options.yes) {
    const question = `Import ${counted(imported.length, "object")}? [y]es, [n]o (no): `;
    if (!isAnswer(await inTerminal((ask) => ask(question)), "yes")) return exitCodes.findings;
    const now = await readStates(options);
    refuseUnfinished(now, "recovered");
    if (imported.some(({ orphan }) => now.holds(orphan.type, orphan.id, session.settings)))
      throw new Error("nothing was recovered: a Pulumi state has changed meanwhile; run the command again");
  }
  const backup = `state-before-recovery-${new Date().toISOString().replace(/[:.]/g, "-")}.json`;
  await carryOutRecovery(recovery, stack, backup);
  const next =
    recovery.beforeUpdate.length > 0
      ? 'Delete what is named at the beginning, and then run "pulumi up" to complete the rest.'
      : 'Run "pulumi up" to complete the rest.';
  console.log(`${counted(imported.length, "object")} imported. ${next}`);
  return imported.length < orphans.length ? exitCodes.findings : exitCodes.done;
}

/**
 * Refuses to delete or recover unasked if no given Pulumi state has objects of the service in the settings, or names it: the states may
 * belong to another service. For a deletion, keys and the like are no sign of it, since all services share them, unless nothing else is
 * concerned. What is recovered equals what the program declares, and a killed update may have left nothing but a key in the state.
 */
function refuseForeign(
  { session, listing, holdings, orphans }: Findings,
  done: "deleted" | "recovered",
): void {
  type Typed = { readonly type: TypeName };
  const { serviceId } = session.settings;
  const isRecovered = done === "recovered";
  const isNamed =
    (serviceId !== undefined && holdings.holds("Service", serviceId, session.settings)) ||
    holdings.placed.some((resource) => isSameId(resource.serviceId, serviceId));
  const isShared = ({ type }: Typed) => resources[type].scope === "organization";
  const isOnServer = ({ type }: Typed) => isWithoutScope(resources[type].scope, session);
  const held = listing.objects.filter(({ type, id }) => holdings.holds(type, id, session.settings));
  // What is in the cloud says nothing of a server of one's own, and the other way round.
  for (const onServer of [true, false]) {
    const concerned = orphans.filter((orphan) => isOnServer(orphan) === onServer);
    const tells = (object: Typed) =>
      isRecovered || (isOnServer(object) === onServer && (concerned.every(isShared) || !isShared(object)));
    const isTold = (isNamed && (isRecovered || !onServer)) || held.some(tells);
    if (concerned.length > 0 && !isTold)
      throw new Error(
        `nothing was ${done}: the given Pulumi states hold no object of the ${onServer ? "server" : "service"} in the settings; check --stack, --cwd and --state, or run without --yes`,
      );
  }
}

/** Refuses to delete while an operation of an update is unfinished in a Pulumi state: it may be about to record an object. */
function refuseUnfinished({ unfinished }: Holdings, done: string): void {
  if (unfinished.length === 0) return;
  throw new Error(
    `nothing was ${done}: a Pulumi state has unfinished operations. Wait until the update ends; after an interrupted one, run "pulumi cancel" and "pulumi refresh --clear-pending-creates"`,
  );
}
