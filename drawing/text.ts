import { harmless } from "./element";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Widths in parts of the font's size, a little more than the common sans-serif fonts have. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/^[\p{Mn}\p{Me}\p{Cf}]/u, 0],
  [/^[ijl.,:;'|!()[\]]/, 0.35],
  [/^[frt\s/-]/, 0.4],
  [/^[mwMW%@▲▼⇕]/, 0.95],
  [/^[A-Z&#+=<>~×→≈]/, 0.74],
  [/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\uFF00-\uFF60]/u, 1.05],
];

/** By how much bold letters are wider. */
export const bold = 1.12;

/** How wide a text is at most likely to be drawn, in pixels, without asking a browser. */
export function widthOf(text: string, size: number, isMonospace = false): number {
  return graphemes(text).reduce((sum, grapheme) => sum + widthOfOne(grapheme, isMonospace), 0) * size;
}

/** A text as far as it fits, with an ellipsis where it does not; nothing where not even one character fits. */
export function fitted(text: string, width: number, size: number, isMonospace = false): string {
  const shown = harmless(text);
  // A megabyte of text need not be measured to see that it does not fit.
  const parts = graphemes(shown.slice(0, 2000));
  const sizes = parts.map((grapheme) => widthOfOne(grapheme, isMonospace) * size);
  const whole = sizes.reduce((sum, one) => sum + one, 0);
  if (whole <= width && shown.length <= 2000) return shown;
  let left = width - size;
  const kept = parts.filter((_, index) => {
    left -= sizes[index] ?? 0;
    return left >= 0;
  });
  return kept.length === 0 ? "" : `${kept.join("").trimEnd()}…`;
}

/** Whether the first letter of a text that has a direction is one of a script written from right to left. */
export function isRightToLeft(text: string): boolean {
  const [first] = /\p{L}/u.exec(text) ?? [""];
  return /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Adlam}]/u.test(first);
}

function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function widthOfOne(grapheme: string, isMonospace: boolean): number {
  const [, width = 0.63] = widths.find(([characters]) => characters.test(grapheme)) ?? [];
  return isMonospace && width > 0 && width < 1 ? 0.62 : width;
}
