import type { Account, Held, StackInTheEnd } from "./account";
import { isCollection, type Kind, kindOf } from "./kinds";
import { type Commit, isStack } from "./store";

export function createdByStacks({ store, stacks }: Pick<Account, "store" | "stacks">): Commit[] {
  const held = new Set(stacks.flatMap((stack) => stack.held().map(nameOfHeld)));
  return store.commits.filter(
    ({ actor, kind, id, before }) =>
      isStack(actor) && before === undefined && isCollection(kind) && !held.has(nameOf(kind, id)),
  );
}

export function unheld(account: Pick<Account, "store" | "stacks">): { kind: Kind; id: string }[] {
  return createdByStacks(account).filter(({ kind, id }) => account.store.get(kind, id));
}

/**
 * Returns a unique name of an object: its id alone is not unique, since a service's scaling and query endpoint have
 * the service's id.
 */
export function nameOf(kind: Kind, id: string): string {
  return `${kind} ${id.toLowerCase()}`;
}

export function nameOfHeld({ type, id }: Held): string {
  return nameOf(kindOf(type), id);
}

export function heldIn(stacks: readonly StackInTheEnd[]) {
  return stacks.flatMap(({ actor, state, program }) =>
    [...state.resources].map(([name, kept]) => ({ actor, program, name, ...kept })),
  );
}
