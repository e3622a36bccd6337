import { notKnownYet } from "./changedPaths";
import { gridOf } from "./grid";
import type { Dashboard, Members, Tile } from "./model";

/** The tiles that share a grid: those in no container, in one container, or in one tab. */
export interface TileGrid {
  /** The title of the container and the tab. */
  readonly title?: string;
  readonly tiles: readonly Tile[];
}

/** The grids of a dashboard from top to bottom. The grid of the tiles in no container comes first. */
export function gridsOf({
  tiles,
  members: dashboardMembers,
}: Pick<Dashboard, "tiles" | "members">): TileGrid[] {
  const titles = titlesOf(dashboardMembers.containers);
  const keys = new Set([gridOf({}), ...titles.keys(), ...tiles.map((tile) => gridOf(tile.members))]);
  const grids = [...keys].map((key) => ({
    title: key === gridOf({}) ? undefined : (titles.get(key) ?? "(no container)"),
    tiles: tiles.filter((tile) => gridOf(tile.members) === key),
  }));
  return grids.filter(({ tiles }) => tiles.length > 0);
}

function titlesOf(containers: unknown): ReadonlyMap<string, string> {
  const titles = membersIn(containers).flatMap(({ id, title, tabs }) => [
    [gridOf({ containerId: id }), titleText(title)] as const,
    ...membersIn(tabs).map(
      (tab) =>
        [
          gridOf({ containerId: id, tabId: tab.id }),
          `${titleText(title)} › ${titleText(tab.title)}`,
        ] as const,
    ),
  ]);
  return new Map(titles);
}

function membersIn(list: unknown): Members[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "object" && entry !== null) : [];
}

function titleText(title: unknown): string {
  return typeof title === "symbol" ? notKnownYet : typeof title === "string" ? title : "(no title)";
}
