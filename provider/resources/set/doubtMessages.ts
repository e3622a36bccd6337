import type { PropertyMap } from "../../values/data";
import { plural } from "../../values/wording";
import type { Naming } from "./failures";

/** The notice that a set has taken the object of an entry whose create had lost its answer. */
export const takenMessage = (key: string, { id }: PropertyMap, { noun, at }: Naming): string =>
  `${at(key)}: ${noun} ${id} was created by an earlier update although the answer was lost; it is now in the state`;

/** The warning about the object of a lost create whose entry has left the set, or has another object now. */
export const leftMessage = (key: string, { id }: PropertyMap, { noun, at }: Naming): string =>
  `${noun} ${id} was probably created for ${at(key)} by an earlier update that lost the answer, and no state has it: delete it, unless somebody uses it`;

/** The warning about an entry whose object cannot be told apart from others, so that the set does not take it. */
export const unclearMessage = (key: string, ids: readonly string[], { noun, at }: Naming): string =>
  `an earlier create for ${at(key)} lost its answer, and nothing tells whether one of these ${plural(noun)} is its own, so none is taken: ${ids.join(", ")}. Delete those that nobody uses`;
