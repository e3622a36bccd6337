import { expect } from "chai";
import { readDashboards } from "../../../drawing";

/** A value that takes the place of one that a preview does not know. */
const unknownValue = Symbol("unknown");

const id = "66f0c2d8a1b2c3d4e5f60718";
const tile = {
  ...{ id: "t1", name: "Errors", x: 0, y: 0, w: 12, h: 4 },
  series: [{ type: "time", aggFn: "count", groupBy: ["host"] }],
};
const alert = {
  ...{ name: "Too many", dashboardId: id, tileId: "t1" },
  ...{ threshold: 5, thresholdType: "above", interval: "5m" },
};
const read = (dashboard: object, ...alerts: object[]) => {
  const listing = { dashboards: [{ id, name: "D", ...dashboard }], alerts };
  const { dashboards, alerts: others } = readDashboards(listing);
  const [only] = dashboards;
  if (!only) throw new Error("nothing was read");
  return { only, others };
};

describe("The reading of dashboards and alerts by pipestack draw", () => {
  it("pipestack draw finds the tile of an alert even if no property has the dashboard's id", () => {
    const { dashboardId, ...rest } = alert;
    const names = [alert, { ...rest, dashboard: dashboardId }, rest, { ...rest, dashboardId: unknownValue }];
    for (const one of names) {
      const { only, others } = read({ tiles: [tile, { ...tile, id: "t2", name: "Other" }] }, one);
      expect(only.tiles.map(({ alerts }) => alerts.length)).to.deep.equal([1, 0]);
      expect([...only.alerts, ...others]).to.deep.equal([]);
    }
  });

  it("pipestack draw keeps the URL of a dashboard's page, but no URL that a browser could execute", () => {
    const url = "https://x.example.com/dashboards/a";
    expect(read({ tiles: [tile], url }, { ...alert, url }).only).to.include({ url });
    expect(read({ tiles: [], url }).only.members).to.not.have.property("url");
    for (const odd of ["javascript:alert(1)//https://", "//x.example.com", " https://x", 5, unknownValue])
      expect(read({ url: odd }, { ...alert, url: odd }).only, String(odd)).to.not.have.property("url");
  });

  it("pipestack draw puts an alert whose tile is not known yet on its dashboard", () => {
    const unknown = { ...alert, tileId: unknownValue };
    const two = read({ tiles: [tile, { ...tile, id: "t2", name: "Other" }] }, unknown).only;
    expect(two.alerts).to.have.length(1);
    expect(two.alerts[0]?.subject).to.equal("a tile not known yet");
  });

  it("pipestack draw puts an alert whose tile is not known yet on the only tile of its dashboard", () => {
    const unknown = { ...alert, tileId: unknownValue };
    expect(read({ tiles: [tile] }, unknown).only.tiles[0]?.alerts).to.have.length(1);
  });

  const shownOf = (config: object) =>
    read({ tiles: [{ ...tile, series: undefined, config }] }).only.tiles.map(({ kindName, kind, series }) => [
      kindName,
      kind,
      series.length,
    ]);

  it("pipestack draw names the kind of a tile in PromQL without its series", () => {
    const config = { displayType: "line", configType: "promql", query: "up" };
    expect(shownOf(config)).to.deep.equal([["line in PromQL", "line", 0]]);
  });

  it("pipestack draw names the kind of a heatmap of a series", () => {
    const select = [{ aggFn: "max", metricName: "cpu", metricType: "gauge" }];
    const config = { displayType: "heatmap", heatmapMode: "series", select };
    expect(shownOf(config)).to.deep.equal([["heatmap", "other", 1]]);
  });

  it("pipestack draw lists alerts that are not on a tile of the drawn dashboard apart from it", () => {
    const { others } = read(
      { tiles: [tile] },
      { ...alert, source: "search", tileId: undefined, dashboardId: undefined },
      { ...alert, source: "inline" },
      { ...alert, dashboardId: "another" },
    );
    expect(others.map(({ subject }) => subject)).to.deep.equal([
      "a saved search",
      "a chart of its own",
      "a tile of another dashboard",
    ]);
  });

  it("pipestack draw ignores the former tile of an alert that now watches a search", () => {
    for (const source of ["search", "saved_search"]) {
      const { only, others } = read({ tiles: [tile] }, { ...alert, source });
      expect(only.tiles[0]?.alerts).to.deep.equal([]);
      expect(others.map(({ subject }) => subject)).to.deep.equal(["a saved search"]);
    }
  });

  it("pipestack draw ignores the upper end of an alert's range unless its threshold type is a range", () => {
    const types = ["above", "between", "not_between"];
    const alerts = types.map((thresholdType) => ({ ...alert, thresholdType, thresholdMax: 9 }));
    const { only } = read({ tiles: [tile] }, ...alerts);
    expect(only.tiles[0]?.alerts.map(({ thresholdMax }) => thresholdMax)).to.deep.equal([undefined, 9, 9]);
  });

  it("pipestack draw ignores the language of a filter that is empty", () => {
    const series = [{ type: "time", where: "", whereLanguage: "sql" }];
    expect(read({ tiles: [{ ...tile, series }] }).only.tiles[0]?.series[0]?.whereLanguage).to.equal(
      undefined,
    );
  });

  const areaOf = (changed: object) => read({ tiles: [{ ...tile, ...changed }] }).only.tiles[0]?.area;

  it("pipestack draw accepts the numbers of a tile's area as text", () => {
    expect(areaOf({ x: "3", w: "4" })).to.deep.equal({ x: 3, y: 0, w: 4, h: 4 });
  });

  it("pipestack draw leaves out the area of a tile if it is invalid", () => {
    for (const wrong of [
      ...[{ x: unknownValue }, { x: -1 }, { w: 0 }, { h: 1e9 }, { y: unknownValue }, { y: null }],
      ...[{ y: "" }, { x: [1] }, { w: Number.NaN }],
    ])
      expect(areaOf(wrong), JSON.stringify(wrong)).to.equal(undefined);
  });

  it("pipestack draw replaces an unknown or missing name by a placeholder", () => {
    const { only } = read({
      name: unknownValue,
      tiles: [
        { ...tile, name: "" },
        { ...tile, name: unknownValue, id: 7 },
      ],
    });
    expect(only.name).to.equal("(not known yet)");
    expect(only.tiles.map(({ name }) => name)).to.deep.equal(["(no name)", "(not known yet)"]);
  });

  it("pipestack draw accepts any values of dashboards and alerts without an error", () => {
    const entries = [null, [], { series: {}, config: 5 }];
    const odd = [null, 1, "x", [], {}, { tiles: 3 }, { tiles: entries, tags: "t", name: {} }];
    const { dashboards } = readDashboards({
      dashboards: odd,
      alerts: [null, 2, { threshold: {}, thresholdType: 4 }, { thresholdType: "constructor" }],
    });
    expect(dashboards).to.have.length(3);
  });
});
