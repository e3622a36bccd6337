import { expect } from "chai";
import fc from "fast-check";
import { compareDashboards, describeChange, isUnchanged, readDashboards } from "../../../drawing";

type Keys = (string | number)[];

const place = { x: 0, y: 0, w: 6, h: 4 };
const sourceId = "65f1c0a2b3d4e5f607182911";
const select = [
  { aggFn: "sum", valueExpression: "Duration", where: "a:b", whereLanguage: "lucene", alias: "d" },
];
const numberFormat = { output: "byte", mantissa: 2, thousandSeparated: true };
const onClick = {
  ...{ type: "dashboard", target: { mode: "id", id: "d1" }, whereTemplate: "a:{{b}}" },
  filters: [{ kind: "expressionTemplate", expression: "Service", template: "{{c}}" }],
};
const configs: object[] = [
  {
    ...{ displayType: "line", sourceId, select: [...select, { aggFn: "count" }], groupBy: "host" },
    ...{ asRatio: true, numberFormat, fillNulls: false, seriesLimit: 7 },
    formulas: [{ expression: "A / B", alias: "r" }],
  },
  {
    ...{ displayType: "stacked_bar", sourceId },
    select: [{ ...select[0], metricName: "m", metricType: "sum", periodAggFn: "delta" }],
  },
  {
    ...{ displayType: "table", sourceId, select, having: "x > 1", orderBy: "x DESC", onClick },
    groupByColumnsOnLeft: true,
  },
  {
    ...{ displayType: "number", sourceId, select, color: "chart-red" },
    colorRules: [{ operator: "between", value: [1, 2], color: "chart-blue", label: "l" }],
    backgroundChart: { type: "area", color: "chart-green" },
  },
  { displayType: "pie", sourceId, select, groupBy: "host", orderBy: "x", limit: 5 },
  { displayType: "bar", sourceId, select, groupBy: "host", limit: 5 },
  {
    ...{ displayType: "heatmap", sourceId, where: "a", whereLanguage: "sql" },
    select: [{ valueExpression: "Duration", countExpression: "count()", heatmapScaleType: "log" }],
  },
  { displayType: "search", sourceId, select: "Timestamp, Body", where: "a", whereLanguage: "sql" },
  { displayType: "event_patterns", sourceId, select: "Body", where: "a" },
  { displayType: "markdown", markdown: "one\ntwo\nthree" },
  {
    ...{ displayType: "table", configType: "sql", connectionId: "c1", onClick },
    sqlTemplate: "SELECT 1\nFROM a\nWHERE b = 1",
  },
];
const dashboard = {
  id: "d1",
  name: "Main",
  tags: ["a"],
  tiles: [
    ...configs.map((config, at) => ({
      id: `t${at}`,
      name: `Tile ${at}`,
      ...place,
      containerId: "c",
      config,
    })),
    {
      ...{ id: "s1", name: "Series", ...place, asRatio: true },
      series: [
        {
          ...{ type: "time", aggFn: "quantile", level: 0.9, field: "d", where: "a", whereLanguage: "sql" },
          ...{ groupBy: ["host"], sourceId, numberFormat },
        },
      ],
    },
    {
      ...{ id: "s2", name: "Columns", ...place },
      series: [{ type: "search", fields: ["Body"], where: "a", sourceId }],
    },
  ],
  filters: [{ id: "f1", name: "Host", expression: "host", sourceId, appliesToSourceIds: ["x"] }],
  containers: [{ id: "c", title: "Group", collapsed: true, tabs: [{ id: "t", title: "Tab" }] }],
  savedQuery: "level:error",
  savedFilterValues: [{ type: "sql", condition: "a IN ('b')" }],
};

/** The places of all values inside, members that pair tiles and dashboards excepted. */
function placesIn(value: unknown, keys: Keys = []): Keys[] {
  const isIdentity =
    keys.at(-1) === "id" && (keys.length === 1 || (keys[0] === "tiles" && keys.length === 3));
  if (isIdentity) return [];
  const inside = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const own = keys.length === 0 ? [] : [keys];
  return [
    ...own,
    ...inside.flatMap(([name, member]) =>
      placesIn(member, [...keys, Array.isArray(value) ? Number(name) : name]),
    ),
  ];
}

