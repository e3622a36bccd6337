import * as pipestack from "../../../../provider";
import type { DeclarableName } from "../../../../provider/resources/registry";

/**
 * The class of each resource type. If provider/index.ts does not export that of a new type, the compiler names it here as a
 * missing property, and nowhere else.
 */
export const classes: {
  readonly [Type in DeclarableName]: Type extends keyof typeof pipestack ? (typeof pipestack)[Type] : never;
} = pipestack;
