import { isDeepStrictEqual } from "node:util";
import { mayHaveHappened, PossiblyCreated } from "../../api/errors";
import { createBodyOf } from "../../lifecycle/body";
import { createTrackerOf } from "../../lifecycle/createTracker";
import { decode, isLike } from "../../lifecycle/decode";
import type { Collection, Definition } from "../../lifecycle/definition";
import { declarationOf } from "../../lifecycle/read";
import type { Resource } from "../../lifecycle/resource";
import { contextOf } from "../../lifecycle/scope";
import { day, tolerance } from "../../lifecycle/search";
import type { Session } from "../../lifecycle/session";
import { declaredIn, type EntryDoubt, type State, shownPart, trackingOf } from "../../lifecycle/state";
import { creationTimeOf, graceMilliseconds } from "../../values/age";
import { digest } from "../../values/compare";
import { isSameId, type PropertyMap } from "../../values/data";
import { leftMessage, takenMessage, unclearMessage } from "./doubtMessages";
import type { Doubts, Entries, EntryForm } from "./entries";
import type { Failed, Naming } from "./failures";

/** Milliseconds by which the clocks of the service and of this machine may differ for an object to be in question. */
const longestDifference = 60_000;

export const doubtsIn = (state: State): Doubts => new Map(Object.entries(trackingOf(state).doubts ?? {}));

/**
 * The doubts that the failed creates of an update leave.
 *
 * @param begunAt a time before all of them
 * @param place the inputs that name the organization and service
 */
export function doubtsOf(
  of: Resource,
  failures: readonly Failed[],
  declared: ReadonlyMap<string, PropertyMap>,
  held: Entries,
  begunAt: string,
  place: PropertyMap,
  session: Session,
): Doubts {
  const open = failures.filter(
    ({ key, error }) => error instanceof PossiblyCreated || (!held.has(key) && mayHaveHappened(error)),
  );
  const { unresolved } = trackerOf(of, place, session);
  const doubtOf = (values: PropertyMap): EntryDoubt => {
    const doubt = { at: begunAt, digest: digestOf(of, values) };
    const body = createBodyOf(of, values, session);
    const attempts = [...unresolved].filter(([creation]) => isDeepStrictEqual(creation.body, body));
    const others = attempts[0]?.[1].others?.filter(showsSame(of, doubt.digest, values, session));
    return others ? { ...doubt, others: others.map(({ id }) => String(id)) } : doubt;
  };
  return new Map(open.map(({ key }) => [key, doubtOf(declared.get(key) ?? {})]));
}

const trackerOf = (of: Resource, place: PropertyMap, session: Session) =>
  createTrackerOf(of as Definition & Collection, contextOf(of, place, session));

/** Makes the function that tells whether an object is as a create has sent it, or shows the same to a refresh. */
function showsSame(of: Resource, sent: string, values: PropertyMap | undefined, session: Session) {
  const body = values && digestOf(of, values) === sent ? createBodyOf(of, values, session) : undefined;
  return (object: PropertyMap): boolean => {
    return (body !== undefined && isLike(of, object, body)) || shownDigest(of, object) === sent;
  };
}

/** Milliseconds by which an object is older than a doubt, by clocks that may differ; NaN without a creation time. */
const ageAt = (object: PropertyMap, { at }: EntryDoubt): number =>
  Date.parse(at) - (creationTimeOf(object) ?? Number.NaN);

/**
 * Whether an object may be younger than a doubt. Where no list has told, creation times do; else they only show what was there days
 * ago, and has become equal since.
 */
function mayBeYounger(object: PropertyMap, doubt: EntryDoubt): boolean {
  const longest = doubt.others ? day : longestDifference;
  return !(ageAt(object, doubt) > longest) && !doubt.others?.some((id) => isSameId(id, object.id));
}

/** Whether an object is younger than a doubt for certain: no list before has shown it, or it was made since. */
const isYounger = (object: PropertyMap, doubt: EntryDoubt): boolean =>
  doubt.others !== undefined || ageAt(object, doubt) <= tolerance;

/** The digest of what answers show of an object with the given inputs, whoever fills in defaults. */
function digestOf(of: Resource, inputs: PropertyMap, outputs: PropertyMap = {}): string {
  return digest(of.inputs, declarationOf(of, shownPart(of, declaredIn(of, inputs)), outputs));
}

function shownDigest(of: Resource, object: PropertyMap): string {
  const { inputs, outputs } = decode(of, object);
  return digestOf(of, inputs, outputs);
}

interface Findings {
  /** The object of each entry that was in doubt, by the entry's key. */
  readonly found: ReadonlyMap<string, PropertyMap>;
  /** The ids of the objects that may be that of an entry, by the entry's key, if there are more of them than entries in doubt. */
  readonly unclear: ReadonlyMap<string, readonly string[]>;
  /** The doubts that remain, since lists may still lag. */
  readonly open: Doubts;
}

