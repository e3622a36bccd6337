import { harmless } from "./element";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Widths of characters in parts of the font's size, a little larger than in the common sans-serif fonts. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/^[\p{Mn}\p{Me}\p{Cf}]/u, 0],
  [/^[ijl.,:;'|!()[\]]/, 0.35],
  [/^[frt\s/-]/, 0.4],
  [/^[mwMW%@▲▼⇕]/, 0.95],
  [/^[A-Z&#+=<>~×→≈]/, 0.74],
  [/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\uFF00-\uFF60]/u, 1.05],
];

/** Factor by which bold letters are wider. */
export const bold = 1.12;

/** The largest width, in pixels, that a text is likely to have, estimated without a browser. */
export function widthOf(text: string, size: number, isMonospace = false): number {
  return graphemes(text).reduce((sum, grapheme) => sum + widthOfOne(grapheme, isMonospace), 0) * size;
}

/** A text that is cut with an ellipsis if it is too wide; empty if not even one character fits. */
export function fitted(text: string, width: number, size: number, isMonospace = false): string {
  const printable = harmless(text);
  // Only the beginning is measured, since even a megabyte of text would be cut there.
  const parts = graphemes(printable.slice(0, 2000));
  const sizes = parts.map((grapheme) => widthOfOne(grapheme, isMonospace) * size);
  const whole = sizes.reduce((sum, partWidth) => sum + partWidth, 0);
  if (whole <= width && printable.length <= 2000) return printable;
  let room = width - size;
  const fitting = parts.filter((_, index) => {
    room -= sizes[index] ?? 0;
    return room >= 0;
  });
  return fitting.length === 0 ? "" : `${fitting.join("").trimEnd()}…`;
}

/** How to break a text into lines. */
interface Wrapping {
  readonly most: number;
  readonly isMonospace?: boolean;
  /** Pixels by which the first line is shorter. */
  readonly indent?: number;
}

/**
 * Breaks a text into lines, between words and at its own line breaks. If it has more than `most` lines, the last one
 * ends with an ellipsis.
 */
export function wrapped(text: string, width: number, size: number, wrapping: Wrapping): string[] {
  const { most, isMonospace = false, indent = 0 } = wrapping;
  const paragraphs = text
    .slice(0, 4000)
    .split(/[\n\r\u2028\u2029]+/)
    .map((paragraph) => harmless(paragraph).split(/\s+/).filter(Boolean));
  const words = paragraphs.flat();
  const beginnings = new Set<number>();
  paragraphs.reduce((count, { length }) => {
    beginnings.add(count);
    return count + length;
  }, 0);
  const space = widthOf(" ", size, isMonospace);
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const [index, word] of words.entries()) {
    const wide = widthOf(word, size, isMonospace);
    const room = lines.length === 0 ? width - indent : width;
    if (line === "") {
      line = fitted(word, room, size, isMonospace);
      used = wide;
    } else if (used + space + wide <= room && !beginnings.has(index)) {
      line += ` ${word}`;
      used += space + wide;
    } else if (lines.length === most - 1) {
      return [...lines, fitted([line, ...words.slice(index)].join(" "), room, size, isMonospace)];
    } else {
      lines.push(line);
      line = fitted(word, width, size, isMonospace);
      used = wide;
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** Whether the first letter with a direction belongs to a script that is written from right to left. */
export function isRightToLeft(text: string): boolean {
  const [first] = /\p{L}/u.exec(text) ?? [""];
  return /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}]/u.test(first);
}

function graphemes(text: string): string[] {
  // Most texts are plain ASCII, and the segmenter is slow.
  if (/^[\x20-\x7e]*$/.test(text)) return text.split("");
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function widthOfOne(grapheme: string, isMonospace: boolean): number {
  const [, width = 0.63] = widths.find(([characters]) => characters.test(grapheme)) ?? [];
  return isMonospace && width > 0 && width < 1 ? 0.62 : width;
}
