import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check } from "../../../provider/lifecycle/check";
import { dashboardResource } from "../../../provider/resources/dashboard/dashboard";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { Declared } from "../drift/fixture";
import { sessionFor } from "../lifecycle/note";
import { sentBy, sessionOfProduct, useProduct } from "./product";
import { onObservability, textOf } from "./rules";
import { colorRules, configs, count, formulas, numberFormat, source } from "./tileConfigs";
import { absent, type Changes, withChanges } from "./validInputs";

type Kind = keyof typeof configs;

const anyServer = { dialect: "neutral", observabilityVia: "observability" } as const;

function checked(config: unknown, settings: Partial<Settings> = onObservability) {
  const tiles = [{ name: "Tile", x: 0, y: 0, w: 6, h: 4, config }];
  const { session } = sessionFor(settings);
  const { failures, warnings } = check(dashboardResource, {}, { name: "Board", tiles }, session);
  const start = 'tiles["Tile"].config';
  return {
    failures: failures.map(({ path, message }) => `${path.replace(`${start}.`, "")} ${message}`),
    warnings: warnings.map((warning) => warning.replace(`Dashboard "Board": ${start}.`, "")),
  };
}

/** Changes of tile configs that every server refuses. */
const rules: readonly (readonly [Kind, Changes, failure: string])[] = [
  [
    "line",
    { "numberFormat.numericUnit": "miles" },
    "numberFormat.numericUnit must be a unit such as bytes_iec, megabits_sec or rps",
  ],
  ["table", { "onClick.target.mode": "id" }, "onClick.target.id is required"],
  ["number", { "colorRules[0].value": "5" }, "colorRules[0].value must be a number with this operator"],
  [
    "number",
    { "colorRules[1].value": 5 },
    "colorRules[1].value must be a list of two numbers with this operator",
  ],
  [
    "number",
    { "colorRules[2].value": [1] },
    "colorRules[2].value must be a number, or a text of at most 200 characters, with this operator",
  ],
  ["pie", { select: [count, count] }, "select must be a list of one entry"],
];

const metric = "heatmap of series";

/** Changes of tile configs that only servers in the dialect clickhouse refuse. */
const productRules: readonly (readonly [Kind, Changes, failure: string])[] = [
  ["line", { select: [count] }, "asRatio needs exactly two entries of select"],
  ["line", { formulas }, "formulas conflicts with asRatio; declare only one of them"],
  ...[absent, ""].map(
    (value) =>
      [
        "line",
        { "select[1].valueExpression": value },
        "select[1].valueExpression is required unless aggFn is count, or metricName and metricType are declared",
      ] as const,
  ),
  [
    "heatmap of series",
    { "select[0].metricName": absent },
    "select[0].valueExpression is required unless aggFn is count, or metricName and metricType are declared",
  ],
  [
    "line",
    { "select[0].valueExpression": "a" },
    'select[0].valueExpression does not apply when aggFn is "count"',
  ],
  [
    metric,
    { "select[0].metricType": "summary" },
    "select[0].metricType must not be summary, which no chart can show",
  ],
  [metric, { "select[0].aggFn": "increase" }, "select[0].aggFn increase needs metricType to be sum"],
  ["line", { "select[0].level": 0.5 }, 'select[0].level does not apply unless aggFn is "quantile"'],
  ["number", { select: [count, count] }, "select must be a list of one entry unless formulas is declared"],
  ...[[count, count], [count]].map(
    (select) =>
      [
        "number",
        { select, asRatio: true },
        'asRatio does not apply when displayType is "number"; declare formulas: [{ expression: "A / B" }] in its place',
      ] as const,
  ),
  ["number", { formulas }, "formulas[0].expression must use series of select, which are A alone"],
  [
    "line",
    { asRatio: absent, formulas: [{ expression: "A / B" }, { expression: "C" }] },
    "formulas[1].expression must use series of select, which are A to B",
  ],
  [
    "line",
    { asRatio: absent, formulas: [{ expression: "1 + 2" }] },
    "formulas[0].expression must use series of select, which are A to B",
  ],
  [
    "number",
    { select: [count, count], formulas: [...formulas, ...formulas] },
    'formulas must be a list of one entry when displayType is "number"',
  ],
];

const unheard = "is not known to this version of pipestack; it is sent as it is";
const meant = (name: string) => `is not known to this version of pipestack; did you mean ${name}?`;

const ofPage = (word: string) => `is its name in exports of the console; declare ${word}`;

/** Tile configs with kinds and properties that this version of the provider does not know. */
const newer: readonly (readonly [config: PropertyMap, warnings: readonly string[]])[] = [
  [{ ...configs.line, palette: "dark" }, [`palette ${unheard}`]],
  [{ ...configs.line, gropuBy: "a" }, [`gropuBy ${meant("groupBy")}`]],
  [
    {
      ...configs.line,
      select: [{ ...count, aggCondition: "a", aggConditionLanguage: "sql", isDelta: true }, count],
    },
    [
      `select[0].aggCondition ${ofPage("where")}`,
      `select[0].aggConditionLanguage ${ofPage("whereLanguage")}`,
      `select[0].isDelta ${ofPage('periodAggFn: "delta"')}`,
    ],
  ],
  [{ ...configs.line, source: "Logs" }, [`source ${ofPage("sourceId")}`]],
  // The check looks up an unknown property of a tile config in a table of words. It must not find there the methods that every
  // JavaScript object inherits, such as `toString`.
  [{ ...configs.line, toString: "a" }, [`toString ${unheard}`]],
  [{ ...configs.pie, having: "a" }, ['having applies when displayType is "table"; it is sent as it is']],
  [
    { ...configs.pie, sqlTemplate: "SELECT 1" },
    ['sqlTemplate applies when configType is "sql"; it is sent as it is'],
  ],
  [
    {
      ...configs.number,
      numberFormat: { ...numberFormat, mantisa: 1 },
      select: [{ ...count, color: "chart-red" }],
    },
    [`select[0].color ${unheard}`, `numberFormat.mantisa ${meant("mantissa")}`],
  ],
  [{ displayType: "flame", depth: 3, select: "Timestamp" }, [`displayType ${unheard}`]],
  [{ displayType: "lines", ...source }, [`displayType ${meant("line")}`]],
  [{ displayType: "line", configType: "promsql", query: "up" }, [`configType ${unheard}`]],
  [{ displayType: "heatmap", heatmapMode: "calculated", ...source }, [`heatmapMode ${unheard}`]],
  [{ displayType: "constructor" }, [`displayType ${unheard}`]],
];

