/**
 * Matches characters that control a terminal or reorder text: control characters except line feed and tab, and marks of
 * bidirectional text, of lines and of invisible tags. It also matches halves of characters (single surrogates), on
 * which a host that sends them would crash.
 */
const acting =
  /[^\P{Cc}\n\t]|[\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Text from a server, made safe for a terminal or a program. Dangerous characters are escaped as in JSON and
 * JavaScript, so that JSON and code keep their meaning.
 */
export function printable(text: string): string {
  return text.replace(acting, escaped);
}

/** Like {@link printable}, but on one line, for a cell of a table or a name in a sentence. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, escaped);
}

/** Maximum number of characters of a message, since names and ids in it have no maximum length. */
const longestMessage = 2000;

/** A message for a user: {@link printable}, and cut before it fills the terminal. */
export function printableMessage(text: string): string {
  return printable(text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text);
}

/** A name or value, cut to a length that fits into a sentence. */
export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
