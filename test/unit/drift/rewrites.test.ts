import { expect } from "chai";
import { createSandbox } from "../../../sandbox/index";
import { Declared, sessionOf } from "./fixture";

describe("A refresh of a dashboard whose tiles the service answers in another order", () => {
  it("finds the tiles that somebody swapped", async () => {
    const sandbox = await createSandbox({ rewrites: ["reorderedTiles"] });
    try {
      const tile = { y: 0, w: 6, h: 4, series: [{ type: "number" }] };
      const tiles = [
        { ...tile, name: "Errors", x: 0 },
        { ...tile, name: "Rows", x: 12 },
      ];
      const dashboard = new Declared("Dashboard", { name: "Ingestion", tiles });
      await dashboard.up(sessionOf(sandbox).session);
      expect(await dashboard.refresh(sessionOf(sandbox).session)).to.deep.equal([]);
      const [errors, rows] = sandbox.store.dashboards.get(dashboard.id)?.tiles ?? [];
      Object.assign(errors ?? {}, { x: 12 });
      Object.assign(rows ?? {}, { x: 0 });
      expect(await dashboard.refresh(sessionOf(sandbox).session)).to.deep.equal(["tiles[0].x", "tiles[1].x"]);
    } finally {
      await sandbox.close();
    }
  });
});
