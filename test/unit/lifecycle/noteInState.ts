import { diff } from "../../../provider/lifecycle/diff";
import type { State } from "../../../provider/lifecycle/state";
import type { Data } from "../../../provider/values/data";
import { place } from "../api/server";
import { live, noteResource, sessionFor } from "./note";

/** Inputs of a note. */
export const declared = { title: "Minutes", size: 3, ...place };

/** An id that tells when it was made, so that the state need not remember it. */
export function newId(): string {
  return `${Math.floor(Date.now() / 1000).toString(16)}4c3d2e1f0a9b8c7d`;
}

/** A note as it is in state after it was created from the inputs and the service answered so. */
export async function created(
  { adoptId, ...inputs }: Data,
  answered: Data = inputs,
  outputs: Data = {},
  changed: Parameters<typeof noteResource>[0] = {},
): Promise<State> {
  const resource = noteResource({
    ...changed,
    way: { create: async () => ({ id: newId(), object: live(answered, outputs) }) },
  });
  // Nothing is there to be taken over; what the state says of it is what was declared.
  const { state } = await resource.create(inputs, sessionFor().session);
  return JSON.parse(JSON.stringify({ ...state, adoptId })) as State;
}

/** What a read finds of the note in that state. */
export async function readNote(state: State, answered: Data, outputs: Data = {}) {
  const resource = noteResource({ way: { look: async () => live(answered, outputs) } });
  const result = await resource.read("n1", state, sessionFor().session);
  if (typeof result === "string") throw new Error(result);
  return result;
}

/** What has to change to come from that state to the inputs. */
export const changesTo = (state: State, inputs: Data, resource = noteResource()) =>
  diff(resource, "n1", state, inputs, sessionFor().session);
