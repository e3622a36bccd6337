import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The docstring of a type, function or property as plain text, with its tags as separate properties. */
export interface Description {
  readonly description: string;
  /** The default of the property, in words. */
  readonly default?: string;
  /** The reason for which the type or property is deprecated, and its replacement. */
  readonly deprecated?: string;
  /** Example programs, in Markdown. */
  readonly examples?: readonly string[];
  /** The errors with which the function may fail. */
  readonly throws?: readonly string[];
  /** The sections of API documents that describe the type, function or property. */
  readonly see?: readonly string[];
}

/** Docstrings of properties by their paths without list indices, such as `tiles.series.aggFn`. */
export interface DescriptionsByPath {
  readonly [path: string]: Description;
}

/** The public docstrings of the package. */
export interface Descriptions {
  /** Docstrings of resource types, by name. `outputs` has only those outputs that are not also inputs. */
  readonly resources: {
    readonly [type: string]: Description & {
      readonly inputs: DescriptionsByPath;
      readonly outputs: DescriptionsByPath;
    };
  };
  /** Docstrings of the package's functions, by name. */
  readonly functions: {
    readonly [name: string]: Description & {
      readonly arguments: DescriptionsByPath;
      readonly result: DescriptionsByPath;
    };
  };
  /** Docstrings of the provider's settings, by name. */
  readonly settings: DescriptionsByPath;
}

/**
 * Reads the descriptions that the build makes from docstrings (toolchain/descriptions.mjs). A provider that runs from its
 * TypeScript sources reads those of the last build.
 */
export function readDescriptions(): Descriptions {
  const packageFolder = dirname(require.resolve("pipestack/package.json"));
  return JSON.parse(readFileSync(join(packageFolder, "dist", "provider", "descriptions.json"), "utf8"));
}
