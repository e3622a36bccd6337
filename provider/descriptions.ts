import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The docstring of a type, a function or a property as plain text, its tags apart. */
export interface Description {
  readonly description: string;
  /** The default, in words. */
  readonly default?: string;
  /** The reason for a deprecation, and the replacement. */
  readonly deprecated?: string;
  /** Programs, in Markdown. */
  readonly examples?: readonly string[];
  /** The errors that a function fails with. */
  readonly throws?: readonly string[];
  /** The sections of documents that it follows. */
  readonly see?: readonly string[];
}

/** Descriptions by path without indices, such as `tiles.series.aggFn`. */
export interface DescriptionsByPath {
  readonly [path: string]: Description;
}

/** The public docstrings of the package. */
export interface Descriptions {
  /** By type name. `outputs` has those that are not inputs as well. */
  readonly resources: {
    readonly [type: string]: Description & {
      readonly inputs: DescriptionsByPath;
      readonly outputs: DescriptionsByPath;
    };
  };
  /** By name. */
  readonly functions: {
    readonly [name: string]: Description & {
      readonly arguments: DescriptionsByPath;
      readonly result: DescriptionsByPath;
    };
  };
  /** By name. */
  readonly settings: DescriptionsByPath;
}

/**
 * Reads the descriptions that the build generates from the docstrings (toolchain/descriptions.mjs). Sources that run
 * uncompiled get those of the last build.
 */
export function readDescriptions(): Descriptions {
  const packageFolder = dirname(require.resolve("pipestack/package.json"));
  return JSON.parse(readFileSync(join(packageFolder, "dist", "provider", "descriptions.json"), "utf8"));
}
