import type { PropertyMap } from "./data";
import { shortened } from "./printable";

/** A noun with its article: `an alert`, `a saved search`. */
export function withArticle(noun: string): string {
  // A word in capitals is read by its letters: an SSH tunnel, a UDF.
  const isSpelled = /^[A-Z]{2}/.test(noun);
  return `${(isSpelled ? /^[AEFHILMNORSX]/ : /^[aeiou]/i).test(noun) ? "an" : "a"} ${noun}`;
}

/** The plural of a noun: `alerts`, `saved searches`, `saved queries`. */
export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, "ies");
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** A number with a noun: `1 object`, `2 objects`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : plural(noun)}`;
}

/** Maximum number of objects that a message lists by name. */
const mostNamed = 10;

/** Lists objects in a message by their names and some further properties: `"Logs" (log), "Traces" (trace) and 3 more`. */
export function enumerated(objects: readonly PropertyMap[], members: readonly string[]): string {
  const names = objects.map((object) => {
    const further = members.flatMap((member) =>
      typeof object[member] === "string" ? shortened(object[member]) : [],
    );
    const name = typeof object.name === "string" ? object.name : object.id;
    return [quoted(name), ...further.map((text) => `(${text})`)].join(" ");
  });
  return firstOf(names, mostNamed);
}

/** Lists objects in a message by their ids: the first five, and the number of the others. */
export function listedIds(objects: readonly PropertyMap[]): string {
  return firstOf(
    objects.map(({ id }) => String(id)),
    5,
  );
}

export function firstOf(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A name or value in quotes, cut if it is long. */
export function quoted(text: unknown): string {
  return JSON.stringify(shortened(String(text)));
}
