import { expect } from "chai";
import { importObject } from "../../../provider/lifecycle/read";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { place, useService } from "../lifecycle/scriptedService";

describe("Properties that the console leaves in the tiles of a dashboard", () => {
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
    const record = service.stored(id, "Dashboard") as { tiles: { config: PropertyMap }[] };
    for (const tile of record.tiles) tile.config = { ...tile.config, select };
    return { id, state, record, session: service.open(settings).session };
  }

  it("an update of a dashboard does not send back properties that the console has left in its tiles", async () => {
    const { id, state, session } = await withLeftovers();
    await resources.Dashboard.update(id, state, { ...declared, name: "Other" }, session);
    expect(service.stored(id, "Dashboard")).to.include({ name: "Other" });
  });

  it("pulumi import names the properties left by the console that it leaves out", async () => {
    const { id } = await withLeftovers();
    const { session, notices } = service.open({ dialect: "clickhouse" });
    const imported = (await importObject(resources.Dashboard, id, {}, session)) as { inputs: PropertyMap };
    expect(notices).to.deep.equal([
      `Dashboard ${id}: the import leaves out tiles["Lines"].config.select[0].valueExpression, tiles["Lines"].config.select[1].level, which the service shows and takes in no request`,
    ]);
    const { config } = (imported.inputs.tiles as { config: { select: PropertyMap[] } }[])[0] ?? {};
    expect(config?.select.map(({ aggFn, level }) => [aggFn, level])).to.deep.equal([
      ["count", undefined],
      ["max", undefined],
    ]);
    expect(config?.select[0]?.valueExpression ?? "").to.equal("");
  });
});

for (const [via, version, expression] of [
  ["observability", "2.36", "Value"],
  ["observability", "2.46", ""],
  ["management", "2.46", "Value"],
] as const)
  describe(`Metric tiles without a value expression, via ${via} on a server of version ${version}`, () => {
    const service = useService({ dialect: "clickhouse", version });
    const settings = { dialect: "clickhouse", observabilityVia: via } as const;
    const metric = { aggFn: "avg", metricName: "cpu", metricType: "gauge", whereLanguage: "lucene" };
    const program = (series: PropertyMap) => ({
      ...{ ...place, name: "Board" },
      tiles: [
        {
          ...{ name: "Load", x: 0, y: 0, w: 6, h: 4 },
          config: { displayType: "line", sourceId: "65f1c0a2b3d4e5f607182913", select: [series] },
        },
      ],
    });
    const seriesOf = (id: string) =>
      (service.stored(id, "Dashboard") as { tiles: { config: { select: PropertyMap[] } }[] }).tiles[0]?.config
        .select[0];

    it("a metric tile that declares no value expression is created without drift", async () => {
      const { session } = service.open(settings);
      const { inputs, failures } = await resources.Dashboard.check({}, program(metric), session);
      expect(failures).to.deep.equal([]);
      const { id, state } = await resources.Dashboard.create(inputs, session);
      expect(seriesOf(id)).to.include({ valueExpression: expression });
      const live = await resources.Dashboard.read(id, state, service.open(settings).session);
      expect((live as { inputs: PropertyMap }).inputs.tiles).to.deep.equal(inputs.tiles);
    });

    it("an update accepts a metric tile whose value expression the product's templates have left empty", async () => {
      const { id, state } = await resources.Dashboard.create(
        program({ ...metric, valueExpression: "Value" }),
        service.open(settings).session,
      );
      Object.assign(seriesOf(id) ?? {}, { valueExpression: "" });
      const { session, warnings } = service.open(settings);
      await resources.Dashboard.update(id, state, { ...program(metric), name: "Other" }, session);
      expect(service.stored(id, "Dashboard")).to.include({ name: "Other" });
      expect(seriesOf(id)).to.include({ valueExpression: expression });
      expect(warnings).to.deep.equal([]);
    });
  });
