import type { Account, Run } from "./account";
import { isCollection, kindOf, ofKind } from "./kinds";
import { isSameId, promise, runOf } from "./promise";
import { type Commit, type Data, isStack } from "./store";

/**
 * Promises about what others had made before the history began: stacks replace or delete none of it without a message.
 */

/** Whether a record was there before the first step. */
function isOfTheWorld({ store }: Account, { kind, id }: Commit): boolean {
  const creation = store.creationOf(kind, id);
  return creation?.actor === "hand" && creation.step === -1;
}

/** Whether a member has had this value since the beginning. */
function isUntouched({ store }: Account, { kind, id, at }: Commit, member: string, value: unknown): boolean {
  return store.commits
    .filter((each) => each.kind === kind && isSameId(each.id, id) && each.at < at)
    .every(({ after }) => isSame(after?.[member], value));
}

export const namesWhatItTakesOver = promise(
  "names what it takes over",
  "A resource that takes over an object names what it replaces of what others have set.",
  [],
  (account) =>
    takenOver(account)
      .filter(({ run, id, member }) => {
        return !isSaid(account, run, (text) => text.includes(id) && text.includes(member));
      })
      .map(({ what, step }) => ({ what: `${what} without a word`, step })),
);

export const stopsBeforeItTakesOver = promise(
  "stops before it takes over",
  "With onConflict fail nothing replaces what others have set in an object that a resource takes over.",
  ["onConflict"],
  (account) => (account.onConflict === "fail" ? takenOver(account) : []),
);

/** A member whose value a stack replaces, of an object that its state did not have before. */
interface TakenOver {
  readonly what: string;
  readonly step: number;
  readonly run: Run;
  readonly id: string;
  readonly member: string;
}

function takenOver(account: Account): TakenOver[] {
  return account.store.commits.flatMap((commit) => {
    const { actor, step, kind, id, before, after, isCascade } = commit;
    if (!isStack(actor) || !before || !after || isCascade || kind === "services") return [];
    const run = runOf(account, commit);
    if (!run || !isOfTheWorld(account, commit) || wasHeld(account, run, commit)) return [];
    // The service clears values that it would otherwise send to another address.
    const isElsewhere = before.url !== after.url || before.service !== after.service;
    const hidden = kind === "webhooks" && isElsewhere ? ofKind(kind).hidden : [];
    // An alert with another source no longer watches its former search or tile; the message names its source.
    const watched = kind === "alerts" && before.source !== after.source ? watchedMembers : [];
    const cleared = [...(hidden ?? []), ...watched];
    return Object.keys(before)
      .filter((member) => !cleared.includes(member))
      .filter((member) => !bookkept.includes(member) && isSet(before[member]))
      .filter((member) => !isSame(before[member], after[member]) && !hasAll(after[member], before[member]))
      .filter((member) => isUntouched(account, commit, member, before[member]))
      .map((member) => ({
        what: `stack ${actor} took over ${kind} ${id} and replaced its ${member}, ${JSON.stringify(before[member])}`,
        ...{ step, run, id, member },
      }));
  });
}

/** Members of an alert that say what it watches. */
const watchedMembers = ["savedSearch", "dashboard", "tileId", "chartConfig"];

/** Members that the service changes by itself. */
const bookkept = ["updatedAt", "createdAt", "state", "id", "keySuffix", "keyIdHash", "keySecretHash"];

/** Whether the state had the object before the change, so that this is no takeover. */
function wasHeld(account: Account, run: Run, { kind, id, at }: Commit): boolean {
  const isHeldIn = (resources: Run["before"]) =>
    [...resources.values()].some((kept) => kindOf(kept.type) === kind && isSameId(kept.id, id));
  const earlier = account.runs.filter((each) => each.step.actor === run.step.actor && each.endedAt <= at);
  return isHeldIn(run.before) || earlier.some(({ after }) => isHeldIn(after));
}

/** The service deletes the alerts of a tile along with the tile. */
export const namesWhatGoesAlong = promise(
  "names the alerts that go with tiles",
  "An update that makes the service delete an alert of somebody else names it.",
  [],
  (account) =>
    account.store.commits.flatMap((commit) => {
      const { actor, step, kind, id, after, isCascade } = commit;
      if (!isStack(actor) || kind !== "alerts" || after !== undefined || !isCascade) return [];
      const run = runOf(account, commit);
      if (!run || !isOfTheWorld(account, commit) || wasHeld(account, run, commit)) return [];
      const isTold = (text: string) => text.includes(id) || text.includes("which alerts go with its tiles");
      if (isSaid(account, run, isTold)) return [];
      return [{ what: `stack ${actor} made the service delete alert ${id} of others without a word`, step }];
    }),
);

/** Whether a message of the run, or of an earlier one whose write was not carried out, says so. */
function isSaid({ runs }: Account, run: Run, isIt: (message: string) => boolean): boolean {
  const own = runs.slice(0, runs.indexOf(run) + 1).filter(({ step }) => step.actor === run.step.actor);
  return own.some(({ messages }) => messages.some(isIt));
}

/** A singleton belongs to those who created it. */
export const leavesWhatWasThere = promise(
  "leaves what was there",
  "No destroy deletes a singleton of a service that was there before.",
  [],
  (account) =>
    account.store.commits.flatMap((commit) => {
      const { actor, step, kind, id, after } = commit;
      if (!isStack(actor) || after !== undefined || isCollection(kind) || !isOfTheWorld(account, commit))
        return [];
      const earlier = account.store.commits.some(
        (each) => each.kind === kind && each.id === id && each.after === undefined && each.at < commit.at,
      );
      return earlier
        ? []
        : [{ what: `stack ${actor} deleted ${kind} of ${id}, which others have made`, step }];
    }),
);

function isSet(value: unknown): boolean {
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return value !== null && value !== undefined && value !== "" && !isEmpty;
}

function isSame(one: unknown, other: unknown): boolean {
  return inOneOrder(one) === inOneOrder(other);
}

/** Whether a list still has all entries of another list. */
function hasAll(list: unknown, entries: unknown): boolean {
  if (!Array.isArray(list) || !Array.isArray(entries)) return false;
  return entries.every((entry) => list.some((other) => isSame(entry, other)));
}

/** A value as text. The order of lists does not matter, and values that the service adds are not judged. */
function inOneOrder(value: unknown): string {
  const sorted = (member: unknown): unknown => {
    if (Array.isArray(member)) return member.map(inOneOrder).sort();
    if (typeof member !== "object" || member === null) return member ?? null;
    const entries = Object.entries(member as Data).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
  };
  return JSON.stringify(sorted(value));
}
