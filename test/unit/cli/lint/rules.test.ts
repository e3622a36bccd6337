import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Exclusion, readExclusions, withoutExcluded } from "../../../../provider/cli/lint/exclusions";
import { lintMarkdown, lintTable } from "../../../../provider/cli/lint/report";
import { findingsIn, type Linted, type LintFinding, rules } from "../../../../provider/cli/lint/rules";
import type { Data } from "../../../../provider/values/data";
import { unknown } from "../../../../provider/values/unknown";

const urnOf = (type: string, name: string) => `urn:pulumi:dev::project::pipestack:index:${type}::${name}`;

const select = [{ aggFn: "avg", valueExpression: "Duration", numberFormat: { output: "time" } }];
const tile = {
  ...{ id: "t1", name: "Latency", x: 0, y: 0, w: 12, h: 4 },
  config: { displayType: "line", sourceId: "s1", select },
};
const board = { urn: urnOf("Dashboard", "main"), id: "d1", name: "Main", tiles: [tile] };
const alert = {
  ...{ urn: urnOf("Alert", "slow"), id: "a1", name: "Too slow", note: "Look at the replicas" },
  ...{ source: "tile", dashboardId: "d1", tileId: "t1", threshold: 5, thresholdType: "above" },
  ...{ interval: "5m", channel: { type: "webhook", webhookId: "w1" } },
};
const existing = {
  ...{ sources: new Set(["s1"]), connections: new Set(["c1"]), webhooks: new Set(["w1"]) },
  ...{ searches: new Set(["q1"]), dashboards: new Set(["d1"]), tiles: new Set(["t1"]) },
};
const rule = { thresholdType: "above", threshold: 5, runs: 1, interval: 60_000 };
const buckets = [[0, 1] as const];

const found = (given: Partial<Linted>) =>
  findingsIn({ dashboards: [board], alerts: [alert], existing, ...given }).map(
    ({ rule: name, type, name: resource, tile: place }) => [name, type, resource, place].join(" ").trim(),
  );
const ofTile = (changed: Data): Partial<Linted> => ({
  dashboards: [{ ...board, tiles: [{ ...tile, ...changed }] }],
});
const ofAlert = (changed: Data): Partial<Linted> => ({ alerts: [{ ...alert, ...changed }] });

describe("The rules of pipestack lint", () => {
  it("a dashboard and an alert without a mistake have no finding", () => {
    expect(found({})).to.deep.equal([]);
  });

  const showing = (config: Data) => ofTile({ config: { ...tile.config, ...config } });
  const resultOf = (further: object): Partial<Linted> => ({
    results: [{ name: "Too slow", alert, rule, buckets, ...further } as never],
  });
  const [ofBoard, onTile, ofSlow] = ["Dashboard main", "Dashboard main Latency", "Alert slow"];
  const ofGone = { sourceId: "s2" };
  const ofGoneConnection = { displayType: "number", configType: "sql", connectionId: "c2" };
  const onGoneSearch = { source: "search", savedSearch: "q2" };
  const onGoneChart = { source: "inline", dashboardId: undefined, tileId: undefined, chartConfig: ofGone };
  const two = [{ webhookId: "w1" }, { webhookId: "w2" }];
  const always = [{ from: 60_000, peak: 9 }];
  const findings: readonly [mistake: string, given: Partial<Linted>, rule: string, place: string][] = [
    ["tiles that overlap", { dashboards: [{ ...board, tiles: [tile, tile] }] }, "tile-place", ofBoard],
    ["a tile beyond the grid", ofTile({ x: 20 }), "tile-place", ofBoard],
    [
      "a mean without a unit",
      showing({ select: [{ aggFn: "avg", valueExpression: "a" }] }),
      "tile-unit",
      onTile,
    ],
    ["a source that is gone", showing(ofGone), "gone-reference", onTile],
    ["a connection that is gone", ofTile({ config: ofGoneConnection }), "gone-reference", onTile],
    [
      "a series whose source is gone",
      ofTile({ config: undefined, series: [ofGone] }),
      "gone-reference",
      onTile,
    ],
    ["an alert without a note", ofAlert({ note: undefined }), "alert-note", ofSlow],
    ["an alert without a channel", ofAlert({ channel: undefined }), "alert-channel", ofSlow],
    [
      "an alert to a webhook that is gone",
      ofAlert({ channel: { webhookId: "w2" } }),
      "alert-channel",
      ofSlow,
    ],
    ["an alert to two webhooks, of which one is gone", ofAlert({ channels: two }), "alert-channel", ofSlow],
    ["an alert on a tile that is gone", ofAlert({ tileId: "t2" }), "gone-reference", ofSlow],
    ["an alert on a dashboard that is gone", ofAlert({ dashboardId: "d2" }), "gone-reference", ofSlow],
    ["an alert on a search that is gone", ofAlert(onGoneSearch), "gone-reference", ofSlow],
    ["an alert on a chart whose source is gone", ofAlert(onGoneChart), "gone-reference", ofSlow],
    ["an alert that never fired", resultOf({ firings: [] }), "threshold-never", ofSlow],
    ["an alert that always fired", resultOf({ firings: always }), "threshold-always", ofSlow],
  ];
  for (const [mistake, given, name, place] of findings)
    it(`lint finds ${mistake}`, () => {
      expect(found(given)).to.deep.equal([`${name} ${place}`]);
    });

  const sum = { aggFn: "sum" };
  const quiet: { readonly [subject: string]: Partial<Linted> } = {
    "a count without a unit": showing({ select: [{ aggFn: "count" }] }),
    "a ratio without a unit": showing({ select: [sum, sum], asRatio: true }),
    "a unit of the whole tile": showing({ select: [sum], numberFormat: { output: "byte" } }),
    "a text tile": ofTile({ config: { displayType: "markdown", markdown: "# Title" } }),
    "an alert with a message in place of a note": ofAlert({ note: undefined, message: "Look" }),
    "a note that is not known yet": ofAlert({ note: unknown }),
    "a webhook that is not known yet": ofAlert({ channel: { webhookId: unknown } }),
    "a source that is not known yet": showing({ sourceId: unknown }),
    "an address for mail in place of a webhook": ofAlert({ channel: { type: "email" } }),
    "objects that nobody can list": {
      ...{ existing: { ...existing, webhooks: undefined }, ...ofAlert({ channel: { webhookId: "w2" } }) },
    },
    "an alert of which nobody can know when it fired": {
      results: [{ name: "Too slow", alert, reason: "SQL" }],
    },
    "an alert that fired some of the time": resultOf({
      ...{ buckets: [...buckets, [60_000, 9]], firings: [{ from: 120_000, peak: 9 }] },
    }),
  };
  for (const [subject, given] of Object.entries(quiet))
    it(`lint finds nothing in ${subject}`, () => {
      expect(found(given)).to.deep.equal([]);
    });
});

