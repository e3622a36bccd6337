/**
 * Characters that a terminal acts on or that change the order in which text is shown: controls but for the line feed and
 * the tab, and the marks of bidirectional text, of lines and of invisible tags.
 */
const acting = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Text that may come from a server, as it can be shown in a terminal or stand in a program: what acts is escaped in the
 * way of JSON and JavaScript, so that escaping the text of either does not change what it means.
 */
export function printable(text: string): string {
  return text.replace(acting, escaped);
}

/** {@link printable} on one line, for a cell of a table or a name in a sentence. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, escaped);
}

/** Longer than what anybody reads; names and ids in a message may have any length. */
const longestMessage = 2000;

/** A message for a user: {@link printable}, and cut where it would fill the terminal. */
export function printableMessage(text: string): string {
  return printable(text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text);
}

/** A name or a value that somebody has made up, in a length that can be part of a sentence. */
export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
