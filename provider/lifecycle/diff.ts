import { type Change, changes } from "../values/compare";
import { type Data, isSameId } from "../values/data";
import { warnOfLost } from "./carryOver";
import type { Contract } from "./resource";
import { scopeNames } from "./scope";
import type { Session } from "./session";
import { declaredIn, type State, undeclaredIn } from "./state";

/** The changes from what the state declares to the inputs. */
export function diff<Inputs extends object>(
  resource: Contract<Inputs>,
  id: string,
  state: State,
  inputs: Data,
  session: Session,
): Change[] {
  const found = changes(resource.inputs, declaredIn(resource, state), declaredIn(resource, inputs))
    .filter(({ path }) => !namesSameObject(resource, id, state, inputs, path))
    .map((change) => (isScopeBackfill(resource, state, change) ? { ...change, replaces: false } : change));
  const replacing = found.find(({ replaces }) => replaces);
  if (replacing && isSameId(inputs.adoptId, id)) {
    throw new Error(
      `${replacing.path}: this change replaces ${id}, but adoptId would adopt ${id} again; remove adoptId from the program`,
    );
  }
  if (found.length > 0 && !replacing)
    warnOfLost(
      `${resource.noun} ${id}`,
      resource.inputs,
      undeclaredIn(state),
      session.apiOf(resource.operations.update),
      session,
    );
  return found;
}

/** The diff of a host that can wait, which also warns of what else the change does. */
export async function diffWithConsequences<Inputs extends object>(
  resource: Contract<Inputs>,
  id: string,
  state: State,
  inputs: Data,
  session: Session,
): Promise<Change[]> {
  const found = diff(resource, id, state, inputs, session);
  const warnings = await resource.consequences?.(found, inputs, state, session);
  for (const warning of warnings ?? []) session.warnOnce(warning);
  return found;
}

/** Whether the settings merely add a scope that the state lacks: still the same object. */
function isScopeBackfill<Inputs extends object>(
  { scope }: Contract<Inputs>,
  state: State,
  { path }: Change,
): boolean {
  return scopeNames(scope).some((name) => name === path) && state[path] === undefined;
}

/**
 * Whether a changed id means the same object at the same place. To replace an object by itself would delete it: the old
 * one is deleted after the new one was taken over.
 */
function namesSameObject<Inputs extends object>(
  { scope }: Contract<Inputs>,
  id: string,
  state: State,
  inputs: Data,
  path: string,
): boolean {
  // adoptId matters only for another object than the one in state.
  if (path === "adoptId")
    return inputs.adoptId === undefined || inputs.adoptId === null || isSameId(inputs.adoptId, id);
  return scopeNames(scope).some((name) => name === path) && isSameId(inputs[path], state[path]);
}
