import type { DashboardChange } from "./compare";
import { element, Markup, rounded, sourceOf } from "./element";
import { counted } from "./format";
import type { Dashboard, Tile, TileData } from "./model";
import { drawPanel, type Panel, type PanelOptions, problemsOf } from "./panel";
import { pictureClass, pictureStyle } from "./style";

/** How to draw a dashboard. */
export interface PictureOptions {
  /** `grid` (default) puts the tiles at their places; `stack` puts them one below the other, for a narrow screen. */
  readonly form?: "grid" | "stack";
  /** The values of a tile. Without them, the tile describes its content in words. */
  readonly data?: (tile: Tile) => TileData | undefined;
  /** Whether the picture contains the rules for its colours, which a file of its own needs. Default: true. */
  readonly styled?: boolean;
  /** Whether the picture shows the name and the tags of the dashboard. Default: true. */
  readonly titled?: boolean;
}

const gutter = 24;

/**
 * Draws a dashboard as SVG: tiles on the grid with their content, alerts with their thresholds, overlaps and gaps
 * marked. The same dashboard always gives the same text. Names and filters are escaped, so that they never become
 * markup.
 */
export function drawDashboard(dashboard: Dashboard, options: PictureOptions = {}): string {
  const panel = drawPanel(dashboard, panelOptions(options, 1200));
  return picture([panel], dashboard.name, summaryOf(dashboard), options);
}

/** Draws a dashboard before and after a change, side by side. Moved, added, removed and changed tiles are marked. */
export function drawComparison(change: DashboardChange, options: PictureOptions = {}): string {
  const { before, after } = change;
  const panels = (["before", "after"] as const).map((side) => {
    const drawn = new Map(change.tiles.flatMap((tile) => (tile[side] ? [[tile[side], tile] as const] : [])));
    return drawPanel(change[side], {
      ...panelOptions(options, 720),
      heading: side === "before" ? "BEFORE" : "AFTER",
      changeOf: (tile) => drawn.get(tile),
    });
  });
  const name = (after ?? before)?.name ?? "";
  return picture(panels, `${name}, before and after`, describeChange(change).join(". "), options);
}

/** Describes the changes of a dashboard, a line for each tile. */
export function describeChange({ changes, tiles }: DashboardChange): string[] {
  return [
    ...changes,
    ...tiles.flatMap(({ before, after, marks, changes: details }) => {
      const name = (after ?? before)?.name ?? "";
      if (marks.length === 0) return [];
      return [`${name}: ${details.length > 0 ? details.join("; ") : marks.join(", ")}`];
    }),
  ];
}

/** Sums up a dashboard in one line: `3 tiles, 1 alert. “A” and “B” overlap`. */
export function summaryOf(dashboard: Dashboard): string {
  const alerts = dashboard.tiles.reduce((sum, tile) => sum + tile.alerts.length, dashboard.alerts.length);
  const counts = `${counted(dashboard.tiles.length, "tile")}, ${counted(alerts, "alert")}`;
  return [counts, ...problemsOf(dashboard).texts].join(". ");
}

function panelOptions(
  { form = "grid", titled = true, data }: PictureOptions,
  widthOfGrid: number,
): PanelOptions {
  return { form, titled, width: form === "grid" ? widthOfGrid : 360, data };
}

function picture(
  panels: readonly Panel[],
  title: string,
  description: string,
  { form = "grid", styled = true }: PictureOptions,
): string {
  const isStack = form === "stack";
  const sizes = panels.map(({ width, height }) => ({ width, height }));
  const sum = (side: "width" | "height") =>
    sizes.reduce((total, size) => total + size[side], 0) + gutter * (sizes.length - 1);
  const most = (side: "width" | "height") => Math.max(...sizes.map((size) => size[side]));
  const [width, height] = isStack ? [most("width"), sum("height")] : [sum("width"), most("height")];
  let at = 0;
  const placed = panels.map((panel) => {
    const [x, y] = isStack ? [0, at] : [at, 0];
    at += gutter + (isStack ? panel.height : panel.width);
    return element("g", { transform: `translate(${x} ${rounded(y)})` }, panel.content);
  });
  return sourceOf(
    element(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        class: pictureClass,
        role: "img",
        viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
        width: Math.ceil(width),
        height: Math.ceil(height),
      },
      element("title", {}, title),
      element("desc", {}, description),
      styled ? element("style", {}, new Markup(pictureStyle)) : undefined,
      element("rect", {
        class: "ground",
        width: Math.ceil(width),
        height: Math.ceil(height),
        rx: styled ? 0 : 8,
      }),
      placed,
    ),
  );
}
