import type { PropertyMap } from "../../provider/values/data";
import type { NamedObject } from "./names";

/** The names that a file of the generated program uses from other files, by module. */
export type Uses = ReadonlyMap<string, ReadonlySet<string>>;

/** A language in which programs are generated, with the package that they use. */
export interface Language {
  /** The name of the generated file that Pulumi runs. */
  readonly file: string;
  /** The name of the file for a module of the generated program; the module's name is in camel case. */
  fileOf(module: string): string;
  /** The first lines of a generated file: a comment, imports, and the configuration if the file reads secrets from it. */
  opening(comment: string, uses: Uses, hasSecrets: boolean): string;
  /** The text of the generated file that Pulumi runs, for a program whose resources are in the given modules. */
  runs(comment: string, modules: readonly string[]): string;
  /** An expression that reads a secret of the Pulumi configuration. */
  secret(key: string): string;
  /** Converts the name of a variable or argument from camel case to the style of the generated program's language. */
  nameOf(name: string): string;
  /** The declaration of a constant text in the generated program. */
  constant(name: string, text: string, isShared: boolean): string;
  /**
   * The declaration of a variable that holds the object which a function such as `getSource` finds, or one property of that
   * object.
   */
  lookup(
    variable: string,
    found: { readonly call: string; readonly member?: string },
    args: PropertyMap,
    isShared: boolean,
  ): string;
  /** An expression for the id of a tile, by its key in a dashboard's output `tileIds`. */
  tileId(variable: string, tile: string): string;
  /** The declaration of a resource; `use` tells whether the program refers to it, and whether from another file. */
  resource(object: NamedObject, args: PropertyMap, use: "none" | "own" | "shared"): string;
}
