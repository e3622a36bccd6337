import { expect } from "chai";
import fc from "fast-check";
import { compareDashboards, describeChange, isUnchanged, readDashboards } from "../../../drawing";
import { colorRules, configs, numberFormat, source } from "../resources/tileConfigs";

type Keys = (string | number)[];

const place = { x: 0, y: 0, w: 6, h: 4 };
const dashboard = {
  id: "d1",
  name: "Main",
  tags: ["a"],
  tiles: [
    ...Object.entries(configs).map(([kind, config]) => ({
      ...{ id: kind, name: kind, ...place, containerId: "c", config },
    })),
    {
      ...{ id: "s1", name: "Series", ...place, asRatio: true },
      series: [
        {
          ...{ type: "time", aggFn: "quantile", level: 0.9, field: "d", where: "a", whereLanguage: "sql" },
          ...{ groupBy: ["host"], ...source, numberFormat },
        },
      ],
    },
    {
      ...{ id: "s2", name: "Columns", ...place },
      series: [{ type: "search", fields: ["Body"], where: "a", ...source }],
    },
  ],
  filters: [{ id: "f1", name: "Host", expression: "host", ...source, appliesToSourceIds: ["x"] }],
  containers: [{ id: "c", title: "Group", collapsed: true, tabs: [{ id: "t", title: "Tab" }] }],
  savedQuery: "level:error",
  savedFilterValues: [{ type: "sql", condition: "a IN ('b')" }],
};

/** Lists the paths of all values inside a dashboard, except properties by which the drawing pairs tiles and dashboards. */
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

describe("Comparisons of dashboards that name changes by their paths", () => {
  it("the comparison of a dashboard with itself finds no difference", () => {
    expect(changesTo(structuredClone(dashboard))).to.deep.equal([]);
  });

  it("the comparison of dashboards finds any single change of any property", () => {
    const places = placesIn(dashboard);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.constantFrom(...Object.keys(mutations)), (keys, title) => {
        const changes = changesTo(mutated(keys, mutations[title] as never));
        expect(changes, `${title} at ${keys.join(".")}`).to.not.deep.equal([]);
      }),
      { numRuns: 1500 },
    );
  });

  const at = (kind: keyof typeof configs, ...keys: Keys): Keys => [
    ...["tiles", Object.keys(configs).indexOf(kind), "config", ...keys],
  ];
  const cases: { readonly [title: string]: [Keys, unknown, string] } = {
    "a limit": [at("pie", "limit"), 9, "pie: config.limit: 5 → 9"],
    "the format of a number": [
      at("line", "numberFormat", "mantissa"),
      3,
      "line: config.numberFormat.mantissa: 2 → 3",
    ],
    "a rule for a colour that was removed": [
      at("number", "colorRules"),
      colorRules.slice(0, 2),
      'number: config.colorRules[2]: {"operator":"eq","value":"none","color":"chart-gray"} → (none)',
    ],
    "the columns of a search": [
      at("search", "select"),
      "Body",
      `search: shows: search; Timestamp, Body where a from ${source.sourceId} → search; Body where a from ${source.sourceId}`,
    ],
    "a filter of the dashboard": [["filters", 0, "name"], "Pod", 'filters[0].name: "Host" → "Pod"'],
  };
  for (const [title, [keys, value, line]] of Object.entries(cases))
    it(`the comparison of dashboards names ${title} by its path, once`, () => {
      expect(changesTo(mutated(keys, () => value))).to.deep.equal([line]);
    });

  it("the comparison of dashboards shows the part of a long text near its change", () => {
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

  it("the comparison of dashboards ignores properties that only the live dashboard has", () => {
    const live = mutated(at("pie"), (config) => ({ ...(config as object), fillNulls: true, limit: 9 }));
    expect(changesTo({ ...live, createdAt: "2026-01-01" }, true)).to.deep.equal(["pie: config.limit: 5 → 9"]);
  });
});
