import type { Account, Run } from "./account";
import { isCollection, kindOf, ofKind } from "./kinds";
import { isSameId, promise, runOf } from "./promise";
import { type Commit, type Data, isStack } from "./store";

/**
 * This module contains promises about objects that others made before a simulated history began: stacks neither replace their
 * values nor delete the objects without a message.
 */

/** Returns true if others made the object before the first step of the simulated history. */
function isOfTheWorld({ store }: Account, { kind, id }: Commit): boolean {
  const creation = store.creationOf(kind, id);
  return creation?.actor === "hand" && creation.step === -1;
}

/** Returns true if a property of an object has had this value since the beginning of the simulated history. */
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

/** A property value that a stack replaced when it took over an object, which its Pulumi state did not contain before. */
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
    // The service clears a webhook's secrets when its address changes, so that the secrets are not sent to the new address.
    const isElsewhere = before.url !== after.url || before.service !== after.service;
    const hidden = kind === "webhooks" && isElsewhere ? ofKind(kind).hidden : [];
    // If the `source` of an alert changes, the alert loses its former search or tile. The provider's warning names only
    // `source`, so the promise does not demand that a message names the search or tile, too.
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

/** Properties of an alert that say what the alert watches. */
const watchedMembers = ["savedSearch", "dashboard", "tileId", "chartConfig"];

const bookkept = ["updatedAt", "createdAt", "state", "id", "keySuffix", "keyIdHash", "keySecretHash"];

/** Returns true if the stack's Pulumi state contained the object already before the change. Then the change is no takeover. */
function wasHeld(account: Account, run: Run, { kind, id, at }: Commit): boolean {
  const isHeldIn = (resources: Run["before"]) =>
    [...resources.values()].some((kept) => kindOf(kept.type) === kind && isSameId(kept.id, id));
  const earlier = account.runs.filter((each) => each.step.actor === run.step.actor && each.endedAt <= at);
  return isHeldIn(run.before) || earlier.some(({ after }) => isHeldIn(after));
}

/**
 * A promise of the provider about other people's alerts on a removed tile: the service deletes them with the tile, and a
 * message names them.
 */
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
      const isTold = (text: string) =>
        text.includes(id) ||
        text.includes("which alerts the service deletes with its tiles") ||
        text.startsWith("cannot tell what still uses dashboards");
      if (isSaid(account, run, isTold)) return [];
      return [{ what: `stack ${actor} made the service delete alert ${id} of others without a word`, step }];
    }),
);

/**
 * Returns true if a message of this Pulumi command, or of an earlier one of the same stack, matches. An earlier command may
 * have warned about a write that the service carried out only now.
 */
function isSaid({ runs }: Account, run: Run, isIt: (message: string) => boolean): boolean {
  const own = runs.slice(0, runs.indexOf(run) + 1).filter(({ step }) => step.actor === run.step.actor);
  return own.some(({ messages }) => messages.some(isIt));
}

export const leavesWhatWasThere = promise(
  "leaves what was there",
  "No destroy deletes a singleton of a service that was there before, unless an import has made it the stack's.",
  [],
  (account) =>
    account.store.commits.flatMap((commit) => {
      const { actor, step, kind, id, after } = commit;
      if (!isStack(actor) || after !== undefined || isCollection(kind) || !isOfTheWorld(account, commit))
        return [];
      const earlier = account.store.commits.some(
        (each) => each.kind === kind && each.id === id && each.after === undefined && each.at < commit.at,
      );
      const isImported = account.runs.some(
        ({ step: { actor: importer }, startedAt, outcome }) =>
          importer === actor &&
          startedAt <= commit.at &&
          outcome.operations.some(({ type, op }) => op === "import" && kindOf(type) === kind),
      );
      return earlier || isImported
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

/** Returns true if a list still has all of the entries, to whose properties others may have been added. */
function hasAll(list: unknown, entries: unknown): boolean {
  if (!Array.isArray(list) || !Array.isArray(entries)) return false;
  return entries.every((entry) => list.some((other) => isSame(entry, other) || hasMembers(other, entry)));
}

function hasMembers(object: unknown, members: unknown): boolean {
  if (typeof object !== "object" || typeof members !== "object" || !object || !members) return false;
  return Object.entries(members as Data).every(([name, member]) => {
    const now = (object as Data)[name];
    return isSame(member, now) || hasAll(now, member) || ownDefaults[name] === member;
  });
}

/** What the service fills in where a tile leaves it out, so that an update which repeats it changes nothing. */
const ownDefaults: Data = { asRatio: false, whereLanguage: "lucene" };

/** Returns a value as text, with sorted lists and properties, and without empty lists and defaults in objects, which mean nothing. */
function inOneOrder(value: unknown): string {
  const sorted = (member: unknown): unknown => {
    if (Array.isArray(member)) return member.map(inOneOrder).sort();
    if (typeof member !== "object" || member === null) return member ?? null;
    const isTelling = ([name, each]: [string, unknown]) =>
      (!Array.isArray(each) || each.length > 0) && ownDefaults[name] !== each;
    const entries = Object.entries(member as Data)
      .filter(isTelling)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
  };
  return JSON.stringify(sorted(value));
}
