import type { Data } from "./data";
import { shortened } from "./printable";

/** `an alert`, `a saved search`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** `alerts`, `saved searches`, `saved queries`. */
export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, "ies");
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** A number and a noun: `1 object`, `2 objects`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : plural(noun)}`;
}

/** Maximum number of objects that a message names. */
const mostNamed = 10;

/** Objects in a message by their names, with further members: `"Logs" (log), "Traces" (trace) and 3 more`. */
export function enumerated(objects: readonly Data[], members: readonly string[]): string {
  const names = objects.map((object) => {
    const further = members.flatMap((member) =>
      typeof object[member] === "string" ? shortened(object[member]) : [],
    );
    const name = typeof object.name === "string" ? object.name : object.id;
    return [quoted(name), ...further.map((text) => `(${text})`)].join(" ");
  });
  return firstOf(names, mostNamed);
}

/** Objects in a message by their ids: the first five, and the number of the others. */
export function listedIds(objects: readonly Data[]): string {
  return firstOf(
    objects.map(({ id }) => String(id)),
    5,
  );
}

/** The first of some texts, and the number of the others. */
export function firstOf(texts: readonly string[], most: number): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A name or value in quotes, as a message repeats it. */
export function quoted(text: unknown): string {
  return JSON.stringify(shortened(String(text)));
}
