import { entriesOf } from "../resources/dashboard/tiles";

/** Names that a program keeps secret, and that no message of this process repeats. */
export class Concealed {
  readonly #names = new Set<string>();

  /** Conceals the names of a dashboard's tiles. */
  addTiles(tiles: unknown): void {
    for (const [, { name }] of entriesOf(tiles))
      if (typeof name === "string" && name !== "") this.#names.add(name);
  }

  /** A message without those names. One of less than four characters may be part of any word, and is sought in quotes alone. */
  readonly hide = (message: string): string => {
    let hidden = message;
    for (const name of [...this.#names].sort((a, b) => b.length - a.length)) {
      const quoted = JSON.stringify(name);
      hidden = hidden.replaceAll(quoted, '"[secret]"');
      // Messages cut names, and escape them.
      for (const text of [name, quoted.slice(1, -1)].map((form) => form.slice(0, 100)))
        if (text.length > 3) hidden = hidden.replaceAll(text, "[secret]");
    }
    return hidden;
  };
}
