import { formerlyDeclaredIn, type State } from "../../lifecycle/state";
import { equal } from "../../values/compare";
import type { PropertyMap } from "../../values/data";
import { entriesAmong, entriesBeside, entryKey } from "../../values/entries";
import { schemaAt } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import { serviceInputs, serviceOutputs } from "./serviceInputs";

/** The lists of a service of which a program owns its own entries. */
export type ListName = "ipAccessList" | "tags";

export const listSchema = (name: ListName): TSchema => schemaAt(serviceInputs, name);

/** The entries of one list, such as the tags, in a service's inputs, Pulumi state or answer; none if the list is absent. */
export const entriesIn = (object: PropertyMap, name: ListName): readonly PropertyMap[] =>
  Array.isArray(object[name]) ? (object[name] as PropertyMap[]) : [];

/** Whether a program owns the whole list of addresses, so that addresses of other people are drift. */
export const ownsAllAddresses = ({ keepOtherAddresses }: PropertyMap): boolean =>
  keepOtherAddresses === false;

/** How the entries of one list of a service, such as its tags, have to change. */
export interface ListChange {
  /** Declared entries that the service lacks. */
  readonly added: readonly PropertyMap[];
  /** Declared entries that the service has with other values. */
  readonly changed: readonly PropertyMap[];
  /** The same entries as the service shows them. */
  readonly outdated: readonly PropertyMap[];
  /**
   * Entries of the service that the program has declared before, in the form in which the service shows them: it ignores the
   * removal of one in another form.
   */
  readonly removed: readonly PropertyMap[];
  /** Changed entries that somebody else has set. */
  readonly taken: readonly PropertyMap[];
  /** Removed entries that somebody else has set. */
  readonly expelled: readonly PropertyMap[];
}

/**
 * @param desired the members that the service shall have; a list that is absent does not change
 * @param current the service as the API shows it
 * @param state the last known Pulumi state; empty for a service that is being adopted
 */
export function listChange(
  name: ListName,
  desired: PropertyMap,
  current: PropertyMap,
  state: State,
  ownsAll: boolean,
): ListChange {
  if (!(name in desired))
    return { added: [], changed: [], outdated: [], removed: [], taken: [], expelled: [] };
  const list = listSchema(name);
  const [now, live] = [entriesIn(desired, name), entriesIn(current, name)];
  const ours = entriesIn(formerlyDeclaredIn({ inputs: serviceInputs, outputs: serviceOutputs }, state), name);
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
