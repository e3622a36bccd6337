/**
 * Matches characters that control a terminal or reorder text: control characters except line feed and tab, and marks of
 * bidirectional text, of lines and of invisible tags. It also matches single surrogates (halves of characters): the provider
 * process would crash when it sends one to the engine.
 */
const acting =
  /[^\P{Cc}\n\t]|[\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Escapes dangerous characters of a server's text as JSON and JavaScript do, so that JSON and code keep their meaning. */
export function printable(text: string): string {
  return text.replace(acting, escaped);
}

/**
 * Escapes a text as {@link printable} does, and its line breaks and tabs, too, so that it fits into a table's cell or a
 * sentence.
 */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, escaped);
}

/** Maximum number of characters of a message to the user, since names and ids in it have no maximum length. */
const longestMessage = 2000;

/** Makes a message for a user: escapes it as {@link printable} does, and cuts it before it fills the terminal. */
export function printableMessage(text: string): string {
  return printable(text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text);
}

/** A name or value for a message, cut to a length that fits into a sentence. */
export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