/** A change of the value at one place. */
const mutations: { readonly [title: string]: (value: unknown) => unknown } = {
  "another value": (value) =>
    typeof value === "string"
      ? `${value}!`
      : typeof value === "number"
        ? value + 1
        : typeof value === "boolean"
          ? !value
          : { a: 1 },
  "no value": () => undefined,
  "one member or entry more": (value) =>
    Array.isArray(value)
      ? [...value, value[0] ?? "more"]
      : typeof value === "object"
        ? { ...value, more: 1 }
        : "more",
  "no last member or entry": (value) =>
    Array.isArray(value)
      ? value.slice(0, -1)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).slice(0, -1))
        : undefined,
  "a change in the middle of a long text": (value) =>
    typeof value === "string" ? `${"x".repeat(500)}${value}` : "y",
};

function mutated(keys: Keys, mutate: (value: unknown) => unknown): object {
  const copy = JSON.parse(JSON.stringify(dashboard)) as never;
  let inside = copy as { [key: string | number]: never };
  for (const key of keys.slice(0, -1)) inside = inside[key] as never;
  const last = keys.at(-1) ?? "";
  inside[last] = mutate(inside[last]) as never;
  return copy;
}

function changesTo(after: object, isLive = false): string[] {
  const before = readDashboards({ dashboards: [dashboard], alerts: [] });
  const changes = compareDashboards(before, readDashboards({ dashboards: [after], alerts: [], isLive }));
  const lines = changes.flatMap(describeChange);
  expect(lines.length === 0).to.equal(changes.every(isUnchanged));
  return lines;
}

describe("a comparison of dashboards by paths", () => {
  it("finds nothing between a dashboard and itself", () => {
    expect(changesTo(structuredClone(dashboard))).to.deep.equal([]);
  });

  it("shows any single change of any member", () => {
    const places = placesIn(dashboard);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.constantFrom(...Object.keys(mutations)), (keys, title) => {
        const changes = changesTo(mutated(keys, mutations[title] as never));
        expect(changes, `${title} at ${keys.join(".")}`).to.not.deep.equal([]);
      }),
      { numRuns: 1500 },
    );
  });

  const at = (tile: number, ...keys: Keys): Keys => ["tiles", tile, "config", ...keys];
  const cases: { readonly [title: string]: [Keys, unknown, string] } = {
    "a limit": [at(4, "limit"), 9, "Tile 4: config.limit: 5 → 9"],
    "the format of a number": [
      at(0, "numberFormat", "mantissa"),
      3,
      "Tile 0: config.numberFormat.mantissa: 2 → 3",
    ],
    "a rule for a colour that was removed": [
      at(3, "colorRules"),
      [],
      'Tile 3: config.colorRules[0]: {"operator":"between","value":[1,2],"color":"chart-blue","label":"l"} → (none)',
    ],
    "a line of a query": [
      at(10, "sqlTemplate"),
      "SELECT 1\nFROM a\nWHERE b = 2",
      "Tile 10: config.sqlTemplate:\n- WHERE b = 1\n+ WHERE b = 2",
    ],
    "the columns of a search": [
      at(7, "select"),
      "Body",
      "Tile 7: shows: search; Timestamp, Body where (sql) a from 65f1c0a2b3d4e5f607182911 → search; Body where (sql) a from 65f1c0a2b3d4e5f607182911",
    ],
    "a filter of the dashboard": [["filters", 0, "name"], "Pod", 'filters[0].name: "Host" → "Pod"'],
  };
  for (const [title, [keys, value, line]] of Object.entries(cases))
    it(`names ${title} by its path, once`, () => {
      expect(changesTo(mutated(keys, () => value))).to.deep.equal([line]);
    });

  it("shows a long text around its change", () => {
    const long = (middle: string) => `${"a".repeat(300)}${middle}${"z".repeat(300)}`;
    const of = (text: string) => ({ ...dashboard, savedQuery: long(text) });
    const [change] = compareDashboards(
      readDashboards({ dashboards: [of("old")], alerts: [] }),
      readDashboards({ dashboards: [of("new")], alerts: [] }),
    ).flatMap(describeChange);
    expect(change).to.equal(
      `savedQuery: …${"a".repeat(24)}old${"z".repeat(24)}… → …${"a".repeat(24)}new${"z".repeat(24)}…`,
    );
  });

  it("passes over members that only the live side has", () => {
    const live = mutated(at(4), (config) => ({ ...(config as object), fillNulls: true, limit: 9 }));
    expect(changesTo({ ...live, createdAt: "2026-01-01" }, true)).to.deep.equal([
      "Tile 4: config.limit: 5 → 9",
    ]);
  });
});
