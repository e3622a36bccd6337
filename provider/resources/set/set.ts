import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { check } from "../../lifecycle/check";
import type { Definition } from "../../lifecycle/definition";
import { diff } from "../../lifecycle/diff";
import type { Checked, Created } from "../../lifecycle/life";
import { type Resource, UpdatedIncompletely } from "../../lifecycle/resource";
import type { Session } from "../../lifecycle/session";
import { declaredIn, type State } from "../../lifecycle/state";
import type { Change } from "../../values/compare";
import { isObject, type PropertyMap } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import { containsUnknown, isUnknown, unknown } from "../../values/unknown";
import { doubtsIn } from "./doubts";
import { type Entry, EntryForm } from "./entries";
import { EntryWrites } from "./entryWrites";
import { entryFailures, grouped } from "./rules";

/** Defines a set resource such as `AlertSet`, which keeps many objects of one resource type, each under a key. */
interface SetDefinition extends Pick<Definition, "type" | "noun" | "inputs" | "outputs"> {
  /** The resource type of the set's entries: `Alert` for `AlertSet`. */
  readonly of: Resource;
  /** The set's input that has the entries by key, such as `alerts` of `AlertSet`. */
  readonly member: string;
  /**
   * Whether an update may replace the object of an entry in a set. A preview then does not know the object's
   * id.
   */
  isRemade(state: State, inputs: PropertyMap): boolean;
}

/**
 * Makes the resource type of a set. The entries' own resource type checks and writes them, all at the same
 * time.
 */
export function setOf(definition: SetDefinition): Resource {
  const { of, inputs } = definition;
  const set = new EntrySet(definition);
  return {
    ...set.shell,
    inputs,
    entries: { of, declaredIn: (values) => set.entriesDeclaredIn(values) },
    check(olds, news, session) {
      session.run.hasProgram = true;
      return set.check(olds, news, session);
    },
    diff: (id, state, values, session) => set.diff(id, state, values, session),
    plan: (state, values) => set.plan(state, values),
    create: (values, session) => set.create(values, session),
    read: (_id, state, session) => set.read(state, session),
    update: (id, state, values, session) => set.update(id, state, values, session),
    delete: (id, state, session) => set.delete(id, state, session),
  };
}

class EntrySet {
  readonly #of: Resource;
  readonly #member: string;
  readonly #form: EntryForm;
  readonly #isRemade: SetDefinition["isRemade"];
  /**
   * The definition of a set, with a schema that accepts any entry, since the resource type of the entries
   * checks each of them.
   */
  readonly shell: Definition;
  readonly #withoutEntries: Definition;
  readonly #writes: EntryWrites;

  constructor({ of, member, isRemade, ...definition }: SetDefinition) {
    const { scope, operations } = of;
    const { [member]: _entries, ...setProperties } = definition.inputs.properties;
    const withInputs = (properties: object): Definition => ({
      ...{ ...definition, scope, operations },
      inputs: Type.Object(properties as typeof setProperties, { additionalProperties: false }),
    });
    this.#of = of;
    this.#isRemade = isRemade;
    this.#member = member;
    this.#form = new EntryForm(of, member);
    this.#writes = new EntryWrites(definition.type, of, this.#form);
    this.shell = withInputs({ ...setProperties, [member]: Type.Record(Type.String(), Type.Object({})) });
    this.#withoutEntries = withInputs(setProperties);
  }

  entriesDeclaredIn(inputs: PropertyMap): { key: string; inputs: PropertyMap }[] {
    const declared = this.#form.declaredIn(inputs);
    return declared.flatMap(([key, values]) => (isObject(values) ? [{ key, inputs: values }] : []));
  }

