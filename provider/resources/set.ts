import { randomUUID } from "node:crypto";
import { check } from "../lifecycle/check";
import { deleteUnlessDeclared } from "../lifecycle/delete";
import { diff } from "../lifecycle/diff";
import { claimsOf } from "../lifecycle/ledger";
import { type Definition, type Resource, UpdatedIncompletely } from "../lifecycle/resource";
import { scopeNames } from "../lifecycle/scope";
import type { Session } from "../lifecycle/session";
import { declaredIn, recordsIn, type State, trackingOf, withTracking } from "../lifecycle/state";
import type { Change } from "../values/compare";
import { type Data, isObject, ownMember, pick } from "../values/data";
import { Type } from "../values/schemaBuilders";
import { isUnknown, unknown } from "../values/unknown";
import { counted, firstOf } from "../values/wording";
import { grouped, keyFailures, mostNamed, mustRetain } from "./setRules";

/** A resource that keeps many objects of one type, each under a key. */
interface SetDefinition extends Pick<Definition, "type" | "noun" | "inputs" | "outputs"> {
  /** The type of the objects. */
  readonly of: Resource;
  /** The input that has them by key. */
  readonly member: string;
}

/** An object of a set. */
interface Entry {
  readonly id: string;
  readonly state: State;
  /** Whether its creation failed once it was there, so that the next update writes it whatever has changed. */
  readonly isUnfinished: boolean;
}

interface Failed {
  readonly key: string;
  readonly reason: string;
}

type Entries = ReadonlyMap<string, Entry>;

