/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import type { Locator } from "playwright-core";
import { dashboard } from "../sandbox/requests";
import { everyKind, logs, useConsole } from "./console";

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

  it("shows the quantile that a tile names, and says that it reads no SQL", async () => {
    const quantile = { type: "number", dataSource: "Metrics", aggFn: "quantile", where: "" };
    const series = {
      Named: { ...quantile, level: 0.95 },
      P95: { ...quantile, aggFn: "p95" },
      Median: quantile,
      SQL: { ...quantile, where: "ServiceName = 'api'", whereLanguage: "sql" },
    };
    const tiles = Object.entries(series).map(([name, one], index) => ({
      ...{ name, x: index * 6, y: 0, w: 6, h: 4 },
      series: [one],
    }));
    const { id } = await tested.create({ name: "Quantiles", tiles });
    const { page } = await tested.browser.open();
    await page.clock.setFixedTime("2026-03-12T17:00:00Z");
    await tested.at(page, `dashboards/${id}`);
    const [named, p95, median] = await Promise.all(
      ["Named", "P95", "Median"].map((name) =>
        page.getByRole("article", { name }).locator(".figure").textContent(),
      ),
    );
    expect(named).to.equal(p95).and.to.not.equal(median);
    await page.getByText("the sandbox reads no SQL").waitFor();
  });

  it("shows every group of a number, and not the largest one as if it were all", async () => {
    const series = [{ type: "number", dataSource: logs, aggFn: "count", groupBy: ["ServiceName"] }];
    const tiles = [{ name: "Events", x: 0, y: 0, w: 8, h: 6, series }];
    const { id } = await tested.create({ name: "Groups", tiles });
    const { page } = await tested.open(`dashboards/${id}`);
    const table = page.getByRole("table", { name: "Events" });
    await table.waitFor();
    expect(await table.getByRole("rowheader").allTextContents()).to.deep.equal(["api", "web", "worker"]);
  });

  it("breaks a line where there were no events, and shows a lonely value as a dot", async () => {
    const { id } = await tested.create();
    const { page } = await tested.browser.open();
    await page.route("**/series", async (route) => {
      const { startTime, endTime, bucketLength } = route.request().postDataJSON();
      const buckets = (endTime - startTime) / bucketLength;
      const filled = [1, 2, 3, 4, 5, buckets / 2, buckets - 3, buckets - 2];
      const points = filled.map((index) => ({ tsBucket: startTime + index * bucketLength, values: [57] }));
      await route.fulfill({ json: { points } });
    });
    await tested.at(page, `dashboards/${id}`);
    const canvas = page.getByRole("img", { name: /^Errors, chart over time/ }).locator("canvas");
    expect(await colouredStretches(canvas)).to.equal(3);
  });

  /** How many stretches of a picture, from left to right, have something in the colour of the first series. */
  async function colouredStretches(canvas: Locator): Promise<number> {
    const columns = await canvas.evaluate((element: HTMLCanvasElement) => {
      const { width, height } = element;
      const colour = getComputedStyle(element).getPropertyValue("--series-0").trim();
      const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
      const pixels = element.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      return Array.from({ length: width }, (_, x) =>
        Array.from({ length: height }, (_, y) => (y * width + x) * 4).some(
          (at) =>
            (pixels[at + 3] ?? 0) > 60 &&
            wanted.every((value, part) => Math.abs((pixels[at + part] ?? 0) - value) < 30),
        ),
      );
    });
    return columns.filter((isColoured, x) => isColoured && !columns[x - 1]).length;
  }
});
