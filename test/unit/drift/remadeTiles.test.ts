import { expect } from "chai";
import type { Data } from "../../../provider/values/data";
import { sessionOfProduct, useProduct } from "../resources/product";
import { Declared } from "./fixture";

describe("Refresh of a dashboard of which somebody has made one tile anew", () => {
  const product = useProduct();

  /** The properties that drift after a change of the first stored tile, which gets an id of its own. */
  async function driftAfter(change: (tiles: Data[]) => Data[]): Promise<string[] | "gone" | "unseen"> {
    const [sourceId] = product.sandbox.store.sources.keys();
    const place = { y: 0, w: 12, h: 4 };
    const tiles = [
      {
        name: "Errors",
        x: 0,
        ...place,
        series: [{ type: "time", aggFn: "count", groupBy: ["host"], sourceId }],
      },
      {
        name: "Rate",
        x: 12,
        ...place,
        config: { displayType: "line", sourceId, select: [{ aggFn: "count" }] },
      },
    ];
    const declared = new Declared("Dashboard", { name: "Ingestion", tiles });
    await declared.up(product.session);
    const stored = product.sandbox.store.dashboards.get(declared.id) as unknown as { tiles: Data[] };
    stored.tiles = change(stored.tiles.map((tile) => structuredClone(tile)));
    return declared.refresh(sessionOfProduct(product.sandbox).session);
  }
  const anew = (tile: Data | undefined) => ({ ...tile, id: "aaaaaaaaaaaaaaaaaaaaaaaa" });

  it("finds no drift where the tile of declared series has the content that the service made of them", async () => {
    expect(await driftAfter(([errors, rate = {}]) => [anew(errors), rate])).to.deep.equal([]);
  });

  it("finds no drift where the tile stands at the end", async () => {
    expect(await driftAfter(([errors, rate = {}]) => [rate, anew(errors)])).to.deep.equal([]);
  });

  it("finds no drift in the members that the service and its page fill in", async () => {
    const filled = { numberFormat: { output: "number" }, granularity: "auto", fillNulls: false };
    expect(
      await driftAfter(([errors = {}, rate]) => [
        errors,
        { ...anew(rate), config: { ...(rate?.config as Data), ...filled } },
      ]),
    ).to.deep.equal([]);
  });

  it("finds only the name where the tile has another one", async () => {
    expect(
      await driftAfter(([errors, rate = {}]) => [{ ...anew(errors), name: "Failures" }, rate]),
    ).to.deep.equal(["tiles[0].name"]);
  });

  it("finds the member that differs, and no other", async () => {
    expect(
      await driftAfter(([errors = {}, rate]) => [
        errors,
        {
          ...anew(rate),
          config: { ...(rate?.config as Data), select: [{ aggFn: "sum", valueExpression: "Duration" }] },
        },
      ]),
    ).to.deep.equal(["tiles[1].config.select[0].aggFn"]);
  });
});