/** A set whose entries go through the steps of their own type, all of them at the same time. */
export function setOf({ of, member, ...definition }: SetDefinition): Resource {
  const { type, inputs: schema } = definition;
  const { scope, operations, decode } = of;
  const places = scopeNames(scope);
  const { [member]: _entries, ...setProperties } = schema.properties;
  const withInputs = (properties: object): Definition => ({
    ...{ ...definition, scope, operations, decode },
    inputs: Type.Object(properties as typeof setProperties, { additionalProperties: false }),
  });
  /** The set with entries that may be anything: these are checked one by one. */
  const shell = withInputs({ ...setProperties, [member]: Type.Record(Type.String(), Type.Object({})) });
  const withoutEntries = withInputs(setProperties);

  const at = (key: string, path = "") =>
    `${member}[${JSON.stringify(key)}]${/^(\[|$)/.test(path) ? path : `.${path}`}`;
  const ownerOf = (set: string, key: string) => `${set} ${key}`;
  const titleOf = (key: string) => `${type}, ${at(key)}`;

  /** The inputs of each entry as its own type has them; unknown ones as they are. */
  const declaredEntries = (inputs: Data): readonly (readonly [key: string, values: unknown])[] => {
    const entries = inputs[member];
    const place = pick(inputs, places);
    return isObject(entries)
      ? Object.entries(entries).map(([key, values]) => [
          key,
          isObject(values) ? { ...place, ...values } : values,
        ])
      : [];
  };
  const withoutPlace = (values: Data) => {
    const members = Object.entries(values).filter(([name]) => !places.some((place) => place === name));
    return Object.fromEntries(members);
  };

  const entriesIn = (state: State): Entries => {
    const { entries = {}, unfinished = [] } = trackingOf(state);
    const declared = new Map(declaredEntries(state));
    return new Map(
      Object.entries((state.ids ?? {}) as Data).map(([key, id]) => [
        key,
        {
          id: String(id),
          state: { ...(ownMember(entries, key) as Data), ...(declared.get(key) as Data) },
          isUnfinished: unfinished.includes(key),
        },
      ]),
    );
  };

  /** Declared values stand in the member alone, since a program may keep them secret. */
  const stateOf = (inputs: Data, entries: Entries): State => {
    const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
    const byKey = <Value>(value: (entry: Entry) => Value) =>
      Object.fromEntries(sorted.map(([key, entry]) => [key, value(entry)]));
    const declared = byKey(({ state }) => withoutPlace(declaredIn(of, state)));
    const records = Object.entries(byKey(({ id, state }) => recordsIn(id, state)));
    const recorded = records.filter(([, values]) => Object.keys(values).length > 0);
    const unfinished = sorted.filter(([, { isUnfinished }]) => isUnfinished).map(([key]) => key);
    return withTracking(
      { ...inputs, [member]: declared, ids: byKey(({ id }) => id) },
      {
        ...(recorded.length > 0 && { entries: Object.fromEntries(recorded) }),
        ...(unfinished.length > 0 && { unfinished }),
      },
    );
  };

  /** The changes of an entry that stays. */
  const changesOf = async (key: string, { id, state }: Entry, inputs: Data, session: Session) => {
    const changes = await of.diff(id, state, inputs, session);
    const replacing = changes.find(({ replaces }) => replaces);
    if (!replacing) return changes;
    // The former object would have no place in the state until it is deleted.
    const problem = `${at(key, replacing.path)}: the entry has ${of.noun} ${id}`;
    throw new Error(`${problem}; declare the other ${of.noun} under another key`);
  };

  /** Entries that are declared no more. Retained ones, and those that another key takes over, stay in the service. */
  const leaving = (inputs: Data, entries: Entries): { key: string; entry: Entry; isRetained: boolean }[] => {
    if (isUnknown(inputs[member])) return [];
    const declared = declaredEntries(inputs);
    const keys = new Set(declared.map(([key]) => key));
    const retained = new Set(Array.isArray(inputs.retain) ? inputs.retain : []);
    const adopted = declared.map(([, values]) => (isObject(values) ? values.adoptId : undefined));
    const adoptedIds = new Set(adopted.flatMap((id) => (typeof id === "string" ? id.toLowerCase() : [])));
    return [...entries]
      .filter(([key]) => !keys.has(key))
      .map(([key, entry]) => {
        const isRetained = retained.has(key) || adoptedIds.has(entry.id.toLowerCase());
        return { key, entry, isRetained };
      });
  };

  /** Runs a step of each entry. One that fails stops no other, and is among the results. */
  const forEach = async (steps: readonly (readonly [key: string, step: () => Promise<unknown>])[]) => {
    const failures: Failed[] = [];
    const run = ([key, step]: (typeof steps)[number]) =>
      step().catch((error: Error) => failures.push({ key, reason: error.message.replaceAll("\n", ". ") }));
    await Promise.all(steps.map(run));
    return failures;
  };
  /** A line for all that failed, with the reason of the first; warnings say the others. */
  const failureOf = ([first, ...further]: readonly Failed[], count: number, session: Session) => {
    if (!first) return undefined;
    for (const { key, reason } of further.slice(0, mostNamed)) session.warnOnce(`${at(key)}: ${reason}`);
    const named = firstOf(
      further.map(({ key }) => at(key)),
      mostNamed,
    );
    const summary = `${further.length + 1} of ${counted(count, of.noun)} failed, and the others succeeded`;
    return `${summary}: ${at(first.key)}: ${first.reason}${named ? `; ${named} failed, too` : ""}`;
  };

  /** Deletes an entry, unless the program declares its object elsewhere. */
  const remove = async (set: string, key: string, { id, state }: Entry, session: Session) => {
    const isClaimed = claimsOf(session)?.isClaimed(of, id, state, ownerOf(set, key)) ?? false;
    await deleteUnlessDeclared(of, id, state, session, isClaimed);
  };

  /** Creates, changes and deletes entries until they are as declared. */
  const apply = async (set: string, before: Entries, inputs: Data, session: Session) => {
    const entries = new Map(before);
    const write = async (key: string, values: Data) => {
      const entry = before.get(key);
      if (!entry) {
        const { id, state, failure } = await of.create(values, session);
        entries.set(key, { id, state, isUnfinished: failure !== undefined });
        if (failure) throw failure;
        return;
      }
      const changes = await changesOf(key, entry, values, session);
      if (changes.length === 0 && !entry.isUnfinished) return;
      const state = await of.update(entry.id, entry.state, values, session);
      entries.set(key, { id: entry.id, state, isUnfinished: false });
    };
    const declared = declaredEntries(inputs);
    const failures = await forEach(declared.map(([key, values]) => [key, () => write(key, values as Data)]));
    const left = leaving(inputs, before);
    const leave = async ({ key, entry, isRetained }: (typeof left)[number]) => {
      if (!isRetained) await remove(set, key, entry, session);
      entries.delete(key);
    };
    failures.push(...(await forEach(left.map((entry) => [entry.key, () => leave(entry)]))));
    const count = declared.length + left.length;
    return {
      state: stateOf(inputs, entries),
      hasEntries: entries.size > 0,
      failure: failureOf(failures, count, session),
    };
  };

  return {
    ...shell,
    inputs: schema,

    entries: {
      of,
      declaredIn: (inputs) =>
        declaredEntries(inputs).flatMap(([key, inputs]) => (isObject(inputs) ? [{ key, inputs }] : [])),
    },

    async check(olds, news, session) {
      const { inputs, failures: invalid, warnings } = check(shell, olds, news, session);
      const keys = declaredEntries(inputs).map(([key]) => key);
      const failures = [...invalid, ...keyFailures(keys, inputs.retain, member, at)];
      if (failures.length > 0) return { inputs, failures, warnings };
      const former = new Map(declaredEntries(olds));
      const checked = await Promise.all(
        declaredEntries(inputs).map(async ([key, values]) => {
          if (!isObject(values)) return { key, inputs: values, failures: [], warnings: [] };
          const before = former.get(key);
          const result = await of.check(isObject(before) ? before : {}, values, session);
          return { ...result, key, inputs: withoutPlace(result.inputs) };
        }),
      );
      const entryFailures = checked.flatMap((entry) =>
        entry.failures.map((problem) =>
          problem.path === "" ? problem : { ...problem, path: at(entry.key, problem.path) },
        ),
      );
      const entryInputs = Object.fromEntries(checked.map((entry) => [entry.key, entry.inputs]));
      return {
        inputs: isUnknown(inputs[member]) ? inputs : { ...inputs, [member]: entryInputs },
        // Wrong settings fail every entry.
        failures: [
          ...new Map(
            entryFailures.map((problem) => [JSON.stringify([problem.path, problem.message]), problem]),
          ).values(),
        ],
        warnings: [...warnings, ...grouped(checked, at)],
      };
    },

    async diff(id, state, inputs, session) {
      const setChanges = diff(withoutEntries, id, state, inputs, session);
      if (setChanges.some(({ replaces }) => replaces)) return setChanges;
      const entries = entriesIn(state);
      const claims = claimsOf(session);
      for (const [key, entry] of entries) claims?.hold(of, entry.id, { identity: ownerOf(id, key) }, session);
      if (isUnknown(inputs[member]))
        return [...setChanges, { path: member, kind: "update", replaces: false }];
      const left = leaving(inputs, entries);
      for (const { key, entry, isRetained } of left) {
        const rival = isRetained ? undefined : claims?.leave(of, entry.id, titleOf(key), session);
        if (rival) throw new Error(`${of.noun} ${entry.id} is that of ${mustRetain(titleOf(key), rival)}`);
      }
      const changed = declaredEntries(inputs).map(async ([key, values]): Promise<Change[]> => {
        const entry = entries.get(key);
        if (!entry) return [{ path: at(key), kind: "add", replaces: false }];
        const changes = isObject(values) ? await changesOf(key, entry, values, session) : [];
        const isWhole = !isObject(values) || (entry.isUnfinished && changes.length === 0);
        if (isWhole) return [{ path: at(key), kind: "update", replaces: false }];
        return changes.map((change) => ({ ...change, path: at(key, change.path) }));
      });
      const removed = left.map(({ key }): Change => ({ path: at(key), kind: "delete", replaces: false }));
      return [...setChanges, ...(await Promise.all(changed)).flat(), ...removed];
    },

    plan(state, inputs) {
      if (isUnknown(inputs[member])) return { ...inputs, ids: unknown };
      const entries = entriesIn(state ?? {});
      const ids = declaredEntries(inputs).map(([key, values]) => {
        const adopted = isObject(values) ? (values.adoptId ?? unknown) : unknown;
        return [key, entries.get(key)?.id ?? adopted];
      });
      return { ...inputs, ids: Object.fromEntries(ids) };
    },

    async create(inputs, session) {
      const id = randomUUID();
      const { state, hasEntries, failure } = await apply(id, new Map(), inputs, session);
      if (failure === undefined) return { id, state };
      if (!hasEntries) throw new Error(failure);
      return { id, state, failure: new Error(failure) };
    },

    async read(_id, state, session) {
      const declared = declaredIn(shell, state);
      if (!(member in declared))
        throw new Error(
          `a set is not imported: declare the id of each ${of.noun} as the adoptId of an entry`,
        );
      const reads = [...entriesIn(state)].map(async ([key, entry]) => {
        const read = await of.read(entry.id, entry.state, session);
        if (read === "gone") return [];
        return [[key, read === "unseen" ? entry : { ...entry, state: read.state }] as const];
      });
      const now = stateOf(declared, new Map((await Promise.all(reads)).flat()));
      return { inputs: declaredIn(shell, now), state: now };
    },

    async update(id, state, inputs, session) {
      const { state: now, failure } = await apply(id, entriesIn(state), inputs, session);
      if (failure !== undefined) throw new UpdatedIncompletely(now, failure);
      return now;
    },

    async delete(id, state, session) {
      const entries = [...entriesIn(state)];
      const failures = await forEach(
        entries.map(([key, entry]) => [key, () => remove(id, key, entry, session)]),
      );
      const failure = failureOf(failures, entries.length, session);
      if (failure !== undefined) throw new Error(failure);
    },
  };
}
