import type { Patch } from "../provider";

/** A patch that breaks one behaviour of the provider on purpose. The simulation has to find a history that shows the fault. */
export interface Breakage {
  /** What the patched provider does wrong, as a phrase that follows "a provider that". */
  readonly title: string;
  readonly patches: readonly Patch[];
}

/** A breakage by one patch. */
export const breakage = (
  title: string,
  module: string,
  text: string | RegExp,
  instead: string,
): Breakage => ({
  title,
  patches: [{ module, text, instead }],
});
