import { expect } from "chai";
import { useFixture } from "../engine/fixture";
import { builtPipestack } from "../pipestackCommand";
import { useBrowser } from "./browser";

const program = `
const dashboard = new Dashboard("ingestion", {
  name: "Ingestion",
  tiles: [
    {
      name: "Errors", x: 0, y: 0, w: 16, h: 6,
      series: [
        { type: "time", dataSource: "Logs", aggFn: "count", where: "SeverityText:error", groupBy: ["ServiceName"] },
      ],
    },
  ],
});
new Alert("errors", {
  name: "Too many errors", source: "tile", dashboardId: dashboard.id, tileId: dashboard.tileIds.Errors,
  threshold: 100, thresholdType: "above", interval: "5m",
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
});
`;

describe("the demo by hand, on the console", function () {
  this.timeout(120_000);
  const browser = useBrowser();
  const fixture = useFixture({ sandbox: { consolePort: 0 } });

  it("shows what a program has made, drifts by a change of a threshold, and shows the repair, all without a reload", async () => {
    const drift = () => builtPipestack(["drift"], fixture.folder, fixture.environment);
    const { page, problems } = await browser.open();
    await page.goto(`${fixture.sandbox.consoleUrl}/#/dashboards`);
    await page.getByText("This service has no dashboards.").waitFor();

    await fixture.apply(program);
    await page.getByRole("link", { name: "Ingestion" }).click();
    await page
      .getByRole("img", { name: /^Errors, chart over time.*Too many errors: ▲ above 100, every 5m$/ })
      .waitFor();

    await page.getByRole("button", { name: "Too many errors: ▲ above 100, every 5m" }).click();
    await page.getByLabel("Threshold").fill("9999");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Too many errors: ▲ above 9,999, every 5m" }).waitFor();

    const found = await drift();
    expect(found.code, found.stderr).to.equal(7);
    expect(found.stdout).to.match(/errors +threshold +100 +9999/);

    await fixture.up({ args: ["--refresh"] });
    await page.getByRole("button", { name: "Too many errors: ▲ above 100, every 5m" }).waitFor();
    await page.getByText(/PUT \/api\/v2\/alerts\//).waitFor();
    expect((await drift()).stdout).to.equal("No drift in 2 resources.\n");
    expect(problems).to.deep.equal([]);
  });
});
