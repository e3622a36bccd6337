import { expect } from "chai";
import { useFixture } from "./fixture";

describe("a secret name of a tile", () => {
  const fixture = useFixture({ host: "plugin" });
  const program = (width: number, end = "") => `
for (const [host, { Dashboard }] of Object.entries({ plugin: globalThis, dynamic: require("pipestack") })) {
  const series = [{ type: "number", aggFn: "count", where: "" }];
  const tile = (name, x) => ({ name, x, y: 0, w: ${width}, h: 4, series });
  new Dashboard(host + "Secret", { name: host, tiles: [tile(pulumi.secret("Payroll"), 0), tile("Events", 8)] });
  const shown = new Dashboard(host + "Shown", { name: host, tiles: [tile("Errors", 0)] });
  exports[host] = shown.tileIds.Errors;
}${end}`;
  const expectHidden = async () => {
    expect(await fixture.stateFile()).to.not.include("Payroll");
    expect(fixture.transcript()).to.not.include("Payroll");
    const { deployment } = await fixture.exportState();
    for (const host of ["plugin", "dynamic"]) {
      const idsOf = (name: string) =>
        deployment.resources?.find(({ urn }) => urn.endsWith(`::${host}${name}`))?.outputs?.tileIds;
      expect(idsOf("Secret")).to.have.keys("4dabf18193072939515e22adb298388d", "ciphertext");
      expect(idsOf("Shown")).to.have.keys("Errors");
    }
  };

  it("stands in no state and no message through the life of a dashboard, in both hosts", async () => {
    await fixture.write(program(6));
    await fixture.up();
    await expectHidden();
    await fixture.refresh();
    await expectHidden();
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    await fixture.write(program(9));
    await fixture.up();
    await expectHidden();
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  });

  it("stands in no error of a program that uses a name which no tile has", async () => {
    const wrong = `
exports.wrong = new (require("pipestack").Dashboard)("wrong", {
  name: "wrong",
  tiles: [{ name: pulumi.secret("Payroll"), x: 0, y: 0, w: 6, h: 4, series: [] }],
}).tileIds.Payrol;`;
    await fixture.write(program(9, wrong));
    const { output } = await fixture.preview({ expect: "failure" });
    expect(output)
      .to.include("dashboard wrong has no tile of the name in tileIds")
      .and.not.include("Payroll");
  });
});
