import { type Change, changes } from "../values/compare";
import { type Data, isSameId } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import { unknown } from "../values/unknown";
import type { Definition } from "./definition";
import { noteHeld } from "./holdings";
import { scopeNames } from "./scope";
import type { Session } from "./session";
import { declaredIn, outputsIn, type State, sentPart, trackingOf } from "./state";

/** The changes from the declared inputs in the Pulumi state to the new inputs of a resource. */
export function diff<Inputs extends object>(
  resource: Definition<Inputs>,
  id: string,
  state: State,
  inputs: Data,
  session: Session,
): Change[] {
  noteHeld(resource, id, session);
  const differing = changes(resource.inputs, declaredIn(resource, state), declaredIn(resource, inputs))
    .filter(({ path }) => !namesSameObject(resource, id, state, inputs, path))
    .map((change) => (isScopeBackfill(resource, state, change) ? { ...change, replaces: false } : change))
    .map((change) => resource.judged?.(change, state, inputs) ?? change);
  // While an earlier create or update is not completed, the diff shows a change: only then does the next update go on waiting.
  if (trackingOf(state).awaiting) {
    const [declared = "state"] = Object.keys(sentPart(resource, declaredIn(resource, inputs)));
    differing.push({ path: resource.waiting?.stateMember ?? declared, kind: "update", replaces: false });
  }
  const replacing = differing.find(({ replaces }) => replaces);
  if (replacing && isSameId(inputs.adoptId, id)) {
    throw new Error(
      `${replacing.path}: this change replaces ${id}, but adoptId would adopt ${id} again; remove adoptId from the program`,
    );
  }
  return differing;
}

/** Whether a change only adds an organization or service that the Pulumi state lacks: the object stays the same. */
function isScopeBackfill<Inputs extends object>(
  { scope }: Definition<Inputs>,
  state: State,
  { path }: Change,
): boolean {
  return scopeNames(scope).some((name) => name === path) && state[path] === undefined;
}

/**
 * Whether a changed `adoptId`, `organizationId` or `serviceId` still names the object that the resource has. Such a change must
 * not replace the resource: the engine deletes the old object last, which would delete the object of the new resource.
 */
function namesSameObject<Inputs extends object>(
  { scope }: Definition<Inputs>,
  id: string,
  state: State,
  inputs: Data,
  path: string,
): boolean {
  // The resource keeps its object if `adoptId` is removed, or names that object. Only another id is a change.
  if (path === "adoptId")
    return inputs.adoptId === undefined || inputs.adoptId === null || isSameId(inputs.adoptId, id);
  return scopeNames(scope).some((name) => name === path) && isSameId(inputs[path], state[path]);
}

/** The planned properties of a resource for a preview: outputs that no update changes are known, all others are unknown. */
export function plan<Inputs extends object>(
  resource: Definition<Inputs>,
  state: State | undefined,
  inputs: Data,
): Data {
  const names = Object.keys(resource.outputs.properties);
  const unknownOutputs = Object.fromEntries(names.map((name) => [name, unknown]));
  if (state === undefined) return { ...unknownOutputs, ...inputs };
  const { undeclared = [] } = trackingOf(state);
  const isKept = (name: string) =>
    undeclared.includes(name) || !annotationsOf(schemaAt(resource.outputs, name)).volatile;
  const outputs: Data = { ...outputsIn(resource, state), ...membersOf(state, undeclared) };
  const planned = Object.keys(outputs).map((name) => [name, isKept(name) ? outputs[name] : unknown]);
  return { ...unknownOutputs, ...Object.fromEntries(planned), ...inputs };
}

function membersOf(data: Data, names: readonly string[]): Data {
  return Object.fromEntries(names.map((name) => [name, data[name]]));
}
