import { diff } from "../../../provider/lifecycle/diff";
import type { State } from "../../../provider/lifecycle/state";
import type { PropertyMap } from "../../../provider/values/data";
import { place } from "../api/server";
import { live, noteResource, sessionFor } from "./note";

export const declared = { title: "Minutes", size: 3, ...place };

/** Makes an object id that contains the time of creation, so that the Pulumi state need not store the time. */
export function newId(): string {
  return `${Math.floor(Date.now() / 1000).toString(16)}4c3d2e1f0a9b8c7d`;
}

/**
 * Makes the Pulumi state of the test resource `Note` after a create with the given inputs, to which the service answered
 * `answered`.
 */
export async function created(
  { adoptId, ...inputs }: PropertyMap,
  answered: PropertyMap = inputs,
  outputs: PropertyMap = {},
  changed: Parameters<typeof noteResource>[0] = {},
): Promise<State> {
  const resource = noteResource({
    ...changed,
    service: { create: async () => ({ id: newId(), object: live(answered, outputs) }) },
  });
  // No object exists that the create could adopt, so the test adds adoptId to the Pulumi state afterwards.
  const { state } = await resource.create(inputs, sessionFor().session);
  return JSON.parse(JSON.stringify({ ...state, adoptId })) as State;
}

export async function readNote(state: State, answered: PropertyMap, outputs: PropertyMap = {}) {
  const resource = noteResource({ service: { look: async () => live(answered, outputs) } });
  const result = await resource.read("n1", state, sessionFor().session);
  if (typeof result === "string") throw new Error(result);
  return result;
}

export const changesTo = (state: State, inputs: PropertyMap, resource = noteResource()) =>
  diff(resource, "n1", state, inputs, sessionFor().session);
