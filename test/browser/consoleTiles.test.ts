/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import { dashboard } from "../sandbox/requests";
import { everyKind, useConsole } from "./console";

describe("the tiles of the console", () => {
  const tested = useConsole();

  it("draws a tile's values with the threshold, and marks overlaps and gaps", async () => {
    const { id, alertId } = await tested.create();
    const { page } = await tested.open(`dashboards/${id}`);
    const chart = page.getByRole("img", { name: /^Errors, chart over time/ });
    await chart.waitFor();
    expect(await chart.getAttribute("aria-label")).to.match(
      /^Errors, chart over time\. api: latest \d+, highest \d{3} at \d\d:\d\d\. .*Too many errors: ▲ above 100, every 5m$/,
    );
    const picture = () => chart.locator("canvas").evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    const before = await picture();
    expect(before.length).to.be.above(5000);
    Object.assign(tested.sandbox.store.alerts.get(alertId) ?? {}, { threshold: 300 });
    await page.getByRole("button", { name: "Too many errors: ▲ above 300, every 5m" }).waitFor();
    expect(await picture()).to.not.equal(before);
    await page.getByText(/^\d+(\.\d+)?k in the last 24h$/).waitFor();
    await page.getByText("the sandbox has no column Host").waitFor();
    await page.getByText("Load and Services overlap (x 10, y 8, 2 × 4)").waitFor();
    await page.getByText("Empty: x 16, y 14, 8 × 4").waitFor();
    await page.getByText("A tile of kind “heatmap” has no sample data.").waitFor();
    await page.getByText("7 days").click();
    await page.getByText(/^\d+(\.\d+)?[kM] in the last 7d$/).waitFor();
  });

  it("shows two hundred tiles", async () => {
    const tiles = Array.from({ length: 200 }, (_, index) => ({
      ...everyKind.tiles[0],
      ...{ name: `Tile ${index}`, x: (index % 4) * 6, y: Math.floor(index / 4) * 4, w: 6, h: 4 },
    }));
    const { id } = await tested.create({ ...dashboard, tiles });
    const { page, problems } = await tested.open(`dashboards/${id}`);
    await page.getByRole("img", { name: /^Tile 199, chart over time/ }).waitFor();
    expect(await page.locator("canvas").count()).to.equal(200);
    expect(problems).to.deep.equal([]);
  });
});
