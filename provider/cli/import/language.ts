import type { Data } from "../../values/data";
import type { NamedObject } from "./names";

/** A language, and a package for it, that programs are written with. */
export interface Language {
  readonly file: string;
  /** The first lines: a comment, imports, and the configuration if the program reads secrets there. */
  opening(comment: string, hasSecrets: boolean): string;
  /** A secret of the configuration, by its key. */
  secret(key: string): string;
  /** How a variable or an argument is written whose name is in camel case. */
  nameOf(name: string): string;
  /** A text that the program names. */
  constant(name: string, text: string): string;
  /** The id of a tile, by its key in the output of a dashboard. */
  tileId(variable: string, tile: string): string;
  resource(object: NamedObject, args: Data, isReferredTo: boolean): string;
}
