import { expect } from "chai";
import { readDashboards } from "../../../drawing";

/** Stands for a value that is not known yet. */
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

describe("The reader of dashboards and alerts", () => {
  it("puts an alert on its tile by either name of the dashboard's id", () => {
    const { dashboardId, ...rest } = alert;
    const names = [alert, { ...rest, dashboard: dashboardId }, rest, { ...rest, dashboardId: unknownValue }];
    for (const one of names) {
      const { only, others } = read({ tiles: [tile, { ...tile, id: "t2", name: "Other" }] }, one);
      expect(only.tiles.map(({ alerts }) => alerts.length)).to.deep.equal([1, 0]);
      expect([...only.alerts, ...others]).to.deep.equal([]);
    }
  });

  it("keeps the address of a page, and nothing that a browser would run", () => {
    const url = "https://x.example.com/dashboards/a";
    expect(read({ tiles: [tile], url }, { ...alert, url }).only).to.include({ url });
    expect(read({ tiles: [], url }).only.members).to.not.have.property("url");
    for (const odd of ["javascript:alert(1)//https://", "//x.example.com", " https://x", 5, unknownValue])
      expect(read({ url: odd }, { ...alert, url: odd }).only, String(odd)).to.not.have.property("url");
  });

  it("puts an alert on an unknown tile on its dashboard, or on the only tile", () => {
    const unknown = { ...alert, tileId: unknownValue };
    const two = read({ tiles: [tile, { ...tile, id: "t2", name: "Other" }] }, unknown).only;
    expect(two.alerts).to.have.length(1);
    expect(two.alerts[0]?.subject).to.equal("a tile not known yet");
    expect(read({ tiles: [tile] }, unknown).only.tiles[0]?.alerts).to.have.length(1);
  });

  it("names a tile in PromQL, of which it knows no series, and a heatmap of a series", () => {
    const select = [{ aggFn: "max", metricName: "cpu", metricType: "gauge" }];
    const tiles = [
      { ...tile, series: undefined, config: { displayType: "line", configType: "promql", query: "up" } },
      { ...tile, series: undefined, config: { displayType: "heatmap", heatmapMode: "series", select } },
    ];
    const shown = read({ tiles }).only.tiles.map(({ kindName, kind, series }) => [
      kindName,
      kind,
      series.length,
    ]);
    expect(shown).to.deep.equal([
      ["line in PromQL", "line", 0],
      ["heatmap", "other", 1],
    ]);
  });

  it("keeps alerts on searches and on other dashboards by themselves", () => {
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

  it("passes over the former tile of an alert on a search", () => {
    for (const source of ["search", "saved_search"]) {
      const { only, others } = read({ tiles: [tile] }, { ...alert, source });
      expect(only.tiles[0]?.alerts).to.deep.equal([]);
      expect(others.map(({ subject }) => subject)).to.deep.equal(["a saved search"]);
    }
  });

  it("passes over the end of a range unless the alert is about a range", () => {
    const types = ["above", "between", "not_between"];
    const alerts = types.map((thresholdType) => ({ ...alert, thresholdType, thresholdMax: 9 }));
    const { only } = read({ tiles: [tile] }, ...alerts);
    expect(only.tiles[0]?.alerts.map(({ thresholdMax }) => thresholdMax)).to.deep.equal([undefined, 9, 9]);
  });

  it("reads no language of a filter that is missing", () => {
    const series = [{ type: "time", where: "", whereLanguage: "sql" }];
    expect(read({ tiles: [{ ...tile, series }] }).only.tiles[0]?.series[0]?.whereLanguage).to.equal(
      undefined,
    );
  });

  it("reads numbers in text, and leaves out an invalid area of a tile", () => {
    const areaOf = (changed: object) => read({ tiles: [{ ...tile, ...changed }] }).only.tiles[0]?.area;
    expect(areaOf({ x: "3", w: "4" })).to.deep.equal({ x: 3, y: 0, w: 4, h: 4 });
    for (const wrong of [
      ...[{ x: unknownValue }, { x: -1 }, { w: 0 }, { h: 1e9 }, { y: unknownValue }, { y: null }],
      ...[{ y: "" }, { x: [1] }, { w: Number.NaN }],
    ])
      expect(areaOf(wrong), JSON.stringify(wrong)).to.equal(undefined);
  });

  it("shows placeholders for an unknown or missing name", () => {
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

  it("the reader takes any values without an error", () => {
    const entries = [null, [], { series: {}, config: 5 }];
    const odd = [null, 1, "x", [], {}, { tiles: 3 }, { tiles: entries, tags: "t", name: {} }];
    const { dashboards } = readDashboards({
      dashboards: odd,
      alerts: [null, 2, { threshold: {}, thresholdType: 4 }, { thresholdType: "constructor" }],
    });
    expect(dashboards).to.have.length(3);
  });
});
