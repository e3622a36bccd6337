import type { Data } from "../../values/data";
import type { NamedObject } from "./names";

/** Names that a file uses of other files of its program, by the modules of these. */
export type Uses = ReadonlyMap<string, ReadonlySet<string>>;

/** A language, and a package for it, that programs are written with. */
export interface Language {
  /** The file that runs. */
  readonly file: string;
  /** The file of a module, by its name in camel case. */
  fileOf(module: string): string;
  /** The first lines: a comment, imports, and the configuration if the file reads secrets there. */
  opening(comment: string, uses: Uses, hasSecrets: boolean): string;
  /** The file that runs, of a program whose resources are in these modules. */
  runs(comment: string, modules: readonly string[]): string;
  /** A secret of the configuration, by its key. */
  secret(key: string): string;
  /** How a variable or an argument is written whose name is in camel case. */
  nameOf(name: string): string;
  /** A text that the program names. */
  constant(name: string, text: string, isShared: boolean): string;
  /** An object that a function of the package finds. */
  lookup(variable: string, call: string, args: Data, isShared: boolean): string;
  /** The id of a tile, by its key in the output of a dashboard. */
  tileId(variable: string, tile: string): string;
  /** @param use whether something refers to it, and whether from another file */
  resource(object: NamedObject, args: Data, use: "none" | "own" | "shared"): string;
}