/**
 * Looks in a list for the objects of entries that earlier updates left in doubt. An object is that of an entry if no resource has it,
 * it was created since, and answers show the same of it; objects that show the same stand for each other.
 *
 * @param held the set's entries, whose objects are known
 * @param declared the inputs of the set's entries that the program declares now, by key
 * @param place the inputs that name the organization and service
 */
async function lookForDoubts(
  of: Resource,
  doubts: Doubts,
  held: Entries,
  declared: ReadonlyMap<string, PropertyMap>,
  place: PropertyMap,
  session: Session,
): Promise<Findings> {
  if (doubts.size === 0) return { found: new Map(), unclear: new Map(), open: doubts };
  const askedAt = Date.now();
  // The creates of the update need this list as well.
  const tracker = trackerOf(of, place, session);
  const objects = await tracker.objectsBefore();
  if (tracker.unlisted) throw tracker.unlisted;
  const own = new Set([...held.values()].map(({ id }) => id.toLowerCase()));
  const free = objects.filter(
    ({ id }) => !own.has(String(id).toLowerCase()) && !session.run.isHeld(of, String(id)),
  );
  const found = new Map<string, PropertyMap>();
  const unclear = new Map<string, readonly string[]>();
  const groups = groupsOf(doubts);
  for (const same of groups) {
    const [[key, doubt]] = same;
    const isSame = showsSame(of, doubt.digest, declared.get(key), session);
    // A service that shows null for what it was sent shows no difference to other entries. One that shows just what another entry has
    // sent is that one's.
    const isOthers = (object: PropertyMap) => {
      const shown = shownDigest(of, object);
      return shown !== doubt.digest && groups.some(([[, other]]) => other.digest === shown);
    };
    const ours = free.filter((object) => mayBeYounger(object, doubt) && isSame(object) && !isOthers(object));
    for (const [index, [each]] of same.entries()) {
      const object = ours[index];
      if (ours.length > same.length || !ours.every((each) => isYounger(each, doubt)))
        unclear.set(
          each,
          ours.map(({ id }) => String(id)),
        );
      else if (object) found.set(each, object);
    }
  }
  const isOpen = ([key, { at }]: [string, EntryDoubt]) =>
    unclear.has(key) || (!found.has(key) && askedAt - Date.parse(at) < graceMilliseconds);
  return { found, unclear, open: new Map([...doubts].filter(isOpen)) };
}

/**
 * Takes the objects of entries that earlier updates left in doubt into a set. A warning names those whose entries have left the
 * program, which ends the doubt, or have got other objects meanwhile.
 *
 * @returns the set's entries, and the doubts that remain
 */
export async function settleDoubts(
  of: Resource,
  form: EntryForm,
  state: State,
  inputs: PropertyMap,
  naming: Naming,
  session: Session,
): Promise<{ readonly before: Entries; readonly open: Doubts }> {
  const before = new Map(form.in(state));
  const declared = new Map(form.declaredIn(inputs) as (readonly [string, PropertyMap])[]);
  const doubts = doubtsIn(state);
  const { found, unclear, open } = await lookForDoubts(of, doubts, before, declared, inputs, session);
  const left = new Map(open);
  for (const [key, ids] of unclear) {
    session.warnOnce(unclearMessage(key, ids, naming));
    if (!declared.has(key)) left.delete(key);
  }
  for (const [key, object] of found) {
    const values = declared.get(key);
    const doubt = doubts.get(key);
    const id = String(object.id);
    // Another set, whose create had sent the same, may have taken the object since the list.
    if (session.run.isHeld(of, id)) continue;
    const isWanted = values !== undefined && !before.has(key);
    if (isWanted) session.run.noteCreated(of, id);
    const read = isWanted && (await of.read(id, values, session));
    if (typeof read === "object") {
      before.set(key, { id, state: read.state, isUnfinished: false });
      session.inform(takenMessage(key, object, naming));
    } else {
      session.warnOnce(leftMessage(key, object, naming));
      if (doubt && values) left.set(key, doubt);
    }
  }
  return { before, open: left };
}

type Group = readonly [readonly [key: string, doubt: EntryDoubt], ...(readonly [string, EntryDoubt])[]];

/** The doubts about objects of which answers show the same. */
function groupsOf(doubts: Doubts): readonly Group[] {
  const groups = new Map<string, [[string, EntryDoubt], ...[string, EntryDoubt][]]>();
  for (const entry of doubts) {
    const group = groups.get(entry[1].digest);
    if (group) group.push(entry);
    else groups.set(entry[1].digest, [entry]);
  }
  return [...groups.values()];
}
