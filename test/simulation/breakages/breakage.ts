import type { Patch } from "../provider";

/** A patch that breaks one behaviour of the provider on purpose. A test checks that the simulation finds the fault. */
export interface Breakage {
  /** The wrong behaviour of the patched provider, as a phrase that follows "a provider that". */
  readonly title: string;
  readonly patches: readonly Patch[];
}

export const breakage = (
  title: string,
  module: string,
  text: string | RegExp,
  instead: string,
): Breakage => ({
  title,
  patches: [{ module, text, instead }],
});
