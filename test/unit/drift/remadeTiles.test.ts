import { expect } from "chai";
import type { PropertyMap } from "../../../provider/values/data";
import { sessionOfProduct, useProduct } from "../resources/product";
import { Declared } from "./fixture";

type Tile = PropertyMap & { readonly config: PropertyMap };

const place = { y: 0, w: 12, h: 4 };
const sourceId = "65f1c0a2b3d4e5f607182911";
const series = [{ type: "time", aggFn: "count", groupBy: ["host"], sourceId }];
const config = { displayType: "line", sourceId, select: [{ aggFn: "count" }] };
const tiles = [
  { name: "Errors", x: 0, ...place, series },
  { name: "Rate", x: 12, ...place, config },
];

const anew = (tile: Tile, changed: PropertyMap = {}) => ({
  ...tile,
  ...changed,
  id: "aaaaaaaaaaaaaaaaaaaaaaaa",
});
const configured = (tile: Tile, changed: PropertyMap) =>
  anew(tile, { config: { ...tile.config, ...changed } });
const filledIn = { numberFormat: { output: "number" }, granularity: "auto", fillNulls: false };
const sum = { select: [{ aggFn: "sum", valueExpression: "Duration" }] };

describe("A refresh of a dashboard whose tiles somebody has changed", () => {
  const product = useProduct();

  for (const [title, change, drifted] of [
    ["finds no drift where a tile of series was made anew", (errors, rate) => [anew(errors), rate], []],
    [
      "finds no drift in members that the service and its page fill in",
      (errors, rate) => [errors, configured(rate, filledIn)],
      [],
    ],
    [
      "finds only the name of a tile that was made anew under another one",
      (errors, rate) => [anew(errors, { name: "Failures" }), rate],
      ["tiles[0].name"],
    ],
    [
      "finds the member that differs, and no other",
      (errors, rate) => [errors, configured(rate, sum)],
      ["tiles[1].config.select[0].aggFn"],
    ],
    [
      "finds tiles that swapped their places, in whatever order the service answers them",
      (errors, rate) => [
        { ...rate, x: 0 },
        { ...errors, x: 12 },
      ],
      ["tiles[0].x", "tiles[1].x"],
    ],
  ] as [string, (errors: Tile, rate: Tile) => PropertyMap[], string[]][])
    it(`a refresh of a dashboard shows drift only where the content of tiles differs: it ${title}`, async () => {
      const declared = new Declared("Dashboard", { name: "Ingestion", tiles });
      await declared.up(product.session);
      const stored = product.sandbox.store.dashboards.get(declared.id) as unknown as { tiles: Tile[] };
      const [errors, rate] = structuredClone(stored.tiles) as [Tile, Tile];
      stored.tiles = change(errors, rate) as Tile[];
      expect(await declared.refresh(sessionOfProduct(product.sandbox).session)).to.deep.equal(drifted);
    });
});
