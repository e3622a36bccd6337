import type { TSchema } from "@sinclair/typebox";
import { compilers } from "./compilers";

/** A function that gives the result of a sandbox's route the form that the API documents describe. */
export type AnswerShape = (result: unknown) => unknown;

/**
 * Makes a function that removes from the sandbox's responses the properties that the imitated server's version or API does not
 * have. The values of all other properties stay, since people and newer servers make objects that no document describes.
 */
export function answerShape(schema: TSchema): AnswerShape {
  return (result) => {
    // Most responses of the sandbox have no properties to remove, and need no copy.
    if (compilers.refusing(schema)(result)) return result;
    const copy: unknown = JSON.parse(JSON.stringify(result));
    compilers.dropping(schema)(copy);
    return copy;
  };
}
