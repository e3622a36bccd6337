import { expect } from "chai";
import { dashboardOfApi } from "../../../../cli/import/pageDashboard";
import { chart, tile } from "./pageFile";

const config = { displayType: "line", sourceId: "traces", select: [{ aggFn: "count" }] };
const place = { x: 0, y: 0, w: 12, h: 10 };
const filter = {
  ...{ id: "f1", type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", source: "Traces" },
  ...{ variableName: "service", appliesToSourceIds: ["Logs"], where: "", whereLanguage: "sql" },
};
const said = { type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId: "Traces" };
const switched = { isBroadcastEnabled: false, isVariableEnabled: true };
const list = { type: "STATIC_LIST", name: "Region", options: ["eu"], variableName: "region" };
const main = { id: "main", title: "Main", bordered: false, tabs: [{ id: "a", title: "A" }] };
const heatmap = { displayType: "heatmap", sourceId: "s", select: [{ valueExpression: "Duration" }] };
const ofApi = (config: object) => ({ tiles: [{ name: "Errors", config }] });

/** Dashboards in the form of ClickStack's page, in that of the API, and what the conversion loses. */
const cases: { readonly [what: string]: readonly [page: object, api: object, ...lost: string[]] } = {
  "keeps tags, saved filter values, and the description of a tile, and accepts a tile without a name": [
    {
      tiles: [tile("Errors", chart({ description: "Of all." })), tile("", chart({ name: undefined }))],
      ...{ tags: ["shop"], savedFilterValues: [{ condition: "a = 1" }] },
    },
    {
      ...{ name: "", tags: ["shop"], savedFilterValues: [{ condition: "a = 1" }] },
      tiles: [
        { id: "errors", ...place, name: "Errors", description: "Of all.", config },
        { id: "", ...place, name: "", config },
      ],
    },
  ],
  "names what it leaves out: PromQL tiles, ad hoc filters and saved filter values": [
    {
      ...{ name: "Board", description: "About." },
      tiles: [tile("Load", { configType: "promql", promqlExpression: "up" })],
      filters: [{ id: "f", type: "ADHOC", name: "Any", sources: ["Logs"] }],
      savedFilterValues: [{ type: "lucene", condition: "level:error" }],
    },
    { name: "Board", tiles: [] },
    ...["the description", 'the tile "Load" in PromQL', 'the filter "Any" of the type "ADHOC"'],
    'the saved filter value "level:error" of the type "lucene"',
  ],
  "removes a container or tab that does not exist from a tile, and keeps an existing one": [
    {
      ...{ name: "Board", containers: [{ ...main, collapsed: false }] },
      tiles: [
        tile("In", chart(), { containerId: "main", tabId: "a" }),
        tile("Out", chart(), { containerId: "gone", tabId: "a" }),
        tile("Beside", chart(), { containerId: "main", tabId: "gone" }),
      ],
    },
    {
      ...{ name: "Board", containers: [main] },
      tiles: [
        { id: "in", ...place, containerId: "main", tabId: "a", name: "In", config },
        { id: "out", ...place, name: "Out", config },
        { id: "beside", ...place, containerId: "main", name: "Beside", config },
      ],
    },
    ...['containerId, tabId of the tile "Out"', 'tabId of the tile "Beside"'],
  ],
  "keeps a filter's properties for its switches (broadcast, variable) only if these are on": [
    { name: "Board", tiles: [], filters: [filter, { ...filter, ...switched }, { id: "f", ...list }] },
    {
      ...{ name: "Board", tiles: [] },
      filters: [
        { ...said, appliesToSourceIds: ["Logs"] },
        { ...said, ...switched, variableName: "service" },
        list,
      ],
    },
  ],
  "names each lost property together with its filter or container": [
    {
      ...{ tiles: [], filters: [{ ...filter, color: "red" }], containers: [{ ...main, icon: "star" }] },
      name: "Board",
    },
    {
      ...{ name: "Board", tiles: [], containers: [main] },
      filters: [{ ...said, appliesToSourceIds: ["Logs"] }],
    },
    ...['icon of the container "Main"', 'color of the filter "Service"'],
  ],
  "does not change tiles and filters that already have the API's form": [
    {
      ...{ id: "d", name: "Board", teamId: "t", filters: [{ name: "Service", sourceId: "s" }] },
      tiles: [
        { id: "1", name: "Errors", config: { ...config, select: [{ aggFn: "count", where: "" }] } },
        { id: "2", name: "Old", series: [{ type: "number", sourceId: "s", aggFn: "count" }] },
      ],
    },
    {
      ...{ name: "Board", filters: [{ name: "Service", sourceId: "s" }] },
      tiles: [
        { id: "1", name: "Errors", config: { ...config, select: [{ aggFn: "count", where: "" }] } },
        { id: "2", name: "Old", series: [{ type: "number", sourceId: "s", aggFn: "count" }] },
      ],
    },
  ],
  "removes empty properties that a tile's kind lacks, even if the tile has the API's form": [
    ofApi({
      ...{ ...heatmap, having: "" },
      select: [{ valueExpression: "Duration", where: "", whereLanguage: "sql" }],
    }),
    { name: "", ...ofApi(heatmap) },
  ],
  "keeps properties that a tile's kind lacks if they are not empty": [
    ofApi({ ...heatmap, having: "a > 1", needle: true }),
    { name: "", ...ofApi({ ...heatmap, having: "a > 1", needle: true }) },
  ],
  "keeps empty properties of a kind that it does not know": [
    ofApi({ displayType: "gauge", needle: "" }),
    { name: "", ...ofApi({ displayType: "gauge", needle: "" }) },
  ],
  "keeps the language of a saved query": [
    { name: "Board", tiles: [], savedQuery: "a = 1", savedQueryLanguage: "sql" },
    { name: "Board", tiles: [], savedQuery: "a = 1", savedQueryLanguage: "sql" },
  ],
  "keeps no language without a saved query": [
    { name: "Board", tiles: [], savedQuery: "", savedQueryLanguage: "sql" },
    { name: "Board", tiles: [] },
  ],
};

describe("The conversion of a dashboard from the form of the product's page to that of the API", () => {
  for (const [what, [page, api, ...lost]] of Object.entries(cases))
    it(`the conversion of an exported dashboard ${what}`, () => {
      expect(dashboardOfApi({ ...page })).to.deep.equal({ dashboard: api, lost });
    });
});
