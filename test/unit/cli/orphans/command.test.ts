import { spawn } from "node:child_process";
import { once } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { expect } from "chai";
import { builtBin, settingVariables, withoutSettings } from "../../../pipestackCommand";
import { settingsOf } from "../../../serviceContents";
import { errorOf } from "../runHere";
import { namedTypes, resource, useOrphansFixture } from "./orphansFixture";

describe("The command pipestack orphans", () => {
  const fixture = useOrphansFixture();
  const { state, addAlert, addDashboard } = fixture;
  const run = (args: string[]) => fixture.pipestack(["orphans", ...args]);

  for (const [what, only] of [
    ["lists of types in any letter case", ["alert, DASHBOARD"]],
    ["repeated options", ["dashboard", "--only", "Alert"]],
  ] as const)
    it(`pipestack orphans accepts ${what}`, async () => {
      const { id, dashboardId } = await addAlert();
      const { id: held } = await addDashboard();
      await state([resource("Dashboard", held)], { name: "one.json" });
      await state([resource("Alert", id)], { name: "two.json" });
      const args = ["--state", "one.json", "--state", "two.json", "--only", ...only, "--json"];
      const { code, stdout } = await run(args);
      expect(code).to.equal(7);
      const report = JSON.parse(stdout);
      expect(report.states).to.deep.equal(["one.json", "two.json"]);
      expect(report.orphans).to.have.length(1);
      expect(report.orphans[0]).to.include({ id: dashboardId, kept: `its alert ${id} stays` });
    });

  it("an error of pipestack orphans names the types that --only accepts", async () => {
    const types = [...namedTypes].reverse().join(", ");
    expect(await errorOf(run(["--state", await state([]), "--only", "ServiceScaling"]))).to.match(
      new RegExp(`^error: .*Expected one or more of ${types}\\.\n$`),
    );
  });

  if (process.platform !== "win32") {
    it("in a terminal, pipestack orphans deletes only confirmed objects that nothing uses meanwhile", async () => {
      const { id: held } = await addDashboard("Held");
      await addDashboard("Agreed");
      await addDashboard("Not agreed");
      const { id: takenOver } = await addDashboard("Taken over");
      const watched = await addDashboard("Watched");
      const file = await state([resource("Dashboard", held)]);
      const { code, printed } = await inTerminal(
        ["orphans", "--state", file, "--delete"],
        [
          [/Delete 4 objects\? .*: $/, () => "o"],
          [/Delete Dashboard \w+ "Agreed"\? .*: $/, () => "y"],
          [/Delete Dashboard \w+ "Not agreed"\? .*: $/, () => ""],
          [
            /Delete Dashboard \w+ "Taken over"\? .*: $/,
            async () => {
              await state([resource("Dashboard", held), resource("Dashboard", takenOver)]);
              return "y";
            },
          ],
          [
            /Delete Dashboard \w+ "Watched"\? .*: $/,
            async () => {
              await addAlert({ dashboardId: watched.id, tileId: watched.tiles[0]?.id });
              return "y";
            },
          ],
        ],
      );
      expect(printed).to.include("1 object deleted.");
      expect(printed.match(/"[\w ]+" was not deleted: /g)).to.have.length(2);
      expect(printed)
        .to.include('"Taken over" was not deleted: a Pulumi state has it by now')
        .and.include('"Watched" was not deleted: an object that stays uses it by now');
      expect(code).to.equal(7);
      const left = [...fixture.sandbox.store.dashboards.values()].map(({ name }) => name);
      expect(left).to.have.members(["Held", "Not agreed", "Taken over", "Watched", "Ingestion"]);
      expect(fixture.sandbox.store.alerts.size).to.equal(1);
    });

    it("in a terminal, pipestack orphans says that it no longer sees what may use an orphan", async () => {
      await addDashboard("Agreed");
      const { printed } = await inTerminal(
        ["orphans", "--state", await state([]), "--delete", "--only", "Dashboard"],
        [
          [
            /Delete 1 object\? .*: $/,
            async () => {
              await fixture.sandbox.faults.set([{ kind: "403", operation: "listAlerts" }]);
              return "a";
            },
          ],
        ],
      );
      await fixture.sandbox.faults.clear();
      expect(printed).to.match(
        /"Agreed" was not deleted: cannot tell which alerts use it: .*listAlerts.* 403/,
      );
      expect(fixture.sandbox.store.dashboards.size).to.equal(1);
    });

    it("in a terminal, pipestack orphans asks the service nothing more if nothing is to be deleted", async () => {
      await addDashboard("Kept");
      const { code, printed } = await inTerminal(
        ["orphans", "--state", await state([]), "--delete"],
        [
          [
            /Delete 1 object\? .*: $/,
            () => {
              fixture.sandbox.requests.length = 0;
              return "n";
            },
          ],
        ],
      );
      expect(printed).to.include("0 objects deleted.");
      expect(fixture.sandbox.requests.map(({ operation }) => operation)).to.deep.equal([]);
      expect(code).to.equal(7);
    });
  }

  /** Runs `pipestack orphans` in a pseudo-terminal, and gives each answer when the text before it is printed. */
  async function inTerminal(args: string[], dialogue: [RegExp, () => string | Promise<string>][]) {
    const line = [process.execPath, ...builtBin, ...args].map((word) => `'${word}'`).join(" ");
    const command =
      process.platform === "linux" ? ["-qec", line, "/dev/null"] : ["-q", "/dev/null", "sh", "-c", line];
    const child = spawn("script", command, {
      cwd: fixture.folder,
      env: { ...withoutSettings(), ...settingVariables(settingsOf(fixture.sandbox)) },
      stdio: ["pipe", "pipe", "inherit"],
      timeout: 15_000,
    });
    const closed = once(child, "close");
    let printed = "";
    for await (const text of child.stdout.setEncoding("utf8")) {
      printed += text;
      const [question, answer] = dialogue[0] ?? [];
      if (!answer || !question?.test(stripVTControlCharacters(printed))) continue;
      dialogue.shift();
      child.stdin.write(`${await answer()}\n`);
    }
    const [code] = await closed;
    return { code, printed };
  }
});
