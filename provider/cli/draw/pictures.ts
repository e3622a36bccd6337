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
  summaryOf,
} from "../../../drawing";
import type { Section } from "./page";

/** One dashboard, drawn for a file and for the page. */
export interface Picture extends Section {
  /** Name of the file. */
  readonly file: string;
  /** The picture as a file of its own. */
  readonly picture: string;
}

type Values = NonNullable<PictureOptions["data"]>;

/** A picture of each dashboard. */
export function picturesOf({ dashboards }: Dashboards, data: Values): Picture[] {
  return dashboards.map((dashboard, index) => ({
    ...drawn(dashboard.name, index, (options) => drawDashboard(dashboard, { data, ...options })),
    tags: dashboard.tags,
    summary: summaryOf(dashboard),
    changes: [],
    tiles: tilesInWords(dashboard),
  }));
}

/** A picture of each dashboard before and after, those first that have changed. */
export function picturesOfChange(before: Dashboards, after: Dashboards, data: Values): Picture[] {
  const changes = compareDashboards(before, after);
  const inOrder = [...changes.filter((one) => !isUnchanged(one)), ...changes.filter(isUnchanged)];
  return inOrder.map((change, index) => {
    const shown = (change.after ?? change.before) as Dashboard;
    return {
      ...drawn(shown.name, index, (options) => drawComparison(change, { data, ...options })),
      tags: shown.tags,
      summary: isUnchanged(change) ? "unchanged" : `${inWords(change)} (${summaryOf(shown)})`,
      changes: describeChange(change),
      tiles: tilesInWords(shown),
    };
  });
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

/** What any file system takes, and nothing for a name without a letter of the Latin script. */
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

/** How many tiles have which mark: `1 moved, 2 added`. */
function inWords({ before, after, tiles }: DashboardChange): string {
  if (!before || !after) return before ? "removed" : "added";
  const counts = (["added", "removed", "moved", "resized", "changed"] as const).flatMap((mark) => {
    const count = tiles.filter(({ marks }) => marks.includes(mark)).length;
    return count > 0 ? [`${count} ${mark}`] : [];
  });
  return counts.join(", ") || "changed";
}
