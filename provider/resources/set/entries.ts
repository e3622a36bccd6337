import type { Resource } from "../../lifecycle/resource";
import { scopeNames } from "../../lifecycle/scope";
import { declaredIn, recordsIn, type State, trackingOf, withTracking } from "../../lifecycle/state";
import { type Data, isObject, ownMember, pick } from "../../values/data";

/** An entry of a set resource such as `AlertSet`: one object on the service. */
export interface Entry {
  readonly id: string;
  readonly state: State;
  /**
   * Whether the creation failed after the service had created the object. Then the next update writes the object in any case.
   */
  readonly isUnfinished: boolean;
}

export type Entries = ReadonlyMap<string, Entry>;

/**
 * Converts between the Pulumi state of a set and its entries. A set, such as `AlertSet`, has the declared values in one input,
 * and the ids in the output `ids`.
 */
export class EntryForm {
  readonly #places: readonly string[];

  /**
   * @param of the resource type of the set's entries
   * @param member the name of the set's input that holds the declared entries by key
   */
  constructor(
    private readonly of: Resource,
    private readonly member: string,
  ) {
    this.#places = scopeNames(of.scope);
  }

  /** The path of a property of a set's entry, for messages: `alerts["errors"].threshold`. */
  readonly at = (key: string, path = ""): string =>
    `${this.member}[${JSON.stringify(key)}]${/^(\[|$)/.test(path) ? path : `.${path}`}`;

  /**
   * The declared inputs of each entry of a set, in the form of the entry's own resource type. Entries that a preview does not
   * know stay unknown.
   */
  declaredIn(inputs: Data): readonly (readonly [key: string, values: unknown])[] {
    const entries = inputs[this.member];
    const place = pick(inputs, this.#places);
    return isObject(entries)
      ? Object.entries(entries).map(([key, values]) => [
          key,
          isObject(values) ? { ...place, ...values } : values,
        ])
      : [];
  }

  /** The inputs of a set's entry without organization and service, which the set declares once for all entries. */
  withoutPlace(values: Data): Data {
    const members = Object.entries(values).filter(([name]) => !this.#places.includes(name));
    return Object.fromEntries(members);
  }

  /**
   * The entries in the Pulumi state of a set. Earlier versions of the provider may have stored an `adoptId` in an entry. It is
   * dropped, since it has no effect once the object is in the state.
   */
  in(state: State): Entries {
    const { entries = {}, unfinished = [] } = trackingOf(state);
    const declared = new Map(this.declaredIn(state));
    return new Map(
      Object.entries((state.ids ?? {}) as Data).map(([key, id]) => {
        const { adoptId: _, ...values } = (declared.get(key) ?? {}) as Data;
        const records = ownMember(entries, key) as Data | undefined;
        return [
          key,
          { id: String(id), state: { ...records, ...values }, isUnfinished: unfinished.includes(key) },
        ];
      }),
    );
  }

  /**
   * Makes the Pulumi state of a set that has these entries. Declared values are stored only in the input, since the program may
   * keep that input secret.
   */
  stateOf(inputs: Data, entries: Entries): State {
    const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
    const byKey = <Value>(value: (entry: Entry) => Value) =>
      Object.fromEntries(sorted.map(([key, entry]) => [key, value(entry)]));
    const declared = byKey(({ state }) => this.withoutPlace(declaredIn(this.of, state)));
    const records = Object.entries(byKey(({ id, state }) => recordsIn(id, state)));
    const recorded = records.filter(([, values]) => Object.keys(values).length > 0);
    const unfinished = sorted.filter(([, { isUnfinished }]) => isUnfinished).map(([key]) => key);
    return withTracking(
      { ...inputs, [this.member]: declared, ids: byKey(({ id }) => id) },
      {
        ...(recorded.length > 0 && { entries: Object.fromEntries(recorded) }),
        ...(unfinished.length > 0 && { unfinished }),
      },
    );
  }
}
