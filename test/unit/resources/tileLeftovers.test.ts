import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { place, useService } from "../lifecycle/service";

describe("What the page leaves in the tiles of a dashboard", () => {
  const service = useService({ dialect: "clickhouse" });
  const sourceId = "65f1c0a2b3d4e5f607182911";
  const series = { where: "", whereLanguage: "lucene" };
  const select = [
    { ...series, aggFn: "count", valueExpression: "Duration" },
    { ...series, aggFn: "max", valueExpression: "Duration", level: 0.95 },
  ];
  const program = {
    ...{ ...place, name: "Board" },
    tiles: [{ name: "Lines", x: 0, y: 0, w: 6, h: 4, config: { displayType: "line", sourceId, select } }],
  };
  const clean = [
    { ...series, aggFn: "count" },
    { ...series, aggFn: "max", valueExpression: "Duration" },
  ];
  const declared = {
    ...program,
    tiles: program.tiles.map((tile) => ({ ...tile, config: { ...tile.config, select: clean } })),
  };

  async function withLeftovers() {
    const settings = { dialect: "clickhouse" } as const;
    const { id, state } = await resources.Dashboard.create(declared, service.open(settings).session);
    const record = service.stored(id, "Dashboard") as { tiles: { config: Data }[] };
    for (const tile of record.tiles) tile.config = { ...tile.config, select };
    return { id, state, record, session: service.open(settings).session };
  }

  it("is not sent back by an update of something else", async () => {
    const { id, state, session } = await withLeftovers();
    await resources.Dashboard.update(id, state, { ...declared, name: "Other" }, session);
    expect(service.stored(id, "Dashboard")).to.include({ name: "Other" });
  });

  it("is left out by an import", async () => {
    const { id, session } = await withLeftovers();
    const imported = (await importObject(resources.Dashboard, id, {}, session)) as { inputs: Data };
    const { config } = (imported.inputs.tiles as { config: { select: Data[] } }[])[0] ?? {};
    expect(config?.select.map(({ aggFn, level }) => [aggFn, level])).to.deep.equal([
      ["count", undefined],
      ["max", undefined],
    ]);
    expect(config?.select[0]?.valueExpression ?? "").to.equal("");
  });
});
