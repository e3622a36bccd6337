import type { Dialect } from "../../sandbox/core/vocabulary";
import type { Data } from "../promises/store";
import { drawAlertArgs, drawAlertTile } from "./drawnProgram";
import { type Step, withEdits } from "./history";
import { add, type Edit, edited, type Program } from "./program";
import type { Random } from "./random";
import type { Behaviour } from "./world/behaviour";

const board = "tboard";

/** Names of services that the tiles of a dashboard show, one for each tile, so that all tile names differ. */
const services = ["checkout", "search", "basket", "login"] as const;

/**
 * Adds a dashboard with alerts on its tiles to the first stack of a simulated history, and changes both together. A tile is
 * replaced by one with another name and content, an alert moves to another tile, tiles are removed with or without their
 * alerts, and the first tile is removed from a loop that names alerts by position.
 */
export function withTileEdits(random: Random, steps: readonly Step[], { dialect }: Behaviour): Step[] {
  const isSet = random.chance(0.3);
  let program: Program = new Map();
  let names = 0;
  const draw = () => {
    const isBegun = program.has(board);
    return Array.from({ length: isBegun ? random.integer(1, 2) : 1 }, () => {
      const drawn = isBegun
        ? change(random, program, dialect, () => `${random.pick(services)} ${++names}`)
        : begin(random, dialect, isSet);
      program = drawn.reduce(edited, program);
      return drawn;
    }).flat();
  };
  return withEdits(steps, draw, "a");
}

/**
 * Adds a dashboard with one tile for each service and one alert on each tile. Each alert is named by the position of its tile,
 * as in a program that declares the alerts in a loop.
 */
function begin(random: Random, dialect: Dialect, isSet: boolean): Edit[] {
  const tiles = services
    .slice(0, random.integer(2, 4))
    .map((name) => ({ ...drawAlertTile(random, dialect), name }));
  const args = { name: "Services", tiles };
  const alerts = tiles.map((_, tile) => alertOn(random, tile, dialect));
  const ofSet = { alerts: Object.fromEntries(alerts.map((one, at) => [`k${at}`, one])) };
  const declared = isSet
    ? [add("tset", { type: "AlertSet", args: ofSet })]
    : alerts.map((one, at) => add(`talert${at}`, { type: "Alert", args: one }));
  return [add(board, { type: "Dashboard", args }), ...declared];
}

function alertOn(random: Random, tile: number, dialect: Dialect): Data {
  const place = { source: "tile", dashboardId: { ref: board }, tileId: { ref: board, tile } };
  return { ...drawAlertArgs(random, dialect), ...place };
}

function change(random: Random, program: Program, dialect: Dialect, freshName: () => string): Edit[] {
  const tiles = (program.get(board)?.args.tiles ?? []) as readonly Data[];
  const alerts = [...program.keys()].filter((name) => name.startsWith("talert"));
  if (tiles.length === 0)
    return [{ edit: "addTile", name: board, tile: { ...drawAlertTile(random, dialect), name: freshName() } }];
  const tile = random.integer(0, tiles.length - 1);
  const name = random.pick(alerts.length > 0 ? alerts : [board]);
  const tileId = { ref: board, tile };
  const replaced: Edit = {
    ...{ edit: "replaceTile", name: board, tile },
    to: { ...drawAlertTile(random, dialect), name: freshName() },
  };
  return random.pick<Edit[]>([
    [replaced],
    [replaced, ...(name === board ? [] : [{ edit: "remove", name } as const])],
    [{ edit: "removeFirstTile", name: board }],
    [{ edit: "setTile", name: board, tile, changed: { name: freshName() } }],
    name === board
      ? [{ edit: "removeTile", name: board }]
      : [
          { edit: "set", name, property: "tileId", value: tileId },
          { edit: "removeFirstTile", name: board },
        ],
    name === board ? [replaced] : [{ edit: "set", name, property: "tileId", value: tileId }],
  ]);
}
