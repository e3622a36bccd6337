import { type Change, changes } from "./compare";
import { type Data, isSameId } from "./data";
import { declaredIn, type Resource, type State } from "./lifecycle";
import type { Session } from "./session";

/** What has to change to come from the state to the inputs. */
export function diff<Inputs extends object>(
  resource: Resource<Inputs>,
  id: string,
  state: State,
  inputs: Data,
  session: Session,
): Change[] {
  const found = changes(resource.inputs, declaredIn(resource, state), declaredIn(resource, inputs))
    .filter(({ path }) => !meansTheSame(resource, id, state, inputs, path))
    .map((change): Change => {
      if (isScopeBackfill(resource, state, change)) return { ...change, kind: "add" };
      const replaces = resource.replaces?.(change, id, inputs as Partial<Inputs>, session);
      return replaces ? { ...change, kind: "replace" } : change;
    });
  const replacing = found.find(({ kind }) => kind === "replace");
  if (replacing && isSameId(inputs.adoptId, id)) {
    throw new Error(
      `${replacing.path}: this change replaces ${id} by a new object, but adoptId would take over ${id} again; take adoptId out of the program`,
    );
  }
  return found;
}

/** An object that was made without a placement is still the same one when the settings begin to name one. */
function isScopeBackfill<Inputs extends object>(
  { placement }: Resource<Inputs>,
  state: State,
  { path }: Change,
): boolean {
  return placement.some((name) => name === path) && state[path] === undefined;
}

/**
 * Whether a changed id means the same object at the same place. To replace an object by itself would delete it: the old
 * one is deleted after the new one was taken over.
 */
function meansTheSame<Inputs extends object>(
  { placement }: Resource<Inputs>,
  id: string,
  state: State,
  inputs: Data,
  path: string,
): boolean {
  // It only has a meaning for an object that is not the one in state already.
  if (path === "adoptId")
    return inputs.adoptId === undefined || inputs.adoptId === null || isSameId(inputs.adoptId, id);
  return placement.some((name) => name === path) && isSameId(inputs[path], state[path]);
}
