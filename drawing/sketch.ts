import type { Box } from "./chart";
import { element, type Markup, rounded } from "./element";
import type { Tile } from "./model";

/** Pixels of one row of a table or list. */
const rowHeight = 20;

/**
 * Draws a pale sketch of how a tile will show its values, if there are no values. It is pale so that nobody takes it
 * for values.
 */
export function drawSketch(box: Box, { kind, kindName }: Pick<Tile, "kind" | "kindName">): Markup {
  const low = { ...box, top: box.top + Math.max(box.height - 90, 0), height: Math.min(box.height, 90) };
  const draw = (Object.hasOwn(ofNames, kindName) && ofNames[kindName]) || ofKinds[kind];
  return element("g", {}, draw?.(low));
}

type Sketch = (box: Box) => readonly Markup[];

const ofKinds: { readonly [kind in Tile["kind"]]?: Sketch } = {
  line({ left, top, width, height }) {
    const across = (part: number) => rounded(left + width * part);
    const up = (part: number) => rounded(top + height - 4 - height * part);
    const wave = `C${across(0.15)} ${up(0.2)} ${across(0.2)} ${up(0.75)} ${across(0.4)} ${up(0.55)}S${across(0.65)} ${up(0.1)} ${across(0.8)} ${up(0.5)}S${across(0.95)} ${up(0.7)} ${across(1)} ${up(0.65)}`;
    return [element("path", { class: "line sketch", d: `M${across(0)} ${up(0.35)}${wave}` })];
  },

  /** Stacked bars over time. */
  bar: (box) => upright(box, [0.35, 0.55, 0.75, 0.6, 0.45, 0.7, 0.9, 0.5], 0.8),

  number: ({ left, top, width, height }) => [
    block(left, top + height - 4 - Math.min(height, 52), Math.min(width, 130), 36),
  ],

  table: (box) => rows(box).map((top, row) => block(box.left, top, box.width * (1 - row * 0.2), 14)),
};

/** Sketches by the service's word for a kind of tile. */
const ofNames: { readonly [kindName: string]: Sketch } = {
  /** A bar for each group. */
  bar: (box) => upright(box, [0.9, 0.65, 0.5, 0.35, 0.2], 0.6),

  pie({ left, top, width, height }) {
    const radius = Math.max(Math.min(height - 4, width) / 2, 1);
    const [x, y] = [left + radius, top + height - 4 - radius];
    const at = (part: number) =>
      `${rounded(x + radius * Math.sin(2 * Math.PI * part))} ${rounded(y - radius * Math.cos(2 * Math.PI * part))}`;
    const edge = [0, 0.45, 0.75].map((part) => `M${rounded(x)} ${rounded(y)}L${at(part)}`).join("");
    return [
      element("circle", { class: "chip", cx: x, cy: y, r: radius }),
      element("path", { class: "limit", d: edge }),
    ];
  },

  /** Columns with their headings above the records. */
  search(box) {
    const [first, ...records] = rows(box);
    const widths = [0.16, 0.12, 0.66];
    const lefts = [0, 0.19, 0.34];
    return [first, ...records].flatMap((top, row) =>
      top === undefined
        ? []
        : lefts.map((part, column) => {
            const length =
              (widths[column] ?? 0) * (row === 0 ? 0.5 : column === 2 ? 1 - (row % 3) * 0.15 : 1);
            return block(box.left + box.width * part, top, box.width * length, row === 0 ? 6 : 10);
          }),
    );
  },

  /** A count and a small trend before each pattern. */
  event_patterns: (box) =>
    rows(box).flatMap((top, row) => [
      block(box.left, top, box.width * 0.08, 12),
      ...upright(
        { left: box.left + box.width * 0.11, top, width: box.width * 0.14, height: 14 },
        [0.4, 0.8, 0.3, 0.9, 0.5].map((part) => part / (row / 2 + 1)),
        0.7,
      ),
      block(box.left + box.width * 0.29, top, box.width * (0.7 - (row % 3) * 0.12), 12),
    ]),

  /** Cells over time, darker where more values are. */
  heatmap({ left, top, width, height }) {
    const [columns, lines] = [14, 5];
    const [w, h] = [width / columns, (height - 4) / lines];
    return Array.from({ length: columns * lines }, (_, cell) => {
      const [column, line] = [cell % columns, Math.floor(cell / columns)];
      const middle = 2.4 + 1.4 * Math.sin(column / 2.2);
      const strength = Math.max(0.12, 1 - Math.abs(line - middle) / 2);
      return element("rect", {
        class: "chip",
        ...{ x: left + column * w, y: top + line * h, width: w * 0.9, height: h * 0.85 },
        ...{ rx: 2, "fill-opacity": strength },
      });
    });
  },
};

/** The upper edges of rows: as many as there is room for, four at most. */
function rows({ top, height }: Box): number[] {
  const count = Math.max(1, Math.min(4, Math.floor(height / rowHeight)));
  return Array.from({ length: count }, (_, row) => top + height - 4 - (count - row) * rowHeight);
}

/** Draws bars side by side: `parts` are their heights, and `filled` is the share of the room that a bar takes. */
function upright({ left, top, width, height }: Box, parts: readonly number[], filled: number): Markup[] {
  const step = width / parts.length;
  const base = top + height - 4;
  return parts.map((part, at) => block(left + at * step, base - height * part, step * filled, height * part));
}

function block(x: number, y: number, width: number, height: number): Markup {
  return element("rect", { class: "chip", x, y, width, height, rx: Math.min(4, height / 3) });
}
