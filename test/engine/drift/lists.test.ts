import { expect } from "chai";
import { calls, forget, useFixture } from "../fixture";

const alerts = 500;
const dashboards = 100;

describe("a refresh of many objects", () => {
  const fixture = useFixture();

  it(`of ${alerts} alerts and ${dashboards} dashboards takes two list requests`, async () => {
    const webhookId = [...fixture.sandbox.store.webhooks.keys()][0];
    await fixture.apply(
      `
      for (let index = 0; index < ${dashboards}; index++) new Dashboard("dashboard" + index, { name: "D" + index, tiles: [] });
      for (let index = 0; index < ${alerts}; index++) new Alert("alert" + index, {
        threshold: index, interval: "5m", thresholdType: "above", source: "search",
        channel: { type: "webhook", webhookId: "${webhookId}" },
      });`,
      { args: ["--parallel", "64"] },
    );
    // Before the first creation of each kind there is one list, to tell what was there before.
    expect(fixture.sandbox.requests).to.have.length(alerts + dashboards + 2);

    forget(fixture.sandbox);
    const { output } = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect(output).to.include(`${alerts + dashboards + 1} unchanged`);
    expect(calls(fixture.sandbox).sort()).to.deep.equal(["GET /stack/alerts", "GET /stack/dashboards"]);
  });
});
