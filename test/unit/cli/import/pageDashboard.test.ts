import { expect } from "chai";
import { dashboardOfApi } from "../../../../cli/import/pageDashboard";
import { tilesIn } from "../../../../provider/resources/tiles/tiles";
import { chart, tile } from "./pageFile";

describe("The conversion of a dashboard from the form of the product's page to that of the API", () => {
  it("the conversion of an exported dashboard keeps a tile's name and description, and accepts a tile without a name", () => {
    const tiles = [
      tile("Errors", chart({ description: "Of all hosts." })),
      tile("", chart({ name: undefined })),
    ];
    const { dashboard } = dashboardOfApi({
      tiles,
      tags: ["shop"],
      savedFilterValues: [{ condition: "a = 1" }],
    });
    expect(dashboard).to.deep.include({
      name: "",
      tags: ["shop"],
      savedFilterValues: [{ condition: "a = 1" }],
    });
    const [named, nameless] = tilesIn(dashboard.tiles);
    expect(named).to.include({ name: "Errors", description: "Of all hosts." });
    expect(nameless).to.include({ name: "" }).and.not.have.property("description");
  });

  it("the conversion of an exported dashboard names what it leaves out: PromQL tiles, ad hoc filters and saved filter values", () => {
    const { dashboard, lost } = dashboardOfApi({
      ...{ name: "Board", description: "About." },
      tiles: [tile("Load", { configType: "promql", promqlExpression: "up" })],
      filters: [{ id: "f", type: "ADHOC", name: "Any", sources: ["Logs"] }],
      savedFilterValues: [{ type: "lucene", condition: "level:error" }],
    });
    expect(dashboard).to.deep.equal({ name: "Board", tiles: [] });
    expect(lost).to.deep.equal([
      "the description",
      'the tile "Load" in PromQL',
      'the filter "Any" of the type "ADHOC"',
      'the saved filter value "level:error" of the type "lucene"',
    ]);
  });

  it("the conversion of an exported dashboard removes a container or tab that does not exist from a tile, and keeps an existing one", () => {
    const containers = [
      { id: "main", title: "Main", collapsed: false, bordered: false, tabs: [{ id: "a", title: "A" }] },
    ];
    const tiles = [
      tile("In", chart(), { containerId: "main", tabId: "a" }),
      tile("Out", chart(), { containerId: "gone", tabId: "a" }),
      tile("Beside", chart(), { containerId: "main", tabId: "gone" }),
    ];
    const { dashboard, lost } = dashboardOfApi({ name: "Board", containers, tiles });
    expect(dashboard.containers).to.deep.equal([
      { id: "main", title: "Main", bordered: false, tabs: [{ id: "a", title: "A" }] },
    ]);
    const [within, without, beside] = tilesIn(dashboard.tiles);
    expect(beside).to.include({ containerId: "main" }).and.not.have.property("tabId");
    expect(within).to.include({ containerId: "main", tabId: "a" });
    expect(without).to.not.have.any.keys("containerId", "tabId");
    expect(lost).to.deep.equal(['containerId, tabId of the tile "Out"', 'tabId of the tile "Beside"']);
  });

  it("the conversion of an exported dashboard keeps a filter's properties for its switches (broadcast, variable) only if these are on", () => {
    const filter = {
      ...{ id: "f1", type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", source: "Traces" },
      ...{ variableName: "service", appliesToSourceIds: ["Logs"], where: "", whereLanguage: "sql" },
    };
    const filtersOf = (more: object) =>
      dashboardOfApi({ name: "Board", tiles: [], filters: [{ ...filter, ...more }] }).dashboard.filters;
    const said = { type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId: "Traces" };
    expect(filtersOf({})).to.deep.equal([{ ...said, appliesToSourceIds: ["Logs"] }]);
    const switched = { isBroadcastEnabled: false, isVariableEnabled: true };
    expect(filtersOf(switched)).to.deep.equal([{ ...said, ...switched, variableName: "service" }]);
    const list = { type: "STATIC_LIST", name: "Region", options: ["eu"], variableName: "region" };
    expect(dashboardOfApi({ tiles: [], filters: [{ id: "f", ...list }] }).dashboard.filters).to.deep.equal([
      list,
    ]);
  });

  it("the conversion of an exported dashboard names each lost property together with its filter or container", () => {
    const filter = {
      id: "f",
      type: "QUERY_EXPRESSION",
      name: "Service",
      expression: "a",
      source: "Logs",
      color: "red",
    };
    const container = { id: "main", title: "Main", icon: "star" };
    expect(dashboardOfApi({ tiles: [], filters: [filter], containers: [container] }).lost).to.deep.equal([
      'icon of the container "Main"',
      'color of the filter "Service"',
    ]);
  });

  it("the conversion of an exported dashboard does not change tiles and filters that already have the API's form", () => {
    const tiles = [
      {
        id: "1",
        name: "Errors",
        config: { displayType: "line", sourceId: "s", select: [{ aggFn: "count", where: "" }] },
      },
      { id: "2", name: "Old", series: [{ type: "number", sourceId: "s", aggFn: "count" }] },
    ];
    const filters = [{ name: "Service", expression: "ServiceName", sourceId: "s" }];
    expect(dashboardOfApi({ id: "d", name: "Board", tiles, filters, teamId: "t" })).to.deep.equal({
      dashboard: { name: "Board", tiles, filters },
      lost: [],
    });
  });

  it("the conversion of an exported dashboard removes empty properties that a tile's kind lacks, even if the tile has the API's form", () => {
    const said = { displayType: "heatmap", sourceId: "s", select: [{ valueExpression: "Duration" }] };
    const page = { ...said, having: "", select: [{ ...said.select[0], where: "", whereLanguage: "sql" }] };
    const configOf = (config: object) =>
      tilesIn(dashboardOfApi({ tiles: [{ name: "Errors", config }] }).dashboard.tiles)[0]?.config;
    expect(configOf(page)).to.deep.equal(said);
    const more = { ...said, having: "a > 1", needle: true };
    expect(configOf(more)).to.deep.equal(more);
    const newer = { displayType: "gauge", needle: "" };
    expect(configOf(newer)).to.deep.equal(newer);
  });

  it("the conversion of an exported dashboard keeps the language of a saved query only if there is a query", () => {
    const said = (savedQuery: string) =>
      dashboardOfApi({ name: "Board", tiles: [], savedQuery, savedQueryLanguage: "sql" }).dashboard;
    expect(said("a = 1")).to.include({ savedQuery: "a = 1", savedQueryLanguage: "sql" });
    expect(said("")).to.deep.equal({ name: "Board", tiles: [] });
  });
});
