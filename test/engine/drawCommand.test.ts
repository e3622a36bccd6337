import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { builtPipestack } from "../pipestackCommand";
import { useFixture } from "./fixture";

/**
 * A program with two dashboards and their alerts. The environment variable CHANGED=true gives it the changes of a pull request.
 */
const program = `
const changed = process.env.CHANGED === "true";
const series = (type, where = "") => [{ type, aggFn: "count", where, groupBy: [] }];
const dashboard = new Dashboard("ingestion", { name: "Ingestion", tags: ["production"], tiles: [
  { name: "Errors", x: 0, y: 0, w: changed ? 24 : 16, h: 6, series: series("time", "SeverityText:error") },
  { name: "Events", x: changed ? 0 : 16, y: changed ? 6 : 0, w: 8, h: 6, series: series("number") },
  changed
    ? { name: "Warnings", x: 8, y: 6, w: 16, h: 6, series: series("time", "SeverityText:warn") }
    : { name: "All", x: 0, y: 6, w: 24, h: 4, series: series("time") },
] });
const on = (name, tile, threshold) => new Alert(name, {
  name, source: "tile", dashboardId: dashboard.id, tileId: dashboard.tileIds[tile], threshold, thresholdType: "above",
  interval: "5m", channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
});
on("errors", "Errors", changed ? 60 : 45);
if (changed) on("warnings", "Warnings", 200);
new Dashboard("other", { name: "Other <b>markup</b>", tiles: [] });
`;

describe("pipestack draw for stacks that the real engine deploys", () => {
  const fixture = useFixture();
  const draw = async (...args: string[]) => {
    const { code, stdout, stderr } = await builtPipestack(
      ["draw", ...args],
      fixture.folder,
      fixture.environment,
    );
    expect(code, stderr).to.equal(0);
    expect(stderr).to.equal("");
    return stdout;
  };
  const drawn = (...path: string[]) => readFile(join(fixture.folder, ...path), "utf8");

  before(async () => {
    await fixture.write(program);
  });

  it("pipestack draw compares the deployed dashboards with those of a changed program", async () => {
    // `pipestack draw` sets this environment variable for the preview that it runs. An update must ignore the variable.
    await fixture.up({ environment: { PIPESTACK_DRAWN_PREVIEW: "true" } });
    const { alerts, dashboards } = fixture.sandbox.store;
    const tiles = [...dashboards.values()].flatMap((dashboard) => dashboard.tiles);
    expect([...alerts.values()].map(({ tileId }) => tileId)).to.deep.equal([
      tiles.find(({ name }) => name === "Errors")?.id,
    ]);
    await writeFile(join(fixture.folder, "before.json"), await draw("--state", "--json"));
    fixture.environment.CHANGED = "true";
    const report = await draw("--before", "before.json", "--out", "change");
    expect(report.split("\n").slice(1)).to.deep.equal([
      "  1-ingestion.svg  Ingestion: 1 added, 1 removed, 1 moved, 1 resized, 1 changed (3 tiles, 2 alerts)",
      "    Errors: resized from x 0, y 0, 16 × 6 to x 0, y 0, 24 × 6; alert errors: ▲ above 45, every 5m → ▲ above 60, every 5m",
      "    Events: moved from x 16, y 0, 8 × 6 to x 0, y 6, 8 × 6",
      "    Warnings: added",
      "    All: removed",
      "  2-other-b-markup-b.svg  Other <b>markup</b>: unchanged",
      "",
    ]);
    expect(await drawn("change", "1-ingestion.svg"))
      .to.include("BEFORE")
      .and.include("AFTER");
  });
});
