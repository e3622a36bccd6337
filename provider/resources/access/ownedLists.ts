import { type Definition, titleOf } from "../../lifecycle/definition";
import type { Context } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import { formerlyDeclaredIn, judgementsIn, type State } from "../../lifecycle/state";
import { equal } from "../../values/compare";
import type { PropertyMap } from "../../values/data";
import { entriesAmong, entriesBeside, entryKey, entryName } from "../../values/entries";
import { schemaAt } from "../../values/schema";
import { firstOf } from "../../values/wording";

type Schemas = Pick<Definition, "inputs" | "outputs">;

/** The lists of which a program owns its own entries. */
export type ListName = "ipAccessList" | "tags";

/** The entries of one list, such as the tags, in an object's inputs, Pulumi state or answer; none if the list is absent. */
export const entriesIn = (object: PropertyMap, name: ListName): readonly PropertyMap[] =>
  Array.isArray(object[name]) ? (object[name] as PropertyMap[]) : [];

/** The entries of one list in an answer. One that a request has added twice, repeated after a lost answer, counts once. */
export function shownEntries(answer: PropertyMap, name: ListName): readonly PropertyMap[] {
  const entries = entriesIn(answer, name);
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry] as const)).values()];
}

/** Whether a program owns the whole list of addresses, so that addresses of other people are drift. */
export const ownsAllAddresses = ({ keepOtherAddresses }: PropertyMap): boolean =>
  keepOtherAddresses === false;

/** The program's entries of one list in an answer, such as its tags; all if it does not declare the list. */
export function ownEntries(
  { inputs }: Pick<Schemas, "inputs">,
  name: ListName,
  answer: PropertyMap,
  declared: PropertyMap,
  former: PropertyMap,
): readonly PropertyMap[] {
  const entries = shownEntries(answer, name);
  if (!(name in declared)) return entries;
  const ours = [...entriesIn(declared, name), ...entriesIn(former, name)];
  return entriesAmong(schemaAt(inputs, name), entries, ours);
}

/** The output that names the addresses of other people; absent as long as nothing tells which ones are the program's. */
export function otherAddressesOf(
  schemas: Pick<Schemas, "inputs">,
  answer: PropertyMap,
  declared: PropertyMap,
  former: PropertyMap,
): PropertyMap {
  if (!("ipAccessList" in answer) || !("ipAccessList" in declared)) return {};
  const ours = ownEntries(schemas, "ipAccessList", answer, declared, former);
  const list = schemaAt(schemas.inputs, "ipAccessList");
  const others = entriesBeside(list, shownEntries(answer, "ipAccessList"), ours);
  return { otherAddresses: ownsAllAddresses(declared) ? [] : others.map(({ source }) => String(source)) };
}

/**
 * The Pulumi state for an update from which on a program owns only its own entries of a list, and no longer the whole list. A
 * refresh may have put entries of other people into the state, so those that the program does not declare are theirs.
 */
export function withOwnEntries(
  resource: Pick<Definition, "noun" | "operations" | "inputs">,
  name: string,
  id: string,
  state: State,
  inputs: PropertyMap,
  session: Session,
): State {
  const list = schemaAt(resource.inputs, name);
  const [declared, former] = [inputs[name], state[name]];
  const isRefreshed = judgementsIn(state).doubted[name] !== undefined;
  if (!isRefreshed || !Array.isArray(declared) || !Array.isArray(former)) return state;
  const left = entriesBeside(list, former, declared);
  if (left.length === 0) return state;
  const names = left.flatMap((value) => entryName({ list, value }) ?? []);
  session.warnOnce(
    `${titleOf(resource, id)} keeps ${firstOf(names, 5)} in ${name}, which the program does not declare: from now on it owns only its own entries. To remove one that was yours, declare it once and take it out again`,
  );
  return { ...state, [name]: entriesAmong(list, former, declared) };
}

/** The same for addresses, from the update on that takes back `keepOtherAddresses: false`. */
export function withOwnAddresses(
  resource: Parameters<typeof withOwnEntries>[0],
  id: string,
  state: State,
  inputs: PropertyMap,
  session: Session,
): State {
  if (!ownsAllAddresses(state) || ownsAllAddresses(inputs)) return state;
  return withOwnEntries(resource, "ipAccessList", id, state, inputs, session);
}

/** How the entries of one list of an object, such as its tags, have to change. */
export interface ListChange {
  /** Declared entries that the object lacks. */
  readonly added: readonly PropertyMap[];
  /** Declared entries that the object has with other values. */
  readonly changed: readonly PropertyMap[];
  /** The same entries as the service shows them. */
  readonly outdated: readonly PropertyMap[];
  /**
   * Entries of the object that the program has declared before, in the form in which the service shows them: it ignores the
   * removal of one in another form.
   */
  readonly removed: readonly PropertyMap[];
  /** Changed entries that somebody else has set. */
  readonly taken: readonly PropertyMap[];
  /** Removed entries that somebody else has set. */
  readonly expelled: readonly PropertyMap[];
}

/**
 * @param desired the members that the object shall have; a list that is absent does not change
 * @param current the object as the API shows it
 * @param state the last known Pulumi state; empty for an object that is being adopted
 */
export function listChange(
  schemas: Schemas,
  name: ListName,
  desired: PropertyMap,
  current: PropertyMap,
  state: State,
  ownsAll: boolean,
): ListChange {
  if (!(name in desired))
    return { added: [], changed: [], outdated: [], removed: [], taken: [], expelled: [] };
  const list = schemaAt(schemas.inputs, name);
  const [now, live] = [entriesIn(desired, name), entriesIn(current, name)];
  const ours = entriesIn(formerlyDeclaredIn(schemas, state), name);
  // A service that has not removed a changed entry may have it twice, with the old and the new values.
  const isOutdated = (entry: PropertyMap) => (other: PropertyMap) =>
    entryKey(list, other) === entryKey(list, entry) && !equal(schemaAt(list, 0), entry, other);
  const changed = now.filter((entry) => live.some(isOutdated(entry)));
  const others = entriesBeside(list, live, now);
  const removed = ownsAll ? others : entriesAmong(list, others, ours);
  return {
    added: entriesBeside(list, now, live),
    changed,
    outdated: entriesAmong(list, live, changed),
    removed,
    taken: entriesBeside(list, changed, ours),
    expelled: entriesBeside(list, removed, ours),
  };
}

/**
 * Reports addresses and tags of other people that a change overwrites or removes.
 *
 * @param title names the object, such as `service 7b0f…`
 * @throws Error if the setting `onConflict` is `fail`
 */
export function reportConflicts(
  ip: ListChange,
  tags: ListChange,
  isNewOwner: boolean,
  title: string,
  { session }: Context,
): void {
  const report = (named: readonly string[], what: string, remedy: string, outcome: string) => {
    if (named.length === 0) return;
    const conflict = `${title}: ${named.join(", ")} ${what}`;
    if (session.settings.onConflict === "fail")
      throw new Error(`${conflict}, and nothing was written; ${remedy}`);
    session.warnOnce(`${conflict}; ${outcome}`);
  };
  report(
    [...ip.taken.map(({ source }) => `address ${source}`), ...tags.taken.map(({ key }) => `tag ${key}`)],
    "was set outside of this program, with another value",
    "take that value out of the program, or out of the service",
    "the update overwrites that value, and this program manages it from now on",
  );
  report(
    isNewOwner ? ip.expelled.map(({ source }) => `address ${source}`) : [],
    "was added outside of this program",
    "declare it, or take it out of the service",
    "the update removes it, since keepOtherAddresses is false",
  );
}
