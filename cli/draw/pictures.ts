import {
  compareDashboards,
  type Dashboard,
  type DashboardChange,
  type Dashboards,
  describeChange,
  describeTile,
  drawComparison,
  drawDashboard,
  isUnchanged,
  type PictureOptions,
  pictureClass,
  summaryOf,
} from "../../drawing";
import type { Section } from "./page";

/** One dashboard, drawn as a file and for the HTML page. */
export interface Picture extends Section {
  readonly file: string;
  readonly picture: string;
}

/** Whether a file comes from `pipestack draw`, by a CSS class near its beginning; only these files are overwritten. */
export function isDrawn(text: string): boolean {
  return /^(<svg |<!doctype html>\n<html )/.test(text) && text.slice(0, 4000).includes(pictureClass);
}

type Values = NonNullable<PictureOptions["data"]>;

export function picturesOf({ dashboards }: Dashboards, data: Values): Picture[] {
  const pictures = dashboards.map((dashboard, index) => ({
    ...drawn(dashboard.name, index, (options) => drawDashboard(dashboard, { data, ...options })),
    url: dashboard.url,
    tags: dashboard.tags,
    summary: summaryOf(dashboard),
    changes: [],
    tiles: tilesInWords(dashboard),
  }));
  return toldApart(pictures);
}

/** The pictures, with a number behind each dashboard name that several dashboards have. */
function toldApart(pictures: readonly Picture[]): Picture[] {
  const counts = new Map<string, number>();
  for (const { name } of pictures) counts.set(name, (counts.get(name) ?? 0) + 1);
  return pictures.map((picture, index) => {
    const { name } = picture;
    const isShared = counts.get(name) !== 1;
    return isShared ? { ...picture, name: `${name} (${index + 1})` } : picture;
  });
}

/** Pictures of each dashboard before and after a change. Changed dashboards come first. */
export function picturesOfChange(before: Dashboards, after: Dashboards, data: Values): Picture[] {
  const changes = compareDashboards(before, after);
  const inOrder = [...changes.filter((change) => !isUnchanged(change)), ...changes.filter(isUnchanged)];
  const pictures = inOrder.map((change, index) => {
    const dashboard = (change.after ?? change.before) as Dashboard;
    return {
      ...drawn(dashboard.name, index, (options) => drawComparison(change, { data, ...options })),
      url: change.after?.url,
      tags: dashboard.tags,
      summary: isUnchanged(change) ? "unchanged" : `${inWords(change)} (${summaryOf(dashboard)})`,
      changes: describeChange(change),
      tiles: tilesInWords(dashboard),
    };
  });
  return toldApart(pictures);
}

function drawn(name: string, index: number, draw: (options: PictureOptions) => string) {
  return {
    name,
    file: `${index + 1}${fileNameOf(name)}.svg`,
    picture: draw({}),
    wide: draw({ styled: false, titled: false }),
    narrow: draw({ styled: false, titled: false, form: "stack" }),
  };
}

/** A dashboard's name as a part of a file name for any file system; empty if the name has no Latin letter or digit. */
function fileNameOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/[a-z0-9]+/g);
  return words ? `-${words.join("-").slice(0, 60)}` : "";
}

function tilesInWords({ tiles }: Dashboard): string[] {
  return tiles.map((tile) => describeTile(tile));
}

/** The number of a dashboard's tiles with each type of change: `1 moved, 2 added`. */
function inWords({ before, after, tiles }: DashboardChange): string {
  if (!before || !after) return before ? "removed" : "added";
  const counts = (["added", "removed", "moved", "resized", "changed"] as const).flatMap((mark) => {
    const count = tiles.filter(({ marks }) => marks.includes(mark)).length;
    return count > 0 ? [`${count} ${mark}`] : [];
  });
  return counts.join(", ") || "changed";
}
