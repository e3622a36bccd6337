import { element, type Markup } from "./element";
import { describeArea, describeSeries, filterWord, shownSeries } from "./format";
import type { Tile } from "./model";
import { fitted, widthOf, wrapped } from "./text";

/** Pixels between the border of a tile and its content. */
export const padding = 12;
/** Maximum number of lines of one description; the rest of it is only in the tooltip. */
const mostWrapped = 4;

/** The description of a tile's content, in lines of this width. */
export function linesOf(tile: Tile, showsPlace: boolean, width: number): Line[] {
  return wordsOf(tile, showsPlace).flatMap((line) => wrappedLine(line, width));
}

/** A line of a description: plain words, then a filter. */
export interface Line {
  readonly words: string;
  readonly filter?: string;
}

function wordsOf(tile: Tile, showsPlace: boolean): Line[] {
  const place = showsPlace ? [{ words: tile.area ? describeArea(tile.area) : "place not known" }] : [];
  const [only, ...more] = shownSeries(tile);
  if (tile.query) return [{ words: `${tile.kindName} · SQL`, filter: tile.query }, ...place];
  if (!only) return [{ words: tile.kindName }, ...place];
  const kind = `${tile.kindName}${tile.asRatio ? ", as ratio" : ""}`;
  if (more.length === 0)
    return [
      { words: `${kind} · ${describeSeries(only)}` },
      ...(only.where ? [{ words: filterWord(only), filter: only.where }] : []),
      ...place,
    ];
  const seriesLines = tile.series.map((entry): Line => {
    const words = `· ${describeSeries(entry)}`;
    return { words: entry.whereLanguage ? `${words} ${filterWord(entry)}` : words, filter: entry.where };
  });
  return [{ words: kind }, ...seriesLines, ...place];
}

/** Breaks a line into as many lines as it needs. */
function wrappedLine({ words, filter }: Line, width: number): Line[] {
  const lines: Line[] = wrapped(words, width, 12, { most: mostWrapped }).map((text) => ({ words: text }));
  if (filter === undefined) return lines;
  const last = lines.pop() ?? { words: "" };
  const indent = widthOf(last.words, 12) + 6;
  // A filter that begins with a long word, or has several lines, begins on a new line.
  const [first = ""] = filter.trim().split(/\s/, 1);
  const isLong = indent + widthOf(first, 11, true) > width && widthOf(first, 11, true) <= width;
  const isBroken = isLong || filter.trim().includes("\n");
  const [start, ...more] = [
    ...(isBroken ? [""] : []),
    ...wrapped(filter, width, 11, { most: mostWrapped, isMonospace: true, indent: isBroken ? 0 : indent }),
  ];
  return [...lines, { ...last, filter: start }, ...more.map((text) => ({ words: "", filter: text }))];
}

/** Draws a line at its place. `goesOn` adds an ellipsis, since there is more text. */
export function drawLine({ words, filter }: Line, y: number, width: number, goesOn: boolean): Markup[] {
  const more = goesOn ? " …" : "";
  const text = fitted(filter === undefined ? words + more : words, width, 12);
  const wordsWidth = text === "" ? 0 : widthOf(text, 12) + 6;
  const shownFilter = filter === undefined ? "" : fitted(filter + more, width - wordsWidth, 11, true);
  return [
    ...(text === "" ? [] : [element("text", { class: "muted", x: padding, y }, text)]),
    ...(shownFilter === ""
      ? []
      : [element("text", { class: "ink filter", x: padding + wordsWidth, y }, shownFilter)]),
  ];
}
