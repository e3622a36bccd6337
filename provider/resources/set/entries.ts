import type { Resource } from "../../lifecycle/resource";
import { scopeNames } from "../../lifecycle/scope";
import {
  declaredIn,
  type EntryDoubt,
  recordsIn,
  type State,
  trackingOf,
  withTracking,
} from "../../lifecycle/state";
import { isObject, ownMember, type PropertyMap, pick } from "../../values/data";

/** An entry of a set resource such as `AlertSet`: one object on the service. */
export interface Entry {
  readonly id: string;
  readonly state: State;
  /** Whether the creation failed after the service had created the object, so that the next update writes it in any case. */
  readonly isUnfinished: boolean;
}

/** The entries of a set whose creates lost their answers, by key, while no list has shown their objects. */
export type Doubts = ReadonlyMap<string, EntryDoubt>;

export type Entries = ReadonlyMap<string, Entry>;

/**
 * Converts between the entries of a set and its Pulumi state, which has the declared values in one input and
 * the ids of the objects in the output `ids`.
 */
export class EntryForm {
  readonly #places: readonly string[];

  constructor(
    private readonly of: Resource,
    readonly member: string,
  ) {
    this.#places = scopeNames(of.scope);
  }

  /** The path of a property of an entry in a set, for messages: `alerts["errors"].threshold`. */
  readonly at = (key: string, path = ""): string =>
    `${this.member}[${JSON.stringify(key)}]${/^(\[|$)/.test(path) ? path : `.${path}`}`;

  /**
   * The declared inputs of each entry in a set, as the entry's own resource type takes them. Entries that a
   * preview does not know stay unknown.
   */
  declaredIn(inputs: PropertyMap): readonly (readonly [key: string, values: unknown])[] {
    const entries = inputs[this.member];
    const place = pick(inputs, this.#places);
    return isObject(entries)
      ? Object.entries(entries).map(([key, values]) => [
          key,
          isObject(values) ? { ...place, ...values } : values,
        ])
      : [];
  }

  /**
   * The inputs of an entry in a set, without organization and service, which the set declares once for all
   * entries.
   */
  withoutPlace(values: PropertyMap): PropertyMap {
    const members = Object.entries(values).filter(([name]) => !this.#places.includes(name));
    return Object.fromEntries(members);
  }

  /**
   * The Pulumi state of a set after an update that failed. It names no service that the former one does not name: entries on a server
   * without services are not in the one to which the settings lead now.
   */
  inPlaceOf(former: State, now: State): State {
    return { ...this.withoutPlace(now), ...pick(former, this.#places) };
  }

  /**
   * The entries in the Pulumi state of a set. An `adoptId`, which earlier versions stored, is dropped, since
   * it has no effect.
   */
  in(state: State): Entries {
    const { entries = {}, unfinished = [] } = trackingOf(state);
    const declared = new Map(this.declaredIn(state));
    return new Map(
      Object.entries((state.ids ?? {}) as PropertyMap).map(([key, id]) => {
        const { adoptId: _, ...values } = (declared.get(key) ?? {}) as PropertyMap;
        const records = ownMember(entries, key) as PropertyMap | undefined;
        return [
          key,
          { id: String(id), state: { ...records, ...values }, isUnfinished: unfinished.includes(key) },
        ];
      }),
    );
  }

  /**
   * Puts each `adoptId` that an earlier version stored back into the state that a refresh has made: it is missing only because
   * {@link in} drops it, and would show as drift. The next update of the set drops it for good.
   */
  withFormerAdoptions(now: State, former: State): State {
    const before = new Map(this.declaredIn(former));
    const entries = Object.entries((now[this.member] ?? {}) as PropertyMap).map(([key, values]) => [
      key,
      { ...(values as PropertyMap), ...pick((before.get(key) ?? {}) as PropertyMap, ["adoptId"]) },
    ]);
    return { ...now, [this.member]: Object.fromEntries(entries) };
  }

  /**
   * Makes the Pulumi state of a set. Declared values are only in the input, since the program may keep that
   * input secret.
   */
  stateOf(inputs: PropertyMap, entries: Entries, doubts: Doubts): State {
    const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
    const byKey = <Value>(value: (entry: Entry) => Value) =>
      Object.fromEntries(sorted.map(([key, entry]) => [key, value(entry)]));
    const declared = byKey(({ state }) => this.withoutPlace(declaredIn(this.of, state)));
    const records = Object.entries(byKey(({ id, state }) => recordsIn(id, state)));
    const recorded = records.filter(([, values]) => Object.keys(values).length > 0);
    const unfinished = sorted.filter(([, { isUnfinished }]) => isUnfinished).map(([key]) => key);
    return withTracking(
      { ...inputs, [this.member]: declared, ids: byKey(({ id }) => id) },
      { entries: Object.fromEntries(recorded), unfinished, doubts: Object.fromEntries(doubts) },
    );
  }
}
