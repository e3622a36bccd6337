import type { Declared, Kept, Operation, Program } from "./account";
import type { Data } from "./store";

/**
 * This module splits AlertSets into their alerts, since the promises (rules for the provider) judge each alert of a set like a
 * resource of its own.
 */

type Objects = { readonly [key: string]: Data };

const nameOf = (set: string, key: string) => `${set}, ${key}`;

export function declaredEach(program: Program): Program {
  const each = ([name, declared]: [string, Declared]): [string, Declared][] =>
    declared.type !== "AlertSet"
      ? [[name, declared]]
      : Object.entries((declared.args.alerts ?? {}) as Objects).map(([key, args]) => [
          nameOf(name, key),
          { ...declared, type: "Alert", args },
        ]);
  return new Map([...program].flatMap(each));
}

/** Returns the objects of a resource in the Pulumi state with their names: one object, or all alerts of an AlertSet. */
export function heldBy(name: string, kept: Kept): (readonly [name: string, Kept])[] {
  const { type, inputs, outputs } = kept;
  if (type !== "AlertSet") return [[name, kept]];
  const [declared, known] = [inputs, outputs].map(({ alerts = {} }) => alerts as Objects);
  const { entries = {} } = (outputs.__tracking ?? {}) as { entries?: Objects };
  return Object.entries((outputs.ids ?? {}) as Data).map(([key, id]) => {
    const values = { inputs: declared?.[key] ?? {}, outputs: { ...known?.[key], ...entries[key] } };
    return [nameOf(name, key), { ...kept, type: "Alert", id: String(id), ...values }];
  });
}

export function heldEach(resources: ReadonlyMap<string, Kept>): ReadonlyMap<string, Kept> {
  return new Map([...resources].flatMap(([name, kept]) => heldBy(name, kept)));
}

/**
 * Compares the objects of a resource in two Pulumi states, such as the alerts of an AlertSet. Returns the objects that only the
 * older state has, and the names of the objects whose inputs differ.
 */
export function changedBetween(name: string, before: Kept, after: Kept | undefined) {
  const now = new Map(after && heldBy(name, after));
  const old = heldBy(name, before);
  const gone = old.filter(([each]) => !now.has(each)).map(([each, kept]) => ({ name: each, kept }));
  const values = (kept: Kept | undefined) => JSON.stringify(kept?.inputs);
  const differing = old.filter(([each, kept]) => values(kept) !== values(now.get(each)));
  return { gone, differing: differing.length > 0 ? differing.map(([each]) => each) : [name] };
}

export function doneToEach(
  operations: readonly Operation[],
  before: ReadonlyMap<string, Kept>,
  after: ReadonlyMap<string, Kept>,
): Operation[] {
  return operations.flatMap((operation) => {
    const { name, type, op } = operation;
    if (type !== "AlertSet") return [operation];
    const [old, now] = [before, after].map((resources) => {
      const kept = resources.get(name);
      return kept ? heldBy(name, kept) : [];
    });
    const [former, present] = [new Map(old), new Map(now)];
    return [...new Map([...former, ...present]).keys()].flatMap((entry): Operation[] => {
      const isOld = former.has(entry) && op !== "create";
      if (op === "read" || op === "same") return isOld ? [{ name: entry, type: "Alert", op }] : [];
      if (present.has(entry)) return [{ name: entry, type: "Alert", op: isOld ? "update" : "create" }];
      return [{ name: entry, type: "Alert", op: "delete" }];
    });
  });
}
