import { expect } from "chai";
import { calls, forget, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const alertOf = (threshold: number) => ({
  ...{ source: "search", threshold, thresholdType: "above", interval: "5m" },
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
});
const alertsOf = (thresholds: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(thresholds).map(([key, threshold]) => [key, alertOf(threshold)]));

const host = hostUnlessTold("plugin");

describe("AlertSets in the engine", () => {
  const fixture = useFixture({ host, judged: true });
  const write = (alerts: object, more = "") =>
    fixture.write(`const set = new AlertSet("all", ${JSON.stringify({ alerts })});
exports.ids = set.ids;
exports.first = set.ids.apply((ids) => ids.a);
${more}`);
  const writes = () => calls(fixture.sandbox).filter((line) => !line.startsWith("GET"));
  const ids = async () => (await fixture.outputsOf("all")).ids as Readonly<Record<string, string>>;
  const three = alertsOf({ a: 1, b: 2, c: 3 });
  let a = "";

  it("after a refused alert, the next update of an AlertSet creates only the missing alert", async () => {
    const { sandbox } = fixture;
    await write(three);
    await sandbox.faults.set([{ kind: "400", operation: "createAlert", nth: 2 }]);
    const { output } = await fixture.up({ expect: "failure" });
    expect(output).to.match(/1 of 3 alerts failed, .*: alerts\["[abc]"\]: .*the request is refused/);
    await sandbox.faults.clear();
    const { outputs = {} } = await fixture.resource("all");
    expect(Object.keys(outputs.ids as object)).to.have.length(2);
    forget(sandbox);
    if (host === "plugin")
      expect((await fixture.preview({ args: ["--diff"] })).stdout).to.match(/~ alerts: \{\s+\+ [abc]: \{/);
    await fixture.up();
    expect(writes()).to.deep.equal(["POST /stack/alerts"]);
    a = (await ids()).a as string;
  });

  it("a preview of an AlertSet shows the alerts that change", async () => {
    await write(alertsOf({ a: 10, c: 30, d: 4 }));
    const { stdout } = await fixture.preview({ args: ["--diff"] });
    expect(stdout).to.match(/~ a: \{\s+~ threshold: 1 => 10\s+\}\s+- b: \{[^~]*~ c: \{[^+]*\+ d: \{/);
  });

  it("after a refused change, the next update of an AlertSet makes only the missing change", async () => {
    const { sandbox } = fixture;
    await sandbox.faults.set([{ kind: "400", operation: "updateAlert", nth: 2 }]);
    await fixture.up({ expect: "failure" });
    await sandbox.faults.clear();
    forget(sandbox);
    await fixture.up();
    expect(writes()).to.deep.equal(["PUT /api/v2/alerts/{id}"]);
    expect(Object.keys(await ids())).to.deep.equal(["a", "c", "d"]);
    expect((await fixture.outputs()).first).to.equal(a);
  });

  it("an update with a refresh restores a drifted alert of an AlertSet", async () => {
    Object.assign(fixture.sandbox.store.alerts.get(a) ?? {}, { threshold: 99 });
    expect((await fixture.up({ args: ["--refresh"] })).summary).to.include({ update: 1 });
    expect(fixture.sandbox.store.alerts.get(a)).to.include({ threshold: 10 });
  });

  it("destroying an AlertSet deletes each of its alerts", async () => {
    await fixture.destroy();
    expect(fixture.sandbox.store.alerts.size).to.equal(0);
  });
});
