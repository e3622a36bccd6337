import type { Data } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import { unknown } from "../values/unknown";
import type { Contract } from "./resource";
import { outputsIn, type State, trackingOf } from "./state";

/**
 * The planned object for a preview: outputs that no update changes are known, the others unknown.
 *
 * @param state the object as it is; undefined for one that is to be created
 */
export function plan<Inputs extends object>(
  resource: Contract<Inputs>,
  state: State | undefined,
  inputs: Data,
): Data {
  const unknownOutputs = Object.fromEntries(
    Object.keys(resource.outputs.properties).map((name) => [name, unknown]),
  );
  const planned = resource.plannedOutputs?.(inputs as Partial<Inputs>, state ?? {});
  if (state === undefined) return { ...unknownOutputs, ...planned, ...inputs };
  const { undeclared = [] } = trackingOf(state);
  const isKept = (name: string) =>
    undeclared.includes(name) || !annotationsOf(schemaAt(resource.outputs, name)).volatile;
  const shown = { ...outputsIn(resource, state), ...membersOf(state, undeclared) };
  return {
    ...unknownOutputs,
    ...membersOf(shown, Object.keys(shown).filter(isKept)),
    ...planned,
    ...inputs,
  };
}

function membersOf(data: Data, names: readonly string[]): Data {
  return Object.fromEntries(names.map((name) => [name, data[name]]));
}
