import type { Account, Held, StackInTheEnd } from "./account";
import { isCollection, type Kind, kindOf } from "./kinds";
import { type Commit, isStack } from "./store";

/** Creations by stacks of objects that no state holds in the end. */
export function createdByStacks({ store, stacks }: Pick<Account, "store" | "stacks">): Commit[] {
  const held = new Set(stacks.flatMap((stack) => stack.held().map(nameOfHeld)));
  return store.commits.filter(
    ({ actor, kind, id, before }) =>
      isStack(actor) && before === undefined && isCollection(kind) && !held.has(nameOf(kind, id)),
  );
}

/** Objects that stacks have created, the service has, and no state holds. */
export function unheld(account: Pick<Account, "store" | "stacks">): { kind: Kind; id: string }[] {
  return createdByStacks(account).filter(({ kind, id }) => account.store.get(kind, id));
}

/** Names an object: the scaling of a service has the id of its query endpoint. */
export function nameOf(kind: Kind, id: string): string {
  return `${kind} ${id.toLowerCase()}`;
}

export function nameOfHeld({ type, id }: Held): string {
  return nameOf(kindOf(type), id);
}

/** The resources of all states in the end. */
export function heldIn(stacks: readonly StackInTheEnd[]) {
  return stacks.flatMap(({ actor, state, program }) =>
    [...state.resources].map(([name, kept]) => ({ actor, program, name, ...kept })),
  );
}
