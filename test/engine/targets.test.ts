import { expect } from "chai";
import { useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const tile = (name: string) =>
  `{ name: "${name}", x: 0, y: 0, w: 6, h: 4, series: [{ type: "time", aggFn: "count", where: "", groupBy: [] }] }`;
const rule = `threshold: 5, thresholdType: "above", interval: "5m", channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" }`;

/** Makes a program with a dashboard, alerts on its tiles, and another dashboard that changes in the same commit. */
const program = (tiles: readonly string[], tag: string) => `
const board = new Dashboard("board", { name: "Board", tiles: [${tiles.map(tile)}] });
${tiles.map((name) => `new Alert("${name}", { source: "tile", dashboardId: board.id, tileId: board.tileIds["${name}"], ${rule} });`).join("\n")}
new Dashboard("other", { name: "Other", tiles: [], tags: ["${tag}"] });`;

describe("An update limited by --target", () => {
  const fixture = useFixture({ host: hostUnlessTold("dynamic"), judged: true });

  it("an update with --target succeeds despite an untargeted alert on a tile that does not exist yet", async () => {
    await fixture.apply(program(["Errors"], "a"));
    await fixture.write(program(["Errors", "Rows"], "b"));
    await fixture.preview({ args: ["--target", "**other"] });
    await fixture.up({ args: ["--skip-preview", "--target", "**other"] });
    const { dashboards, alerts } = fixture.sandbox.store;
    expect([...dashboards.values()].find(({ name }) => name === "Other")?.tags).to.deep.equal(["b"]);
    expect(alerts.size).to.equal(1);
    await fixture.up();
    expect(alerts.size).to.equal(2);
  });
});
