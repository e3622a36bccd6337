import type { TSchema } from "@sinclair/typebox";
import { compilers } from "./compilers";

/** Gives what a route answers the shape that the product's documents have. */
export type AnswerShape = (result: unknown) => unknown;

/**
 * The shape of a server's answers: members that its version or its API does not have are left out. The values of the others stay
 * as they are, since people and newer servers make objects that no document has.
 */
export function answerShape(schema: TSchema): AnswerShape {
  return (result) => {
    // Most answers have no member to leave out, and need no copy.
    if (compilers.refusing(schema)(result)) return result;
    const copy: unknown = JSON.parse(JSON.stringify(result));
    compilers.dropping(schema)(copy);
    return copy;
  };
}
