import { expect } from "chai";
import { useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const alertOf = (threshold: number) => ({
  ...{ source: "search", threshold, thresholdType: "above", interval: "5m" },
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
});
const programOf = (thresholds: Readonly<Record<string, number>>) => {
  const alerts = Object.fromEntries(Object.entries(thresholds).map(([key, at]) => [key, alertOf(at)]));
  return `new AlertSet("all", ${JSON.stringify({ alerts })});`;
};

describe("AlertSets in the engine", () => {
  const fixture = useFixture({ host: hostUnlessTold("plugin"), judged: true });

  it("a preview of an AlertSet shows the alerts that change", async () => {
    await fixture.apply(programOf({ a: 1, b: 2, c: 3 }));
    await fixture.write(programOf({ a: 10, c: 30, d: 4 }));
    const { stdout } = await fixture.preview({ args: ["--diff"] });
    expect(stdout).to.match(/~ a: \{\s+~ threshold: 1 => 10\s+\}\s+- b: \{[^~]*~ c: \{[^+]*\+ d: \{/);
  });
});
