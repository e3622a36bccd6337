import type { TSchema } from "@sinclair/typebox";
import { compilers } from "./compilers";

/** Gives the result of a route the form that the API documents describe. */
export type AnswerShape = (result: unknown) => unknown;

/**
 * Makes a function that removes from a server's responses the properties that its version or API does not have. The values of
 * all other properties stay, since people and newer servers make objects that no document describes.
 */
export function answerShape(schema: TSchema): AnswerShape {
  return (result) => {
    // Most responses have no properties to remove, and need no copy.
    if (compilers.refusing(schema)(result)) return result;
    const copy: unknown = JSON.parse(JSON.stringify(result));
    compilers.dropping(schema)(copy);
    return copy;
  };
}