  async check(olds: PropertyMap, news: PropertyMap, session: Session): Promise<Checked> {
    const { at } = this.#form;
    const { inputs, failures: invalid, warnings } = check(this.shell, olds, news, session);
    const declared = this.#form.declaredIn(inputs);
    const failures = [...invalid, ...entryFailures(declared, at)];
    if (failures.length > 0) return { inputs, failures, warnings };
    const former = new Map(this.#form.declaredIn(olds));
    const checked = await Promise.all(
      declared.map(async ([key, values]) => {
        if (!isObject(values)) return { key, inputs: values, failures: [], warnings: [] };
        const before = former.get(key);
        const result = await this.#of.check(isObject(before) ? before : {}, values, session);
        return { ...result, key, inputs: this.#form.withoutPlace(result.inputs) };
      }),
    );
    const entryProblems = checked.flatMap((entry) =>
      entry.failures.map((problem) =>
        problem.path === "" ? problem : { ...problem, path: at(entry.key, problem.path) },
      ),
    );
    // Each entry of a set reports invalid provider settings as a failure, so equal failures are reported
    // once.
    const distinct = new Map(
      entryProblems.map((problem) => [JSON.stringify([problem.path, problem.message]), problem]),
    );
    if (distinct.size === 0 && Object.keys(olds).length === 0 && !session.isOffline)
      await this.#warnOfDuplicates(inputs, session);
    const entryInputs = Object.fromEntries(checked.map((entry) => [entry.key, entry.inputs]));
    return {
      inputs: isUnknown(inputs[this.#member]) ? inputs : { ...inputs, [this.#member]: entryInputs },
      failures: [...distinct.values()],
      warnings: [...warnings, ...grouped(checked, at)],
    };
  }

  async diff(id: string, state: State, inputs: PropertyMap, session: Session): Promise<Change[]> {
    const entries = this.#form.in(state);
    this.#writes.hold(id, entries, session);
    const setChanges = await diff(this.#withoutEntries, id, state, inputs, session);
    if (setChanges.some(({ replaces }) => replaces)) return setChanges;
    if (isUnknown(inputs[this.#member]))
      return [...setChanges, { path: this.#member, kind: "update", replaces: false }];
    const changed = this.#form.declaredIn(inputs).map(([key, values]) => {
      return this.#entryChanges(key, entries.get(key), values, session);
    });
    const removed = this.#writes
      .leaving(inputs, new Map<string, unknown>([...doubtsIn(state), ...entries]))
      .map(([key]): Change => ({ path: this.#form.at(key), kind: "delete", replaces: false }));
    return [...setChanges, ...(await Promise.all(changed)).flat(), ...removed];
  }

  plan(state: State | undefined, inputs: PropertyMap): PropertyMap {
    if (isUnknown(inputs[this.#member])) return { ...inputs, ids: unknown };
    const entries = this.#form.in(state ?? {});
    const ids = this.#form.declaredIn(inputs).map(([key, values]) => {
      const entry = entries.get(key);
      const isKnown = entry && !(isObject(values) && this.#isRemade(entry.state, values));
      return [key, isKnown ? entry.id : unknown];
    });
    return { ...inputs, ids: Object.fromEntries(ids) };
  }

  async create(inputs: PropertyMap, session: Session): Promise<Created> {
    const id = randomUUID();
    const { state, isKept, failure } = await this.#writes.apply(id, {}, inputs, session);
    if (failure === undefined) return { id, state };
    if (!isKept) throw new Error(failure);
    return { id, state, failure: new Error(failure) };
  }

  async read(state: State, session: Session): Promise<{ inputs: PropertyMap; state: State }> {
    const declared = declaredIn(this.shell, state);
    if (!(this.#member in declared))
      throw new Error(
        `a set cannot be imported: import each ${this.#of.noun} as a resource of its own, or let the set create them anew`,
      );
    const reads = [...this.#form.in(state)].map(async ([key, entry]) => {
      const read = await this.#of.read(entry.id, entry.state, session);
      if (read === "gone") return [];
      return [[key, read === "unseen" ? entry : { ...entry, state: read.state }] as const];
    });
    const entries = new Map((await Promise.all(reads)).flat());
    const now = this.#form.stateOf(declared, entries, doubtsIn(state));
    const whole = this.#form.withFormerAdoptions(now, state);
    return { inputs: declaredIn(this.shell, whole), state: whole };
  }

  async update(id: string, state: State, inputs: PropertyMap, session: Session): Promise<State> {
    const { state: now, failure } = await this.#writes.apply(id, state, inputs, session);
    if (failure === undefined) return now;
    const left = this.#form.inPlaceOf(state, now);
    // With a state, the engine would keep the new inputs, too, among them the service of other settings.
    throw isDeepStrictEqual(left, state) ? new Error(failure) : new UpdatedIncompletely(left, failure);
  }

  delete(id: string, state: State, session: Session): Promise<void> {
    return this.#writes.delete(id, state, session);
  }

  async #entryChanges(
    key: string,
    entry: Entry | undefined,
    values: unknown,
    session: Session,
  ): Promise<Change[]> {
    const path = this.#form.at(key);
    if (!entry) return [{ path, kind: "add", replaces: false }];
    const changes = isObject(values) ? await this.#of.diff(entry.id, entry.state, values, session) : [];
    const isWhole = !isObject(values) || (entry.isUnfinished && changes.length === 0);
    if (isWhole) return [{ path, kind: "update", replaces: false }];
    return changes.map((change) => ({ ...change, replaces: false, path: this.#form.at(key, change.path) }));
  }

  /**
   * Warns in the preview of a new set, before anything is made: once its create was killed, no state has what it had made. If the
   * objects cannot be listed, the create itself warns.
   */
  async #warnOfDuplicates(inputs: PropertyMap, session: Session): Promise<void> {
    const known = this.#form.declaredIn(inputs).map(([, values]) => values);
    const created = known.filter(
      (values): values is PropertyMap => isObject(values) && !containsUnknown(values),
    );
    const message = await this.#writes.duplicatesOf(created, new Map(), session).catch(() => undefined);
    if (message !== undefined) session.warnOnce(message);
  }
}
