import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { settingVariables } from "../../../pipestackCommand";
import { settingsOf } from "../../../serviceContents";
import { runHere } from "../runHere";
import { useServiceFixture } from "../serviceFixture";

for (const apis of ["both", "management"] as const)
  describe(`pipestack lint with the APIs: ${apis}`, () => {
    const fixture = useServiceFixture({ apis });
    const lint = (...args: string[]) =>
      runHere(["lint", "--live", ...args], fixture.folder, settingVariables(settingsOf(fixture.sandbox)));

    it("looks at the service with one list of each kind, writes nothing, and ends with 7 for a finding", async () => {
      await fixture.addAlert({ name: "Silent" });
      const from = fixture.sandbox.requests.length;
      const { code, stdout, stderr } = await lint();
      expect([code, stderr]).to.deep.equal([7, ""]);
      expect(stdout).to.match(/^alert-note +Alert Silent +has neither a note nor a message/m);
      expect(stdout).to.match(/\n1 finding in 1 resource\.\n$/);
      const asked = fixture.sandbox.requests.slice(from).map(({ method, path }) => `${method} ${path}`);
      expect(asked.filter((line) => !line.startsWith("GET "))).to.deep.equal([]);
      expect(new Set(asked).size).to.equal(asked.length);
    });

    it("excludes what the project's file names, ends with 0 then, and with 7 once that excludes nothing", async () => {
      await fixture.addAlert({ name: "Silent" });
      const exclusion = { rule: "alert-note", resource: "Silent", reason: "a test" };
      await writeFile(join(fixture.folder, "pipestack.lint.json"), JSON.stringify([exclusion]));
      expect((await lint()).stdout).to.equal("Nothing found.\n");
      await fixture.sandbox.reset();
      const { code, stdout } = await lint("--json");
      expect(code).to.equal(7);
      expect(JSON.parse(stdout)).to.deep.equal({ findings: [], unused: [exclusion] });
    });

    it("finds an alert whose webhook somebody has deleted", async () => {
      await fixture.addAlert({ message: "Look" });
      expect((await lint()).code).to.equal(0);
      fixture.sandbox.store.webhooks.clear();
      expect((await lint("--markdown")).stdout)
        .to.include("alert-channel")
        .and.include("refers to webhook");
    });
  });

describe("pipestack lint with a backtest", () => {
  const fixture = useServiceFixture();

  it("finds thresholds that never and always fired", async () => {
    for (const [name, threshold] of [
      ["Never", 1e9],
      ["Always", 0],
    ] as const)
      await fixture.addAlert({ name, threshold, message: "Look" });
    for (const { tiles } of fixture.sandbox.store.dashboards.values())
      for (const tile of tiles) Object.assign(tile.series?.[0] ?? {}, { groupBy: [] });
    const { code, stdout } = await runHere(
      ["lint", "--live", "--backtest", "1d", "--until", "2025-06-15T18:00:00Z", "--data", "Logs"],
      fixture.folder,
      settingVariables(settingsOf(fixture.sandbox)),
    );
    expect(code).to.equal(7);
    expect(stdout)
      .to.match(/^threshold-never +Alert Never/m)
      .and.match(/^threshold-always +Alert Always/m);
  });
});
