import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { builtPipestack } from "../pipestackCommand";
import { useFixture } from "./fixture";

/** Properties that the service sets itself. They differ between two objects even if programs declare both in the same way. */
const differing = ["id", "createdAt", "updatedAt"];

describe("A program that monitors two services with four dashboards, fifteen alerts and three SLOs", () => {
  const fixture = useFixture({
    ...{ host: "dynamic", language: "typescript", sandbox: { dialect: "clickhouse" } },
  });
  const objects = () => {
    const { dashboards, alerts } = fixture.sandbox.store;
    const named = [...dashboards.values()].flatMap((board) => [board, ...board.tiles]);
    const names = new Map<unknown, unknown>(named.map(({ id, name }) => [id, name]));
    const plain = (value: object): { name: string } =>
      JSON.parse(
        JSON.stringify(value, (name, member) =>
          differing.includes(name) ? undefined : (names.get(member) ?? member),
        ),
      );
    const all = [...dashboards.values(), ...alerts.values()].map(plain);
    return all.sort((one, other) => (one.name < other.name ? -1 : 1));
  };
  let short = "";

  before(async () => {
    // The test importCommand.test.ts already checks the types of an imported program, so this test skips the check.
    fixture.environment.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
    short = await readFile(join(__dirname, "monitoring", "program.txt"), "utf8");
  });

  it("components make the same objects with a tenth of the lines of an imported program", async () => {
    await fixture.apply(short);
    const made = objects();
    expect(made).to.have.length(4 + 3 + 15 + 12);
    const args = ["import", "--only", "Dashboard,Alert", "--force"];
    const { code, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
    expect(code, stderr).to.equal(0);
    const long = await readFile(join(fixture.folder, "index.ts"), "utf8");
    expect(linesOf(short)).to.be.at.most(linesOf(long) / 10);
    await fixture.destroy();
    expect(objects()).to.deep.equal([]);
    await fixture.apply(long);
    expect(objects()).to.deep.equal(made);
  });
});

function linesOf(program: string): number {
  return program.split("\n").filter((line) => line.trim() !== "").length;
}