describe("The exclusions of pipestack lint", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-lint-"));
  });
  after(() => rm(folder, { recursive: true }));

  const finding: LintFinding = {
    rule: "tile-unit",
    type: "Dashboard",
    name: "main",
    tile: "Latency",
    message: "has none",
  };
  const exclusion: Exclusion = { rule: "tile-unit", resource: "main", reason: "a score" };
  const left = (one: Exclusion) => withoutExcluded([finding], [one]);

  it("an exclusion holds for its rule, its resource and its tile, and one that excludes nothing is named", () => {
    for (const one of [exclusion, { ...exclusion, tile: "Latency" }, { ...exclusion, resource: "*" }])
      expect(left(one)).to.deep.equal({ findings: [], unused: [] });
    for (const one of [
      { ...exclusion, rule: "alert-note" as const },
      { ...exclusion, resource: "other" },
      { ...exclusion, tile: "Errors" },
    ])
      expect(left(one)).to.deep.equal({ findings: [finding], unused: [one] });
  });

  it("a project without the file excludes nothing", async () => {
    expect(await readExclusions(join(folder, "none.json"))).to.deep.equal([]);
  });

  const { reason, ...unreasoned } = exclusion;
  for (const [content, message] of [
    ["{", "is not JSON"],
    ["{}", "must hold a list of exclusions"],
    ["[1]", "entry 1 must be an object"],
    [
      JSON.stringify([{ ...exclusion, rule: "tile-units" }]),
      `entry 1 has the rule "tile-units"; the rules are tile-place`,
    ],
    [JSON.stringify([exclusion, unreasoned]), "entry 2 needs a reason"],
    [JSON.stringify([{ ...exclusion, resource: "" }]), "entry 1 needs a resource"],
    [
      JSON.stringify([{ ...exclusion, until: "2027" }]),
      "entry 1 has until, which is none of rule, resource, tile, reason",
    ],
  ] as const)
    it(`a file of exclusions is refused with a reason: ${message}`, async () => {
      const path = join(folder, "pipestack.lint.json");
      await writeFile(path, content);
      const error = await readExclusions(path).then(String, ({ message: text }: Error) => text);
      expect(error).to.include(message).and.include(path);
    });

  it("the report counts findings and resources, and names exclusions that exclude nothing", () => {
    const other = { ...finding, tile: undefined, message: "has a | in it" };
    expect(lintTable({ findings: [], unused: [] })).to.equal("Nothing found.");
    expect(
      lintTable({ findings: [finding, other], unused: [exclusion] })
        .split("\n")
        .slice(2),
    ).to.deep.equal([
      'tile-unit  Dashboard main  tile "Latency" has none',
      ...["tile-unit  Dashboard main  has a | in it", ""],
      ...[
        "The exclusion of tile-unit for main excludes nothing; remove it.",
        "",
        "2 findings in 1 resource.",
      ],
    ]);
    const markdown = lintMarkdown({ findings: [other], unused: [] });
    expect(markdown).to.include("1 finding in 1 resource.").and.include("has a &#124; in it");
  });

  it("docs/lint.md has each rule with its sentence", async () => {
    const page = await readFile(join(__dirname, "..", "..", "..", "..", "docs", "lint.md"), "utf8");
    for (const [name, sentence] of Object.entries(rules))
      expect(page).to.include(`| \`${name}\` | ${sentence}`);
  });
});