describe("The check of a tile's config", () => {
  for (const [kind, changes, failure] of rules)
    it(`the check in every dialect refuses a tile config, since ${failure}: ${kind}`, () => {
      const config = withChanges(configs[kind], changes);
      expect(checked(config).failures).to.deep.equal([failure]);
      expect(checked(config, anyServer).failures).to.deep.equal([failure]);
    });

  for (const [kind, changes, failure] of productRules)
    it(`the check in the dialect clickhouse alone refuses a tile config, since ${failure}: ${kind} with ${textOf(changes)}`, () => {
      const config = withChanges(configs[kind], changes);
      expect(checked(config).failures).to.deep.equal([failure]);
      expect(checked(config, anyServer).failures).to.deep.equal([]);
    });

  for (const [config, warnings] of newer)
    it(`the check accepts a tile config of ${config.displayType} and warns: ${warnings.join(", and ")}`, () => {
      expect(checked(config)).to.deep.equal({ failures: [], warnings });
      expect(checked(config, anyServer)).to.deep.equal({ failures: [], warnings });
    });

  it("the check of a tile in PromQL only warns that it does not check the tile's properties", () => {
    const { failures, warnings } = checked({ displayType: "line", configType: "promql", query: "up" });
    expect(failures).to.deep.equal([]);
    expect(warnings.join()).to.match(/config is in PromQL, whose members this version does not check/);
  });

  it("a preview warns of each part of a tile that self-hosted servers drop", async () => {
    const tiles = [
      { name: "Sum", description: "All.", config: { ...configs["number in SQL"], colorRules } },
      { name: "Lines", config: { ...configs.line, lineInterpolation: "step" } },
      { name: "Plain", description: "", config: { ...configs.number, colorRules } },
    ].map((tile, at) => ({ ...tile, x: 0, y: 4 * at, w: 6, h: 4 }));
    const warningsVia = (observabilityVia: "observability" | "management") => {
      const { session } = sessionFor({ dialect: "clickhouse", observabilityVia });
      return check(dashboardResource, {}, { name: "Board", tiles }, session).warnings;
    };
    const dropped = ['tiles["Sum"].description', 'tiles["Sum"].config.colorRules'];
    const warning = "has no effect: only the management API of ClickHouse Cloud takes it";
    expect(warningsVia("observability")).to.deep.equal(
      [...dropped, 'tiles["Lines"].config.lineInterpolation'].map(
        (path) => `Dashboard "Board": ${path} ${warning}`,
      ),
    );
    expect(warningsVia("management")).to.deep.equal([]);
  });

  it("the check accepts several entries of select in a number tile with a formula", () => {
    expect(checked({ ...configs.number, select: [count, count], formulas }).failures).to.deep.equal([]);
  });

  it("the check accepts unknown values in tile configs of every kind without a warning", () => {
    const parts: PropertyMap[] = [
      { aggFn: unknown },
      { aggFn: "count", valueExpression: unknown },
      { aggFn: "sum", valueExpression: unknown },
    ];
    for (const config of [
      unknown,
      { ...configs.line, select: unknown, asRatio: unknown },
      ...parts.map((entry) => ({ ...configs.pie, select: [entry] })),
      { displayType: unknown, select: [] },
      { displayType: "line", configType: unknown, sqlTemplate: "SELECT 1" },
    ])
      expect(checked(config)).to.deep.equal({ failures: [], warnings: [] });
  });
});

describe("Tile configs in the dialect clickhouse", () => {
  const product = useProduct();
  const later = (settings: { [name: string]: string } = onObservability) =>
    sessionOfProduct(product.sandbox, settings).session;
  const boardOf = (...all: PropertyMap[]) => ({
    name: "Board",
    tiles: all.map((config, at) => ({ name: `Tile ${at}`, x: 0, y: 4 * at, w: 6, h: 4, config })),
  });
  const sent = (method: string) => {
    const [, body] = sentBy(product, method).at(-1) ?? [];
    return (body as { tiles: { config: PropertyMap }[] }).tiles.map(({ config }) => config);
  };

  it("a refresh finds no drift if the service drops an empty list from a tile config and adds defaults", async () => {
    product.sandbox.rewrites.add("defaults");
    const declared = new Declared("Dashboard", boardOf({ ...configs.number, colorRules: [] }, configs.line));
    await declared.up(later());
    expect(await declared.refresh(later())).to.deep.equal([]);
  });

  it("a create sends properties of tile configs that this version of the provider does not know", async () => {
    const unheardOf = [
      { displayType: "flame", depth: [1, { a: "b" }] },
      { ...configs.line, palette: { a: 1 } },
    ];
    // The sandbox may refuse the dashboard, since it does not know the properties of newer tile configs. The test examines only
    // the request.
    await new Declared("Dashboard", boardOf(...unheardOf)).up(later()).catch(() => undefined);
    expect(sent("POST")).to.deep.equal(unheardOf);
  });
});
