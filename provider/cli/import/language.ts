import type { Data } from "../../values/data";
import type { NamedObject } from "./names";

/** The names that a file uses from other files of its program, by module. */
export type Uses = ReadonlyMap<string, ReadonlySet<string>>;

/** A language in which programs are written, with the package that they use. */
export interface Language {
  /** The name of the file that runs. */
  readonly file: string;
  /** The file of a module, by its name in camel case. */
  fileOf(module: string): string;
  /** The first lines of a file: a comment, imports, and the configuration if the file reads secrets from it. */
  opening(comment: string, uses: Uses, hasSecrets: boolean): string;
  /** The text of the file that runs, for a program whose resources are in these modules. */
  runs(comment: string, modules: readonly string[]): string;
  /** An expression that reads a secret of the configuration. */
  secret(key: string): string;
  /** The name of a variable or argument in this language, from its name in camel case. */
  nameOf(name: string): string;
  /** A declaration of a constant text. */
  constant(name: string, text: string, isShared: boolean): string;
  /** A declaration of an object that a function of the package finds, or of a member of it. */
  lookup(
    variable: string,
    found: { readonly call: string; readonly member?: string },
    args: Data,
    isShared: boolean,
  ): string;
  /** An expression for the id of a tile, by its key in the output of a dashboard. */
  tileId(variable: string, tile: string): string;
  /**
   * Declares a resource.
   *
   * @param use whether the program refers to the resource, and whether from another file
   */
  resource(object: NamedObject, args: Data, use: "none" | "own" | "shared"): string;
}
