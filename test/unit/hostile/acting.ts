import { expect } from "chai";

/** Texts on which a terminal acts: colours, titles, links, clearing, moving back, and text from right to left. */
export const acting = [
  "\u001b[31mred\u001b[0m",
  "\u001b]0;title\u0007",
  "\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007",
  "\u001b[2J\u001b[H",
  "\u009b31m",
  "over\rwritten",
  "back\b\b\b\b",
  "\u0000\u0007\u007f",
  "\u202egnp.exe",
  "\u2066hidden\u2069",
  "line\u2028break\u2029s",
  "\u{e0041}tag",
];
export const actingText = acting.join(" ");

/** Expects that a terminal would print the text without acting on it. */
export function expectHarmless(text: string): void {
  const match = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u.exec(text);
  expect(match && JSON.stringify(text.slice(Math.max(0, match.index - 20), match.index + 20))).to.equal(null);
}
