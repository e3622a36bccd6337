import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check } from "../../../provider/lifecycle/check";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { Declared, sessionOf } from "../drift/fixture";
import { sessionFor } from "../lifecycle/note";
import type { Json, JsonObject } from "./example";
import { home } from "./home";
import { sentBy, useProduct } from "./product";
import { colorRules, configs, count, filters, formulas, numberFormat, source } from "./tileConfigs";
import { absent, withChange } from "./validInputs";

const product: Partial<Settings> = { dialect: "clickhouse", observabilityVia: "observability" };

function checked(config: unknown, settings: Partial<Settings> = product) {
  const tiles = [{ name: "Tile", x: 0, y: 0, w: 6, h: 4, config }];
  const { failures, warnings } = check(
    dashboardResource,
    {},
    { name: "Board", tiles },
    sessionFor(settings).session,
  );
  const start = 'tiles["Tile"].config';
  return {
    failures: failures.map(
      ({ path, message }) => `${path.replace(`${start}.`, "").replace(start, "config")} ${message}`,
    ),
    warnings: warnings.map((warning) => warning.replace(`Dashboard "Board": ${start}.`, "")),
  };
}

describe("The config of a tile", () => {
  for (const [kind, config] of Object.entries(configs)) {
    it(`may have every member of its kind: ${kind}`, () => {
      expect(checked(config)).to.deep.equal({ failures: [], warnings: [] });
    });
  }

  const aggFns = "avg, count, count_distinct, last_value, max, min, quantile, sum, any, none, increase";
  const rules: readonly [keyof typeof configs, string, Json | typeof absent, string, string?][] = [
    ["line", "displayType", absent, "is required"],
    ["line", "displayType", 5, "must be a non-empty string"],
    ["line", "sourceId", absent, "is required"],
    ["line", "sourceId", "", "must be a non-empty string"],
    ["line", "select", absent, "is required"],
    ["line", "select", "count()", "must be a list with at least one entry"],
    ["line", "select", [], "must be a list with at least one entry"],
    ["line", "select[0]", "count()", "must be an object with aggFn"],
    ["line", "select[0].aggFn", absent, "is required"],
    ["line", "select[0].aggFn", "cuont", `must be one of ${aggFns}`],
    ["line", "select[1].level", 0.8, "must be one of 0.5, 0.9, 0.95, 0.99"],
    ["line", "select[0].whereLanguage", "promql", "must be one of lucene, sql"],
    ["line", "select[0].where", null, "must be a string"],
    ["line", "fillNulls", "yes", "must be true or false"],
    ["line", "numberFormat.output", absent, "is required"],
    ["line", "numberFormat.numericUnit", "miles", "must be a unit such as bytes_iec, megabits_sec or rps"],
    ["line", "seriesLimit", -1, "must be a whole number of at least 0"],
    ["stacked_bar", "formulas[0].expression", absent, "is required"],
    [
      "table",
      "select[1].metricType",
      "meter",
      "must be one of sum, gauge, histogram, summary, exponential histogram",
    ],
    ["table", "select[1].periodAggFn", "rate", "must be one of delta"],
    ["table", "onClick.type", "page", "must be one of search, dashboard, external"],
    ["table", "onClick.target", absent, "is required"],
    ["table", "onClick.target.template", absent, "is required"],
    ["table", "onClick.target.mode", "id", "is required", "onClick.target.id"],
    ["table", "onClick.filters[0].kind", "expression", "must be expressionTemplate"],
    [
      "number",
      "color",
      "red",
      "must be one of chart-blue, chart-orange, chart-red, chart-cyan, chart-green, chart-pink, chart-purple, chart-light-blue, chart-brown, chart-gray, chart-success, chart-warning, chart-error",
    ],
    ["number", "colorRules[0].value", "5", "must be a number with this operator"],
    ["number", "colorRules[1].value", 5, "must be a list of two numbers with this operator"],
    [
      "number",
      "colorRules[2].value",
      [1],
      "must be a number, or a text of at most 200 characters, with this operator",
    ],
    ["number", "backgroundChart.type", absent, "is required"],
    ["pie", "select", [count, count], "must be a list of one entry"],
    ["bar", "limit", 0.5, "must be a whole number of at least 0"],
    ["heatmap", "select[0].valueExpression", absent, "is required"],
    ["heatmap", "select[0].valueExpression", "", "must be a non-empty string"],
    ["heatmap", "select[0].heatmapScaleType", "square", "must be one of log, linear"],
    ["search", "select", absent, "is required"],
    ["search", "select", ["Body"], "must be a string"],
    ["line in SQL", "connectionId", absent, "is required"],
    ["table in SQL", "sqlTemplate", absent, "is required"],
    ["table in SQL", "onClick.urlTemplate", absent, "is required"],
  ];
  for (const [kind, path, value, rule, about = path] of rules) {
    it(`is refused by both dialects with "${about} ${rule}": ${kind}`, () => {
      const config = withChange(configs[kind], path, value);
      const expected = [`${about} ${rule}`];
      expect(checked(config).failures).to.deep.equal(expected);
      expect(
        checked(config, { dialect: "neutral", observabilityVia: "observability" }).failures,
      ).to.deep.equal(expected);
    });
  }

  const productRules: readonly [keyof typeof configs, string, Json | typeof absent, string, string?][] = [
    ["line", "select", [count], "is only for two entries of select", "asRatio"],
    ["line", "formulas", formulas, "is not allowed with asRatio"],
    ["line", "select[0].valueExpression", "Duration", "is not allowed with the aggFn count"],
    ["line", "select[1].valueExpression", absent, "is required unless aggFn is count"],
    ["line", "select[1].valueExpression", "", "is required unless aggFn is count"],
    ["line", "select[0].level", 0.5, "is only for the aggFn quantile"],
    ["number", "select", [count, count], "must be a list of one entry unless formulas is declared"],
    ["number", "formulas", [...formulas, ...formulas], "must be a list of one entry in a number"],
    ["stacked_bar", "select", Array(21).fill(count), "must be a list of at most 20 entries"],
    ["line", "groupBy", "a".repeat(10_001), "must be a string of at most 10000 characters"],
    ["markdown", "markdown", "a".repeat(50_001), "must be a string of at most 50000 characters"],
    ["line in SQL", "sqlTemplate", "a".repeat(100_001), "must be a string of at most 100000 characters"],
    [
      "stacked_bar",
      "formulas[0].expression",
      "A".repeat(1025),
      "must be a string of at most 1024 characters",
    ],
    ["stacked_bar", "formulas", Array(11).fill(formulas[0]), "must be a list of at most 10 entries"],
    ["number", "colorRules", Array(11).fill(colorRules[0]), "must be a list of at most 10 entries"],
    ["table", "onClick.filters", Array(51).fill(filters[0]), "must be a list of at most 50 entries"],
    ["table", "onClick.target.template", "a".repeat(10_001), "must be a string of at most 10000 characters"],
  ];
  for (const [kind, path, value, rule, about = path] of productRules) {
    it(`is refused by the dialect clickhouse alone with "${about} ${rule}": ${kind}`, () => {
      const config = withChange(configs[kind], path, value);
      expect(checked(config).failures).to.deep.equal([`${about} ${rule}`]);
      expect(
        checked(config, { dialect: "neutral", observabilityVia: "observability" }).failures,
      ).to.deep.equal([]);
    });
  }

  it("may have several entries of select in a number with a formula", () => {
    expect(checked({ ...configs.number, select: [count, count], formulas }).failures).to.deep.equal([]);
  });

  for (const member of ["seriesLimit", "formulas", "showOperandSeries"] as const) {
    it(`has ${member} on the observability API alone`, () => {
      const { seriesLimit, formulas, showOperandSeries, ...config } = configs.stacked_bar;
      const declared = { ...config, [member]: { seriesLimit, formulas, showOperandSeries }[member] };
      expect(
        checked(declared, { dialect: "clickhouse", observabilityVia: "management" }).failures,
      ).to.deep.equal([`${member} needs the setting observabilityVia to be observability`]);
    });
  }

  describe("with what this version does not know", () => {
    const unheard = "is not known to this version; it is sent as it is";
    const meant = (name: string) => `is not known to this version; did you mean ${name}?`;
    const cases: readonly [string, JsonObject, string[]][] = [
      ["a member", { ...configs.line, palette: "dark" }, [`palette ${unheard}`]],
      ["a misspelt member", { ...configs.line, gropuBy: "a" }, [`gropuBy ${meant("groupBy")}`]],
      ["a member of another kind", { ...configs.pie, having: "a" }, [`having ${unheard}`]],
      [
        "members deep inside",
        {
          ...configs.number,
          numberFormat: { ...numberFormat, mantisa: 1 },
          select: [{ ...count, color: "chart-red" }],
        },
        [`select[0].color ${unheard}`, `numberFormat.mantisa ${meant("mantissa")}`],
      ],
      ["a kind", { displayType: "flame", depth: 3, select: "Timestamp" }, [`displayType ${unheard}`]],
      ["a misspelt kind", { displayType: "lines", ...source }, [`displayType ${meant("line")}`]],
      [
        "another kind of config",
        { displayType: "line", configType: "promql", query: "up" },
        [`configType ${unheard}`],
      ],
      ["a kind that every object has", { displayType: "constructor" }, [`displayType ${unheard}`]],
    ];
    for (const [what, config, warnings] of cases) {
      it(`is accepted with a warning by both dialects: ${what}`, () => {
        expect(checked(config)).to.deep.equal({ failures: [], warnings });
        expect(checked(config, { dialect: "neutral", observabilityVia: "observability" })).to.deep.equal({
          failures: [],
          warnings,
        });
      });
    }
  });

  it("passes as far as it is not known yet", () => {
    for (const config of [unknown, { ...configs.line, select: unknown, asRatio: unknown }]) {
      expect(checked(config)).to.deep.equal({ failures: [], warnings: [] });
    }
    const parts: Data[] = [
      { aggFn: unknown },
      { aggFn: "count", valueExpression: unknown },
      { aggFn: "sum", valueExpression: unknown },
    ];
    for (const entry of parts)
      expect(checked({ ...configs.pie, select: [entry] }).failures).to.deep.equal([]);
    expect(checked({ displayType: unknown, select: [] }).failures).to.deep.equal([]);
    expect(checked({ displayType: "line", configType: unknown, sqlTemplate: "SELECT 1" })).to.deep.equal({
      failures: [],
      warnings: [],
    });
  });

  describe("on the wire of the product", () => {
    const product = useProduct();
    const later = () => sessionOf(product.sandbox, settings).session;
    const settings = { dialect: "clickhouse", observabilityVia: "observability", requestsPerSecond: "1000" };
    const place = { x: 0, y: 0, w: 6, h: 4 };
    const names = Object.keys(configs) as (keyof typeof configs)[];
    const tilesOf = (all: Data) => Object.keys(all).map((name) => ({ name, ...place, config: all[name] }));
    let declared: Declared;

    beforeEach(() => {
      const { credentials, store } = product.sandbox;
      const { id } = home;
      // One that a click opens.
      store.dashboards.set(id, { id, serviceId: credentials.serviceId, name: "Other", tiles: [], tags: [] });
    });

    async function apply(all: Data) {
      declared = new Declared("Dashboard", { name: "Board", tiles: tilesOf(all) });
      await declared.up(later());
    }

    it("is sent as it is declared, and what servers set in it is no drift", async () => {
      product.sandbox.rewrites.add("defaults");
      await apply(configs);
      const select = (configs.table.select as Data[]).map((entry) => ({ ...entry, whereLanguage: "lucene" }));
      expect(sentBy(product, "POST")).to.deep.equal([
        [
          "dashboards",
          { name: "Board", tiles: tilesOf({ ...configs, table: { ...configs.table, select } }) },
        ],
      ]);
      expect(await declared.refresh(later())).to.deep.equal([]);
    });

    it("names the language of each series, without which the product's page cannot save the dashboard", async () => {
      const chart = {
        displayType: "line",
        ...source,
        select: [{ aggFn: "count" }, { ...count, whereLanguage: "sql" }],
      };
      const heatmap = {
        displayType: "heatmap",
        sourceId: configs.heatmap.sourceId as string,
        select: [{ valueExpression: "Duration" }],
      };
      await apply({ chart, heatmap });
      const select = [{ aggFn: "count", whereLanguage: "lucene" }, chart.select[1]];
      expect(sentBy(product, "POST")).to.deep.equal([
        ["dashboards", { name: "Board", tiles: tilesOf({ chart: { ...chart, select }, heatmap }) }],
      ]);
      expect(await declared.up(later())).to.deep.equal([]);
      expect(await declared.refresh(later())).to.deep.equal([]);
    });

    it("names the language of a search, which the management API requires, unless somebody else set it", async () => {
      const alone = { ...settings, observabilityVia: "management" };
      const now = () => sessionOf(product.sandbox, alone).session;
      const search = { displayType: "search", ...source, select: "Body" };
      const patterns = { displayType: "event_patterns", ...source };
      const sent = (method: string) => {
        const [, body] = sentBy(product, method).at(-1) ?? [];
        return (body as { tiles: { config: Data }[] }).tiles.map(({ config }) => config);
      };
      declared = new Declared("Dashboard", { name: "Board", tiles: tilesOf({ search, patterns }) });
      await declared.up(now());
      expect(sent("POST")).to.deep.equal([{ ...search, whereLanguage: "lucene" }, patterns]);
      expect(await declared.refresh(now())).to.deep.equal([]);

      const [stored] = product.sandbox.store.dashboards.get(declared.id)?.tiles ?? [];
      Object.assign(stored?.config as Data, { whereLanguage: "sql" });
      Object.assign(declared.program, { name: "Renamed" });
      await declared.up(now());
      expect(sent("PUT")[0]).to.deep.include({ ...search, whereLanguage: "sql" });
    });

    it("is no drift where servers drop what says nothing", async () => {
      product.sandbox.rewrites.add("defaults");
      await apply({ number: { ...configs.number, colorRules: [] } });
      expect(await declared.refresh(later())).to.deep.equal([]);
    });

    it("is sent as it is with what this version does not know", async () => {
      const newer = {
        flame: { displayType: "flame", depth: [1, { a: "b" }] },
        line: { ...configs.line, palette: { a: 1 } },
      };
      // This server is none of the newer ones.
      await apply(newer).catch(() => undefined);
      expect(sentBy(product, "POST")).to.deep.equal([
        ["dashboards", { name: "Board", tiles: tilesOf(newer) }],
      ]);
    });

    it("says by its path what somebody changed", async () => {
      await apply(configs);
      const changes: readonly [keyof typeof configs, string, (config: Data) => void][] = [
        [
          "line",
          "select[0].aggFn",
          ({ select }) => Object.assign((select as Data[])[0] ?? {}, { aggFn: "sum" }),
        ],
        [
          "number",
          "colorRules[1].color",
          ({ colorRules: rules }) => Object.assign((rules as Data[])[1] ?? {}, { color: "chart-red" }),
        ],
        [
          "table",
          "onClick.target.template",
          ({ onClick }) => Object.assign((onClick as Data).target as Data, { template: "a" }),
        ],
        ["markdown", "markdown", (config) => Object.assign(config, { markdown: "other" })],
      ];
      const stored = product.sandbox.store.dashboards.get(declared.id)?.tiles ?? [];
      for (const [kind, , change] of changes) change(stored[names.indexOf(kind)]?.config as Data);
      const paths = changes.map(([kind, path]) => `tiles[${names.indexOf(kind)}].config.${path}`);
      expect(await declared.refresh(later())).to.have.members(paths);
    });
  });
});
