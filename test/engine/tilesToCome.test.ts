import { expect } from "chai";
import { calls, useFixture } from "./fixture";

const rule = {
  ...{ threshold: 5, thresholdType: "above", interval: "5m" },
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
};
const select = [{ aggFn: "count" }];
const program = `
// Its id is unknown in the preview, and so is the content of the tiles as a whole.
const { id: sourceId } = new Webhook("source", { name: "Source", service: "generic", url: "https://hooks.example.com/s" });
const board = new Dashboard("board", {
  name: "Board",
  tiles: [
    { name: "Slowest", config: { displayType: "table", sourceId, select: ${JSON.stringify(select)} } },
    { name: "Errors", config: { displayType: "line", sourceId, select: ${JSON.stringify(select)} } },
  ],
});
const rule = ${JSON.stringify(rule)};`;

describe("Alerts on tiles of a dashboard that does not exist yet", () => {
  const fixture = useFixture({ host: "dynamic", sandbox: { dialect: "clickhouse" } });

  it("the first preview refuses an alert on a table, by tile() and by tileIds", async () => {
    for (const reference of [
      `...board.tile("Slowest")`,
      `source: "tile", dashboardId: board.id, tileId: board.tileIds.Slowest`,
    ]) {
      await fixture.write(`${program}\nnew Alert("slow", { ...rule, ${reference} });`);
      const { output } = await fixture.preview({ expect: "failure" });
      expect(output).to.include('is the tile "Slowest" of the dashboard "board", a table, whose alerts');
    }
    await fixture.write(`${program}\nnew Alert("errors", { ...rule, ...board.tile("Errors") });`);
    await fixture.preview();
    expect(calls(fixture.sandbox).filter((line) => line.startsWith("POST"))).to.deep.equal([]);
  });
});
