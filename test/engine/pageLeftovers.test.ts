import { expect } from "chai";
import { builtPipestack } from "../pipestackCommand";
import { calls, forget, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const sourceId = "65f1c0a2b3d4e5f607182911";
const counted = { aggFn: "count", where: "", whereLanguage: "lucene" };
const slowest = { aggFn: "max", valueExpression: "Duration", where: "", whereLanguage: "lucene" };
const board = (name: string) => `
new Dashboard("board", ${JSON.stringify({
  name,
  tiles: [
    {
      ...{ name: "Lines", x: 0, y: 0, w: 6, h: 4 },
      config: { displayType: "line", sourceId, select: [counted, slowest] },
    },
  ],
})});`;

const host = hostUnlessTold("dynamic");

describe("Properties that HyperDX's console leaves in tiles, although the API refuses them", () => {
  const fixture = useFixture({ host, sandbox: { dialect: "clickhouse" } });
  /**
   * Adds to tiles the properties that HyperDX's console leaves when a person chooses another aggregate function and changes it
   * back.
   */
  const leave = () => {
    for (const { tiles } of fixture.sandbox.store.dashboards.values())
      for (const tile of tiles)
        if (tile.config?.select)
          tile.config = {
            ...tile.config,
            select: [
              { ...counted, valueExpression: "Duration" },
              { ...slowest, level: 0.95 },
            ],
          };
  };
  const writes = () => calls(fixture.sandbox).filter((line) => !/^GET|validate$/.test(line));

  before(() => {
    fixture.environment.PIPESTACK_DIALECT = "clickhouse";
    fixture.sandbox.store.alerts.clear();
    fixture.sandbox.store.dashboards.clear();
  });

  it("an update of a dashboard succeeds with one request although HyperDX's console has left properties in a tile that the API refuses", async () => {
    await fixture.apply(board("Before"));
    leave();
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    forget(fixture.sandbox);
    await fixture.apply(board("After"));
    expect(writes()).to.deep.equal(["PUT /clickstack/dashboards/{id}"]);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  });

  it("an import succeeds although HyperDX's console has left properties in a tile that the API refuses, and names them", async () => {
    leave();
    const { id } = await fixture.resource("board");
    await fixture.run(["state", "delete", (await fixture.resource("board")).urn, "--yes"]);
    const args = ["import", "--out", "imported", ...(host === "plugin" ? ["--plugin", "python"] : [])];
    const imported = await builtPipestack(args, fixture.folder, fixture.environment);
    expect(imported.code, imported.stderr).to.equal(0);
    expect(imported.stderr)
      .to.include(`Dashboard ${id}: the import leaves out tiles["Lines"].config.select[0].valueExpression`)
      .and.include("select[1].level");
    const options = ["--generate-code=false", "--protect=false", "--yes"];
    const { output } = await fixture.run(["import", "--file", "imported/import.json", ...options]);
    expect(output).to.include("imported").and.not.include("has a problem");
    const state = await fixture.exportState();
    expect(state.deployment.resources?.map((resource) => resource.id)).to.include(id);
  });
});
