import { expect } from "chai";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { place } from "../api/server";
import { sessionFor } from "../lifecycle/note";

const tile = (name: string, further: PropertyMap = {}) => ({
  ...{ name, w: 12, h: 4, ...further },
  config: { displayType: "line", sourceId: "s", select: [{ aggFn: "count", where: `kind:${name}` }] },
});
const board = (...tiles: unknown[]) => ({ ...place, name: "Board", tiles });

/** Returns the changes that a preview shows between two programs, such as `add tiles[1]`, and its notices. */
async function changesOf(before: PropertyMap, after: PropertyMap, ids?: PropertyMap) {
  const { session, notices } = sessionFor({ validateDashboards: false });
  const { inputs: former } = await resources.Dashboard.check({}, before, session);
  const { inputs } = await resources.Dashboard.check(former, after, session);
  const tileIds =
    ids ?? Object.fromEntries((former.tiles as PropertyMap[]).map(({ name }) => [name, `id ${name}`]));
  const changes = await resources.Dashboard.diff("d", { ...former, tileIds }, inputs, session);
  return [...changes.map(({ kind, path }) => `${kind} ${path}`), ...notices];
}

const [a, b, c, d] = ["A", "B", "C", "D"].map((name) => tile(name));
const series = { config: undefined, series: [{ type: "number", aggFn: "count", where: "" }] };
const many = Array.from({ length: 9 }, (_, index) => tile(`T${index}`, { w: 24 }));
const placed = ["A", "B", "C"].map((name, index) => tile(name, { x: 0, y: 4 * index }));

describe("The changes of the tiles of a dashboard", () => {
  const cases: readonly [
    title: string,
    before: PropertyMap,
    after: PropertyMap,
    changes: readonly string[],
    ids?: PropertyMap,
  ][] = [
    [
      "a tile inserted among tiles that flow is named with those that it moves",
      board(a, b, c, d),
      board(a, tile("E"), b, c, d),
      [
        ...["add tiles[1]", "add tiles[2].name", "add tiles[2].x", "add tiles[2].y"],
        ...["add tiles[3].name", "add tiles[3].x"],
        'Dashboard "Board": the update adds tile "E"; moves tiles "B", "C", "D"',
      ],
    ],
    ["a tile at the end is the only change", board(a, b), board(a, b, c), ["add tiles[2]"]],
    [
      "a tile taken out is named by its former index, with those that it moves",
      board(a, b, c, d),
      board(a, c, d),
      [
        ...["add tiles[1].name", "add tiles[1].x", "add tiles[1].y", "add tiles[2].name", "add tiles[2].x"],
        ...["delete tiles[1]", 'Dashboard "Board": the update removes tile "B"; moves tiles "C", "D"'],
      ],
    ],
    [
      "tiles at their former indexes show former values, and need no sentence",
      { ...board(a, b, c), tags: ["x"] },
      board({ ...a, w: 24 }, b, { ...c, name: "E" }),
      [
        ...["delete tags", "update tiles[0].w", "update tiles[1].x", "update tiles[1].y"],
        ...["update tiles[2].name", "update tiles[2].x"],
      ],
    ],
    [
      "a tile that shows something else under another name takes the place of the former one",
      board(a, b),
      board(a, tile("E")),
      ["update tiles[1]", 'Dashboard "Board": the update adds tile "E"; removes tile "B"'],
    ],
    [
      "a tile that changes at another index shows the values that it has now",
      board({ ...a, ...series, asRatio: true }, b),
      board(tile("E"), tile("F"), { ...a, ...series }, { ...b, h: 5 }),
      [
        ...[
          "add tiles[0]",
          "add tiles[1]",
          "add tiles[2].name",
          "add tiles[2].y",
          "add tiles[3].name",
          "add tiles[3].h",
        ],
        ...["add tiles[3].y", 'Dashboard "Board": the update adds tiles "E", "F"; changes tiles "A", "B"'],
      ],
    ],
    [
      "another order of tiles that stay in their places shows by index",
      board(...placed),
      board(...[...placed].reverse()),
      [0, 2].flatMap((at) =>
        ["name", "y", "config.select[0].where"].map((member) => `update tiles[${at}].${member}`),
      ),
    ],
    [
      "a tile whose name is not known yet leaves the changes by index",
      board(a),
      board({ ...b, name: unknown }, a),
      ["update tiles"],
    ],
    ["tiles without known ids leave the changes by index", board(a), board(b, a), ["update tiles"], {}],
    [
      "of many tiles that move the sentence names five",
      board(...many),
      board(tile("E"), ...many),
      [
        "add tiles[0]",
        ...many.slice(1).flatMap((_, at) => [`add tiles[${at + 1}].name`, `add tiles[${at + 1}].y`]),
        'Dashboard "Board": the update adds tile "E"; moves tiles "T0", "T1", "T2", "T3", "T4" and 4 more',
      ],
    ],
  ];
  for (const [title, before, after, changes, ids] of cases)
    it(title, async () => expect(await changesOf(before, after, ids)).to.deep.equal(changes));
});
