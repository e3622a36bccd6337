import type { Session } from "../../lifecycle/session";
import type { State } from "../../lifecycle/state";
import { type Change, changes } from "../../values/compare";
import type { PropertyMap } from "../../values/data";
import { firstOf, quoted } from "../../values/wording";
import { dashboardTile } from "./tile";
import { idAt, keysOf, subjectOf, tileIdsIn, tilesIn } from "./tiles";

const verbs = ["adds", "removes", "moves", "changes"] as const;

/** What an update of the dashboard does to one tile. If the tile stays as it is, `verb` is absent. */
interface TileChange {
  readonly verb?: (typeof verbs)[number];
  readonly name: unknown;
  readonly changes: readonly Change[];
}

/**
 * The changes of a dashboard, where each tile is compared with the former tile of the same id, even at another index. The
 * Pulumi engine's diff compares lists by index, and would show another tile's values beside the new ones. So a message also
 * tells which tiles move or change.
 *
 * @param differing the changes of the dashboard with tiles compared by index
 * @param ids the known id of each declared tile
 */
export function withTileChanges(
  differing: readonly Change[],
  inputs: PropertyMap,
  state: State,
  ids: readonly (string | undefined)[],
  session: Session,
): readonly Change[] {
  const beside = differing.filter(({ path }) => !/^tiles\b/.test(path));
  const [olds, news] = [tilesIn(state.tiles), tilesIn(inputs.tiles)];
  const formerIds = keysOf(olds).map((key) => idAt(tileIdsIn(state), key));
  const isKnown = Array.isArray(inputs.tiles) && inputs.tiles.every((tile) => typeof tile?.name === "string");
  if (beside.length === differing.length || !isKnown || formerIds.includes(undefined)) return differing;

  const indexes = new Map(formerIds.map((id, index) => [id, index]));
  const formers = ids.map((id) => indexes.get(id));
  const remaining = new Set(formers);
  const compared = [
    ...news.map((tile, index) => comparedAt(index, tile, formers[index], olds)),
    ...[...olds.entries()].flatMap(([index, { name }]): TileChange[] =>
      remaining.has(index) ? [] : [{ verb: "removes", name, changes: [changeAt(index, "delete")] }],
    ),
  ];
  const ofTiles = atOnePlace(compared.flatMap((tile) => tile.changes));
  if (ofTiles.length === 0) return differing;
  const isElsewhere = formers.some((former, index) => former !== undefined && former !== index);
  const isReplaced = formers.some(
    (former, index) => former === undefined && olds[index] && !remaining.has(index),
  );
  // Only a preview needs the message about moved and changed tiles, since an update is already approved.
  if ((isElsewhere || isReplaced) && !session.hasWritten) {
    const tileChanges = verbs.flatMap((verb) => {
      const names = compared.filter((tile) => tile.verb === verb).map(({ name }) => quoted(name));
      return names.length === 0
        ? []
        : `${verb} ${names.length === 1 ? "tile" : "tiles"} ${firstOf(names, 5)}`;
    });
    session.inform(`${subjectOf(inputs)}: the update ${tileChanges.join("; ")}`);
  }
  return [...beside, ...ofTiles];
}

/**
 * Combines two changes at one path into an update, since the Pulumi engine shows only one change for each path. An update may
 * remove a tile and add another one at its index.
 */
function atOnePlace(changesOfTiles: readonly Change[]): readonly Change[] {
  const byPath = new Map<string, Change>();
  for (const change of changesOfTiles)
    byPath.set(change.path, byPath.has(change.path) ? { ...change, kind: "update" } : change);
  return [...byPath.values()];
}

function comparedAt(
  index: number,
  tile: PropertyMap,
  former: number | undefined,
  olds: readonly PropertyMap[],
): TileChange {
  const { name } = tile;
  if (former === undefined) return { verb: "adds", name, changes: [changeAt(index, "add")] };
  const tileChanges = changes(dashboardTile, olds[former] ?? {}, tile);
  if (tileChanges.length === 0) return { name, changes: [] };
  const verb = tileChanges.every(({ path }) => path === "x" || path === "y") ? "moves" : "changes";
  if (former === index)
    return { verb, name, changes: tileChanges.map(({ path, kind }) => changeAt(index, kind, path)) };
  // A tile whose index has changed is shown with its name and new values only: the Pulumi state has another tile at the new
  // index, whose values would stand beside them. If the list grows, the Pulumi engine itself shows the added tile as a whole.
  const paths = new Set([
    "name",
    ...tileChanges.flatMap(({ path, kind }) => (kind === "delete" ? [] : [path])),
  ]);
  const isShown = index < olds.length || verb === "changes";
  return { verb, name, changes: isShown ? [...paths].map((path) => changeAt(index, "add", path)) : [] };
}

function changeAt(index: number, kind: Change["kind"], member?: string): Change {
  return { path: `tiles[${index}]${member === undefined ? "" : `.${member}`}`, kind, replaces: false };
}
