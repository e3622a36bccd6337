import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { drawDashboard, readDashboards } from "../../../drawing";
import { columns, findOverlaps, gridOf, intersection } from "../../../drawing/grid";
import type { Area } from "../../../drawing/model";
import { resolveSettings } from "../../../provider/api/settings";
import { Session } from "../../../provider/lifecycle/session";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import { laidOut } from "../../../provider/resources/dashboard/layout";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { evaluate } from "../programs/evaluate";

type Placed = Area & PropertyMap & { readonly name: string };

const place = (tiles: readonly PropertyMap[], sizes?: PropertyMap) =>
  laidOut(tiles, sizes) as readonly Placed[];
const areas = (tiles: readonly PropertyMap[]) =>
  place(tiles).map(({ name, x, y, w, h }) => [name, x, y, w, h]);
const kind = (name: string, displayType: string, members: object = {}) => ({
  ...{ name, config: { displayType, sourceId: "logs", select: [{ aggFn: "count" }] } },
  ...members,
});

const size = { w: fc.integer({ min: 1, max: columns }), h: fc.integer({ min: 1, max: 12 }) };
const grid = fc.constantFrom({}, {}, { containerId: "a" }, { containerId: "a", tabId: "b" });
const flowing = fc
  .tuple(
    fc.record({ ...size, row: fc.boolean() }, { requiredKeys: [] }),
    fc.constantFrom("line", "number", "table", "markdown", "pie"),
    grid,
  )
  .map(([tile, displayType, within]) => kind("", displayType, { ...tile, ...within }) as PropertyMap);
const declared = fc
  .record({ ...size, x: fc.nat(columns - 1), y: fc.nat(30) })
  .map(({ x, w, ...rest }) => ({ name: "declared", ...rest, x, w: Math.min(w, columns - x) }) as PropertyMap);
const named = (tiles: readonly PropertyMap[]): PropertyMap[] =>
  tiles.map((tile, index) => ({ ...tile, name: `${index}` }));
const flow = fc.array(flowing, { maxLength: 30 }).map(named);
/** Generates lists of tiles in which some have declared positions that do not overlap and the others have none. */
const mixed = fc
  .array(fc.oneof({ weight: 3, arbitrary: flowing }, declared), { maxLength: 25 })
  .map((tiles) => {
    const kept: PropertyMap[] = [];
    for (const tile of tiles) {
      const isFree = kept.every(
        (one) => one.x === undefined || tile.x === undefined || !intersection(one as Placed, tile as Placed),
      );
      if (isFree) kept.push(tile);
    }
    return named(kept);
  });

function grids(tiles: readonly Placed[]): Placed[][] {
  return [...new Set(tiles.map(gridOf))].map((grid) => tiles.filter((tile) => gridOf(tile) === grid));
}

/**
 * Computes where ClickStack's page puts the tiles of an opened dashboard: from top to bottom, each tile moves up until it
 * touches another. Returns the y of each tile.
 */
function compacted(tiles: readonly Placed[]): Map<string, number> {
  const settled: Placed[] = [];
  for (const tile of [...tiles].sort((a, b) => a.y - b.y || a.x - b.x)) {
    let moved = tile;
    const isBlocked = (y: number) => settled.some((one) => intersection(one, { ...tile, y }) !== undefined);
    while (moved.y > 0 && !isBlocked(moved.y - 1)) moved = { ...moved, y: moved.y - 1 };
    settled.push(moved);
  }
  return new Map(settled.map(({ name, y }) => [name, y]));
}

