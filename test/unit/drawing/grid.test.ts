import { expect } from "chai";
import fc from "fast-check";
import { columnScale, findGaps, findOverlaps, intersection, rowScale } from "../../../drawing/grid";
import type { Area } from "../../../drawing/model";

const whole = (least: number, most: number) => fc.integer({ min: least, max: most });
const area: fc.Arbitrary<Area> = fc.record({
  x: whole(0, 23),
  y: whole(0, 30),
  w: whole(1, 24),
  h: whole(1, 12),
});
const areas = fc.array(area, { maxLength: 12 });
/** Draws any coordinate that a picture of a dashboard may get, including fractions and very large values. */
const from = (min: number) => fc.double({ min, max: 1e6, noNaN: true });
const anyArea: fc.Arbitrary<Area> = fc.record({ x: from(0), y: from(0), w: from(0.01), h: from(0.01) });

function cells({ x, y, w, h }: Area): string[] {
  const found: string[] = [];
  for (let column = x; column < Math.min(x + w, 24); column++)
    for (let row = y; row < y + h; row++) found.push(`${column} ${row}`);
  return found;
}

describe("The grid of a dashboard", () => {
  it("the gaps of a dashboard are exactly the cells without a tile above the end of the lowest tile", () => {
    fc.assert(
      fc.property(areas, (tiles) => {
        const lowest = Math.max(0, ...tiles.map(({ y, h }) => y + h));
        const covered = new Set(tiles.flatMap(cells));
        const all = lowest === 0 ? [] : cells({ x: 0, y: 0, w: 24, h: lowest });
        const inGaps = findGaps(tiles).flatMap(cells);
        expect(inGaps.sort()).to.deep.equal(all.filter((cell) => !covered.has(cell)).sort());
      }),
    );
  });

  it("the overlaps in a dashboard's grid are exactly the pairs of tiles that share an area", () => {
    fc.assert(
      fc.property(areas, (tiles) => {
        const found = findOverlaps(tiles, (tile) => tile);
        const shared = (one: Area, other: Area) =>
          one.x < other.x + other.w &&
          other.x < one.x + one.w &&
          one.y < other.y + other.h &&
          other.y < one.y + one.h;
        const pairs = tiles.flatMap((first, index) =>
          tiles.slice(index + 1).flatMap((second) => (shared(first, second) ? [[first, second]] : [])),
        );
        expect(found.map(({ first, second }) => [first, second])).to.deep.equal(pairs);
        for (const { first, second, area: common } of found) {
          for (const tile of [first, second]) expect(intersection(tile, common)).to.deep.equal(common);
        }
      }),
    );
  });

  it("a picture of a dashboard is not higher than the dashboard", () => {
    fc.assert(
      fc.property(fc.array(anyArea, { minLength: 1, maxLength: 8 }), (tiles) => {
        const down = rowScale(tiles, 40);
        for (const { y, h } of tiles) expect(down.at(y + h)).to.be.at.most((y + h) * 40 + 1e-6);
        expect(down.length).to.be.at.most(2 * tiles.length * 16 * 40);
      }),
    );
  });

  it("a picture of a dashboard keeps the order of its rows and columns", () => {
    fc.assert(
      fc.property(fc.array(anyArea, { minLength: 1, maxLength: 8 }), (tiles) => {
        const down = rowScale(tiles, 40);
        const across = columnScale(tiles, 48);
        for (const { x, y, w, h } of tiles) {
          expect(down.at(y)).to.be.within(0, down.length);
          expect(down.at(y + h)).to.be.within(down.at(y), down.length);
          expect(across.at(x + w)).to.be.within(across.at(x), across.length);
        }
      }),
    );
  });
});
