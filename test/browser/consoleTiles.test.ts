/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
import { expect } from "chai";
import type { Page } from "playwright-core";
import { dashboard } from "../sandbox/requests";
import { everyKind, logs, useConsole } from "./console";

describe("Dashboard tiles in the sandbox's console", () => {
  const tested = useConsole();

  it("the console draws a tile's values with its alert's threshold", async () => {
    const { id, alertId } = await tested.create();
    const { page } = await tested.open(`dashboards/${id}`);
    const chart = page.getByRole("img", { name: /^Errors, chart over time/ });
    await chart.waitFor();
    expect(await chart.getAttribute("aria-label")).to.match(
      /^Errors, chart over time\. api: latest \d+, highest \d{3} at \d\d:\d\d [A-Z]+\. .*Too many errors: ▲ above 100, every 5m$/,
    );
    const threshold = () => chart.locator("text.alert").textContent();
    expect(await threshold()).to.equal("100");
    expect(await chart.locator("path.line.s2").count()).to.be.above(0);
    Object.assign(tested.sandbox.store.alerts.get(alertId) ?? {}, { threshold: 300 });
    await page.getByRole("button", { name: "Too many errors: ▲ above 300, every 5m" }).waitFor();
    expect(await threshold()).to.equal("300");
  });

  it("the console marks where tiles overlap", async () => {
    const { page } = await tested.open(`dashboards/${(await tested.create()).id}`);
    await page.getByText("Load and Services overlap (x 10, y 8, 2 × 4)").waitFor();
  });

  it("the console marks where tiles leave a gap", async () => {
    const { page } = await tested.open(`dashboards/${(await tested.create()).id}`);
    await page.getByText("Empty: x 16, y 14, 8 × 4").waitFor();
  });

  it("the console says why tiles have no sample data", async () => {
    const { page } = await tested.open(`dashboards/${(await tested.create()).id}`);
    await page.getByText("unknown column Host").waitFor();
    await page.getByText("Without sample data: heatmap").waitFor();
  });

  it("a number tile in the console shows the value of the chosen time range", async () => {
    const { page } = await tested.open(`dashboards/${(await tested.create()).id}`);
    await page.getByText(/^\d+(\.\d+)?k in the last 24h$/).waitFor();
    await page.getByText("7 days").click();
    await page.getByText(/^\d+(\.\d+)?[kM] in the last 7d$/).waitFor();
  });

  it("the console shows names and thresholds in full on a phone, and short names in narrow tiles", async () => {
    const long = "Errors by service and severity in the last hours";
    const [tile] = everyKind.tiles;
    const tiles = [
      { ...tile, name: long },
      { ...tile, name: "Latency", x: 20, y: 0, w: 4, h: 6 },
    ];
    const { id, alertId } = await tested.create({ ...dashboard, tiles });
    Object.assign(tested.sandbox.store.alerts.get(alertId) ?? {}, { name: long });
    const { page } = await tested.open(`dashboards/${id}`);
    const isCut = (name: string) =>
      page
        .locator(".tile h3, .tile .alert button", { hasText: name })
        .evaluateAll((found) => found.some((one) => one.scrollWidth > one.clientWidth + 1));
    for (const [width, names] of [
      [375, [long, "Latency"]],
      [768, ["Latency"]],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole("heading", { name: "Latency" }).waitFor();
      for (const name of names) expect(await isCut(name), `${name} at ${width} px`).to.equal(false);
    }
  });

  it("the console draws a dashboard of two hundred tiles", async () => {
    const tiles = Array.from({ length: 200 }, (_, index) => ({
      ...everyKind.tiles[0],
      ...{ name: `Tile ${index}`, x: (index % 4) * 6, y: Math.floor(index / 4) * 4, w: 6, h: 4 },
    }));
    const { id } = await tested.create({ ...dashboard, tiles });
    const { page, problems } = await tested.open(`dashboards/${id}`);
    const charts = page.locator(".plot > svg");
    await charts.nth(199).waitFor();
    expect(await charts.count()).to.equal(200);
    expect(problems).to.deep.equal([]);
  });

  it("the console shows a tile's declared quantile, and says that it cannot read a filter in SQL", async () => {
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
    const { page } = await tested.browser.open({});
    await page.clock.setFixedTime("2026-03-12T17:00:00Z");
    await tested.at(page, `dashboards/${id}`);
    const [named, p95, median] = await Promise.all(
      ["Named", "P95", "Median"].map((name) =>
        page.getByRole("article", { name }).locator(".figure").textContent(),
      ),
    );
    expect(named).to.equal(p95).and.to.not.equal(median);
    await page.getByText("the sandbox does not read SQL").waitFor();
  });

  it("a grouped number tile in the console shows every group", async () => {
    const series = [{ type: "number", dataSource: logs, aggFn: "count", groupBy: ["ServiceName"] }];
    const tiles = [{ name: "Events", x: 0, y: 0, w: 8, h: 6, series }];
    const { id } = await tested.create({ name: "Groups", tiles });
    const { page } = await tested.open(`dashboards/${id}`);
    const table = page.getByRole("table", { name: "Events" });
    await table.waitFor();
    expect(await table.getByRole("rowheader").allTextContents()).to.deep.equal(["api", "web", "worker"]);
  });

  /** Opens a dashboard in the console whose tiles all show one series with these values, by the number of the bucket. */
  async function openWith(page: Page, values: (buckets: number) => [bucket: number, value: number][]) {
    const { id } = await tested.create();
    await page.route("**/series", async (route) => {
      const { startTime, endTime, bucketLength = endTime - startTime } = route.request().postDataJSON();
      const points = values((endTime - startTime) / bucketLength).map(([bucket, value]) => ({
        tsBucket: startTime + bucket * bucketLength,
        values: [value],
      }));
      await route.fulfill({ json: { points } });
    });
    await tested.at(page, `dashboards/${id}`);
    const tile = page.getByRole("article", { name: "Errors" });
    await tile.locator("path.line").first().waitFor({ state: "attached" });
    return { tile, legend: tile.locator(".legend"), plot: tile.locator(".plot") };
  }

  it("a chart in the console breaks its line at buckets without events, and shows a single value as a dot", async () => {
    const { page } = await tested.browser.open();
    const { tile } = await openWith(page, (buckets) =>
      [1, 2, 3, 4, 5, buckets / 2, buckets - 3, buckets - 2].map((bucket) => [bucket, 57]),
    );
    expect(await tile.locator("path.line").count()).to.equal(3);
    expect(await tile.locator("path.line.dot").count()).to.equal(1);
  });

  /**
   * Opens a dashboard in the console at 22:30 local time. A tile's chart has 288 buckets of five minutes; the first begins at
   * 17:00 UTC, which is 22:30 local time.
   */
  async function openInKolkata() {
    const { page } = await tested.browser.open({ timezoneId: "Asia/Kolkata" });
    await page.clock.setFixedTime("2026-03-12T17:00:00Z");
    const opened = await openWith(page, (buckets) =>
      Array.from({ length: buckets }, (_, bucket) => [bucket, bucket + 1]),
    );
    await opened.legend.getByText("288", { exact: true }).waitFor();
    const box = await opened.plot.boundingBox();
    if (!box) throw new Error("the chart is not shown");
    return { page, ...opened, box };
  }

  it("a chart in the console shows the values under the pointer with their local time", async () => {
    const { page, tile, legend, box } = await openInKolkata();
    expect(await tile.locator(".cursor").count()).to.equal(0);
    await page.mouse.move(box.x + 44, box.y + 50);
    await legend.getByText("22:30 GMT+5:30").waitFor();
    await legend.getByText("1", { exact: true }).waitFor();
    expect(await tile.locator("circle.f0").count()).to.equal(1);
    await page.mouse.move(box.x + box.width - 8, box.y + 50);
    await legend.getByText("22:25").waitFor();
    await page.mouse.move(0, 0);
    await legend.getByText("22:25").waitFor({ state: "detached" });
  });

  it("the time axis of a chart in the console names the day at local midnight", async () => {
    const { tile, box } = await openInKolkata();
    const midnight = tile.locator("svg text", { hasText: "12 Mar" });
    expect((await midnight.textContent()) ?? "").to.equal("12 Mar");
    const across = ((await midnight.boundingBox())?.x ?? 0) + 17 - box.x;
    expect(across / box.width).to.be.within(0.05, 0.2);
  });

  it("the arrow keys move through a tile's values in the console, and a screen reader hears each", async () => {
    const { page } = await tested.browser.open();
    const { tile, legend } = await openWith(page, (buckets) => [
      [0, 11],
      [buckets - 2, 22],
      [buckets - 1, 33],
    ]);
    const slider = page.getByRole("slider", { name: "Errors: values at" });
    await slider.focus();
    const said = () => slider.getAttribute("aria-valuetext");
    expect(await said()).to.match(/^\d\d:\d\d \S+: count 33$/);
    await page.keyboard.press("ArrowLeft");
    await legend.getByText("22", { exact: true }).waitFor();
    expect(await said()).to.match(/: count 22$/);
    expect(await tile.locator(".cursor").count()).to.equal(1);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await legend.getByText("–", { exact: true }).waitFor();
    expect(await said()).to.match(/: count –$/);
    await page.keyboard.press("Tab");
    await legend.getByText("33", { exact: true }).waitFor();
  });

  for (const [colorScheme, colour] of [
    ["light", "rgb(47, 107, 208)"],
    ["dark", "rgb(121, 168, 255)"],
  ] as const) {
    it(`the console draws lines and legend in the colours of the ${colorScheme} theme`, async () => {
      const { page } = await tested.browser.open({ colorScheme });
      const { tile } = await openWith(page, () => [[1, 1]]);
      const line = tile.locator("path.line");
      expect(await line.evaluate((path) => getComputedStyle(path).stroke)).to.equal(colour);
      const swatch = tile.locator(".swatch rect").first();
      expect(await swatch.evaluate((rect) => getComputedStyle(rect).fill)).to.equal(colour);
    });
  }
});