describe("The layout of a dashboard", () => {
  it("the layout of a dashboard fills its rows with tiles in the default size of their kind", () => {
    expect(
      areas([
        kind("Rate", "number"),
        kind("Errors", "number"),
        kind("Requests", "line"),
        kind("Duration", "heatmap"),
        kind("Notes", "markdown"),
        kind("Slowest", "table"),
        { name: "Old", series: [{ type: "time" }] },
        { name: "Total", series: [{ type: "number" }] },
      ]),
    ).to.deep.equal([
      ["Rate", 0, 0, 6, 6],
      ["Errors", 6, 0, 6, 6],
      ["Requests", 12, 0, 12, 10],
      ["Duration", 0, 6, 12, 10],
      ["Notes", 12, 10, 12, 8],
      ["Slowest", 0, 18, 24, 12],
      ["Old", 0, 30, 12, 10],
      ["Total", 12, 30, 6, 6],
    ]);
  });

  it("the layout of a dashboard finds each tile a free place in the grid beside declared positions", () => {
    fc.assert(
      fc.property(mixed, (tiles) => {
        const placed = place(tiles);
        for (const tiles of grids(placed)) expect(findOverlaps(tiles, (tile) => tile)).to.deep.equal([]);
        for (const { x, w } of placed) expect([x >= 0, x + w <= columns]).to.deep.equal([true, true]);
        for (const [index, tile] of tiles.entries())
          if (tile.x !== undefined) expect(placed[index]).to.deep.include(tile);
      }),
      { numRuns: 1000 },
    );
  });

  it("the layout of a dashboard keeps the order of the program in each row and column", () => {
    fc.assert(
      fc.property(flow, (tiles) => {
        for (const placed of grids(place(tiles)))
          for (const [index, tile] of placed.entries()) {
            const before = placed[index - 1];
            const isFull = before !== undefined && before.x + before.w + tile.w > columns;
            const asks = tiles[Number(tile.name)]?.row === true;
            expect(tile.x).to.equal(!before || isFull || asks ? 0 : before.x + before.w);
            for (const above of placed.slice(0, index))
              if (above.x < tile.x + tile.w && tile.x < above.x + above.w)
                expect(above.y + above.h).to.be.at.most(tile.y);
          }
      }),
      { numRuns: 1000 },
    );
  });

  it("an added tile moves only tiles that follow it", () => {
    fc.assert(
      fc.property(mixed, flowing, fc.nat(), (tiles, added, position) => {
        const at = position % (tiles.length + 1);
        const placed = place([...tiles.slice(0, at), { ...added, name: "added" }, ...tiles.slice(at)]);
        expect(placed.slice(0, at)).to.deep.equal(place(tiles).slice(0, at));
      }),
      { numRuns: 1000 },
    );
  });

  it("the layout of a dashboard leaves no gap above a tile", () => {
    fc.assert(
      fc.property(flow, (tiles) => {
        for (const placed of grids(place(tiles))) {
          const moved = compacted(placed);
          expect(placed.map(({ name }) => moved.get(name))).to.deep.equal(placed.map(({ y }) => y));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("the layout of a dashboard leaves unknown only the positions that a preview cannot compute", () => {
    const tiles = [kind("A", "line"), kind("B", "line", { w: unknown }), kind("C", "line", { h: 3 })];
    expect(areas(tiles)).to.deep.equal([
      ["A", 0, 0, 12, 10],
      ["B", unknown, unknown, unknown, 10],
      ["C", unknown, unknown, 12, 3],
    ]);
    const placed = { name: "D", x: unknown, y: 0, w: 2, h: 2 };
    expect(areas([kind("A", "line"), placed])[0]).to.deep.equal(["A", unknown, unknown, 12, 10]);
    expect(areas([{ name: "E", config: unknown }])).to.deep.equal([
      ["E", unknown, unknown, unknown, unknown],
    ]);
  });
});

describe("The picture of a layout in the documents", () => {
  // With `npm run golden` this test draws the picture of a dashboard's layout in the documents anew.
  it("the page about dashboards shows the layout of the program beside the picture", () => {
    const docs = join(__dirname, "..", "..", "..", "docs");
    const [, section = ""] = readFileSync(join(docs, "dashboards.md"), "utf8").split("\n## Layout\n");
    const [, program = ""] = /```typescript\n([\s\S]*?)```/.exec(section) ?? [];
    const declared: PropertyMap[] = [];
    const config = { require: () => "65f1c0a2b3d4e5f607182911" };
    const pipestack = {
      Dashboard: class {
        constructor(_name: string, args: PropertyMap) {
          declared.push(args);
        }
      },
    };
    const imports = 'import * as pipestack from "pipestack";\nimport config from "config";\n';
    evaluate(imports + program, { pipestack, config: { __esModule: true, default: config } });
    const drawn = declared.map((one) => dashboardResource.complete?.(one).inputs);
    const [dashboard] = readDashboards({ dashboards: drawn, alerts: [] }).dashboards;
    const picture = `${dashboard && drawDashboard(dashboard)}\n`;
    const file = join(docs, "layout.svg");
    if (process.env.PIPESTACK_WRITE_GOLDEN) writeFileSync(file, picture);
    expect(picture === readFileSync(file, "utf8"), "docs/layout.svg differs").to.equal(true);
  });
});

describe("The check of a dashboard's layout", () => {
  const settings: PropertyMap = {
    dialect: "clickhouse",
    obsBaseUrl: "http://127.0.0.1:9",
    accessToken: "token",
    validateDashboards: "false",
  };
  const session = () =>
    new Session(() => resolveSettings([(name) => settings[name] as string | undefined]), {
      warn: () => undefined,
      info: () => undefined,
    });
  const sourceId = "65f1c0a2b3d4e5f607182911";
  const check = (news: PropertyMap, olds: PropertyMap = {}) =>
    dashboardResource.check(olds, { name: "D", ...news }, session());
  const failuresOf = async (news: PropertyMap) =>
    (await check(news)).failures.map(({ path, message }) => `${path} ${message}`);

  const counted = (displayType: string, further: PropertyMap = {}) => ({
    displayType,
    select: [{ aggFn: "count" }],
    ...further,
  });
  const where = "ServiceName:checkout";
  const ofErrors = [{ aggFn: "count", where: "SeverityText:error" }];
  const old = { type: "number", aggFn: "count", whereLanguage: "sql" };
  const raw = { displayType: "number", configType: "sql", sqlTemplate: "SELECT 1" };
  const search = { displayType: "search", select: "Body", where: "" };
  /** Tiles of a program, each with the position, the width and the content properties that the check fills in. */
  const filledIn: readonly (readonly [
    tile: PropertyMap & { config?: PropertyMap },
    area: number[],
    content: PropertyMap,
  ])[] = [
    [
      { name: "Requests", config: counted("line") },
      [0, 0, 12],
      { config: { sourceId, select: [{ aggFn: "count", where }] } },
    ],
    [
      { name: "Errors", row: true, config: counted("number", { sourceId: "other", select: ofErrors }) },
      [0, 4, 6],
      {},
    ],
    [{ name: "Raw", w: 6, config: raw }, [6, 4, 6], { config: { connectionId: "c" } }],
    [{ name: "Old", series: [old] }, [12, 0, 6], { series: [{ sourceId, ...old }] }],
    [{ name: "All", config: search }, [0, 8, 24], { config: { sourceId } }],
    [{ name: "Notes", config: { displayType: "markdown" } }, [0, 12, 12], {}],
  ];

  it("the check of a dashboard turns the properties defaults and row into properties of its tiles", async () => {
    const defaults = { sourceId, connectionId: "c", where, h: 4 };
    const { inputs, failures } = await check({ defaults, tiles: filledIn.map(([tile]) => tile) });
    expect(failures).to.deep.equal([]);
    const tiles = filledIn.map(([{ row, config, ...tile }, [x, y, w], content]) => ({
      ...{ ...tile, x, y, w, h: 4, ...content },
      ...(config && { config: { ...config, ...(content.config as PropertyMap) } }),
    }));
    expect(inputs).to.deep.equal({ name: "D", tiles });
  });

  it("the sources and filters of tiles are unknown while the property defaults is unknown", async () => {
    const { inputs, failures } = await check({
      defaults: unknown,
      tiles: [
        { name: "A", w: 6, h: 2, config: { displayType: "line", select: [{ aggFn: "count", where: "" }] } },
      ],
    });
    expect(failures).to.deep.equal([]);
    expect(inputs.tiles).to.deep.equal([
      {
        ...{ name: "A", x: 0, y: 0, w: 6, h: 2 },
        config: {
          ...{ sourceId: unknown, displayType: "line" },
          select: [{ aggFn: "count", where: "", whereLanguage: unknown }],
        },
      },
    ]);
  });

  it("the check of a dashboard names each invalid property of its layout", async () => {
    const text = kind("A", "markdown", { config: { displayType: "markdown" } });
    expect(
      await failuresOf({
        defaults: { sourceID: "x", w: 0 },
        tiles: [
          { ...text, x: 1 },
          { ...text, y: 1, name: "B" },
          { ...text, row: "yes", name: "C" },
        ],
      }),
    ).to.have.members([
      "defaults.sourceID is not a valid property; did you mean sourceId?",
      "defaults.w must be a number of at least 1",
      'tiles["A"].y is required if x is declared; without both, the tile follows the one before it',
      'tiles["B"].x is required if y is declared; without both, the tile follows the one before it',
      'tiles["C"].row must be true or false',
    ]);
  });
});
