import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The docstring of a type, function or property as plain text, with its tags as separate members. */
export interface Description {
  readonly description: string;
  /** The default value, in words. */
  readonly default?: string;
  /** The reason for a deprecation, and the replacement. */
  readonly deprecated?: string;
  /** Example programs, in Markdown. */
  readonly examples?: readonly string[];
  /** The errors that the function may fail with. */
  readonly throws?: readonly string[];
  /** The sections of documents that describe it. */
  readonly see?: readonly string[];
}

/** Descriptions by path without indices, such as `tiles.series.aggFn`. */
export interface DescriptionsByPath {
  readonly [path: string]: Description;
}

/** The public docstrings of the package. */
export interface Descriptions {
  /** Descriptions of types, by name. `outputs` has only outputs that are not inputs, too. */
  readonly resources: {
    readonly [type: string]: Description & {
      readonly inputs: DescriptionsByPath;
      readonly outputs: DescriptionsByPath;
    };
  };
  /** Descriptions of functions, by name. */
  readonly functions: {
    readonly [name: string]: Description & {
      readonly arguments: DescriptionsByPath;
      readonly result: DescriptionsByPath;
    };
  };
  /** Descriptions of settings, by name. */
  readonly settings: DescriptionsByPath;
}

/**
 * Reads the descriptions that the build generates from the docstrings (toolchain/descriptions.mjs). Uncompiled sources
 * use those of the last build.
 */
export function readDescriptions(): Descriptions {
  const packageFolder = dirname(require.resolve("pipestack/package.json"));
  return JSON.parse(readFileSync(join(packageFolder, "dist", "provider", "descriptions.json"), "utf8"));
}
