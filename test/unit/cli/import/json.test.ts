import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { settingVariables } from "../../../pipestackCommand";
import { errorOf, runHere } from "../runHere";
import { useServiceFixture } from "../serviceFixture";
import { runImport } from "./importRun";
import { chart, pageFile, series, tile } from "./pageFile";

const [dashboardId, tileId] = ["65f1c0a2b3d4e5f607182941", "65f1c0a2b3d4e5f607182942"];

/** A dashboard in the form of the API's answers. Its source id exists in no sandbox. */
const answered = {
  ...{ id: dashboardId, name: "Ingestion", tags: [], filters: [], savedQuery: null, savedFilterValues: [] },
  tiles: [
    {
      ...{ id: tileId, name: "Errors", x: 0, y: 0, w: 12, h: 10 },
      config: { displayType: "line", sourceId: "65f1c0a2b3d4e5f6071829ff", select: [{ aggFn: "count" }] },
    },
  ],
};

const alert = {
  ...{ id: "65f1c0a2b3d4e5f607182943", name: "Too many", source: "tile", dashboardId, tileId },
  ...{
    threshold: 5,
    thresholdType: "above",
    interval: "5m",
    state: "OK",
    teamId: "t",
    createdAt: "2026-01-01T00:00:00Z",
  },
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
};

describe("The command pipestack import --json", () => {
  const fixture = useServiceFixture({ dialect: "clickhouse", apis: "observability" });

  const write = async (content: unknown, name = "board.json") => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await writeFile(join(fixture.folder, name), text);
    return name;
  };
  const runFiles = (args: string[], settings: Record<string, string> = {}) =>
    runImport(fixture, ["--json", ...args], settings);
  const run = async (content: unknown, args: string[] = [], settings: Record<string, string> = {}) =>
    runFiles([await write(content), ...args], settings);

  it("pipestack import --json writes only a program for a dashboard that the page has exported", async () => {
    const { code, program, resources, stdout, stderr } = await run(pageFile);
    expect(code, stderr).to.equal(0);
    expect(resources).to.deep.equal([]);
    expect(stdout).to.equal(`index.ts declares 1 resource to create.

To create it, use index.ts as the program of a Pulumi project and run in its folder:
  pulumi up
`);
    expect(program)
      .to.match(/^\/\/ The objects of board\.json, written by "pipestack import"\.\n/)
      .and.include('new pipestack.Dashboard("checkout", {')
      .and.include('periodAggFn: "delta",')
      .and.not.include("aggCondition");
  });

  it("pipestack import --json names what the API cannot hold of an exported dashboard", async () => {
    const { code, stderr } = await run(pageFile);
    expect(code, stderr).to.equal(0);
    const left = [
      "the description",
      'config.select[1].level 0.75 (0.9 takes its place) of the tile "Heap"',
      'config.limit, config.select[0].color, containerId of the tile "Slowest"',
      'config.orderBy of the tile "Records"',
      'the tile "Load" in PromQL',
      'the saved filter value "ServiceName:checkout" of the type "lucene"',
    ];
    expect(stderr).to.equal(
      left.map((what) => `warning: board.json: left out ${what}, which the API cannot hold\n`).join(""),
    );
  });

  it("pipestack import --json looks up sources and connections by name, in the service's spelling", async () => {
    const { program } = await run(pageFile);
    expect(program)
      .to.include('const tracesSource = pipestack.getSourceOutput({\n  name: "Traces",\n});')
      .and.include('const defaultConnection = pipestack.getConnectionOutput({\n  name: "Default",\n});')
      .and.include("sourceId: tracesSource.id,")
      .and.include("connectionId: defaultConnection.id,")
      .and.include("appliesToSourceIds: [tracesSource.id, logsSource.id],")
      .and.include('mode: "id",\n            id: tracesSource.id,');
    expect(program.match(/getSourceOutput/g)).to.have.length(3);
  });

  it("pipestack import --json needs no access to the service", async () => {
    const args = ["import", "--json", await write(pageFile)];
    const { code, stderr } = await runHere(args, fixture.folder, settingVariables({ dialect: "clickhouse" }));
    expect(code, stderr).to.equal(0);
    expect(stderr).to.not.include("the service has no");
    expect(await readFile(join(fixture.folder, "index.ts"), "utf8")).to.include('name: "DEFAULT",');
  });

  it("pipestack import --json joins lists from both APIs into one program with references", async () => {
    await write({ data: [answered] }, "dashboards.json");
    await write(`\ufeff${JSON.stringify({ result: [alert] })}`, "alerts.json");
    const { code, program, stdout, stderr } = await runFiles(["alerts.json", "dashboards.json"]);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include("declares 2 resources to create");
    expect(program)
      .to.include("const ingestion = new pipestack.Dashboard(")
      .and.include("dashboardId: ingestion.id,\n  tileId: ingestion.tileIds.Errors,")
      .and.include("webhookId: onCallWebhook.id,")
      .and.include('sourceId: "65f1c0a2b3d4e5f6071829ff",')
      .and.not.include(dashboardId);
    expect(stderr).to.include('the service has no source "65f1c0a2b3d4e5f6071829ff"');
  });

  describe("The options of pipestack import --json", () => {
    const args = ["board.json", "--only", "Dashboard", "--plugin", "python"];
    let stdout: string;

    beforeEach(async () => {
      await write([answered, alert]);
      ({ stdout } = await runFiles(args));
    });

    it("pipestack import --json declares only the types of the option --only", () => {
      expect(stdout).to.include("__main__.py declares 1 resource to create");
    });

    it("pipestack import --json writes the program in the language of the option --plugin", async () => {
      const program = await readFile(join(fixture.folder, "__main__.py"), "utf8");
      expect(program).to.include("pipestack.Dashboard(\n");
    });

    it("pipestack import --json overwrites no program without the option --force", async () => {
      expect(await errorOf(runFiles(args))).to.include("__main__.py would be overwritten");
    });
  });

  it("pipestack import --json takes a connection from its source if the API lists no connections", async () => {
    const args = ["import", "--json", await write(pageFile), "--force"];
    const variables = settingVariables({ dialect: "clickhouse", observabilityVia: "management" });
    await runHere(args, fixture.folder, variables);
    expect(await readFile(join(fixture.folder, "index.ts"), "utf8"))
      .to.include(
        `const tracesConnection = pipestack
  .getSourceOutput({
    name: "Traces",
  })
  .apply(({ connection }) => connection ?? "");`,
      )
      .and.include("connectionId: tracesConnection,");
    await runHere([...args, "--plugin", "python"], fixture.folder, variables);
    expect(await readFile(join(fixture.folder, "__main__.py"), "utf8"))
      .to.include('traces_connection = pipestack.get_source_output(\n    name="Traces",\n).connection\n')
      .and.include('"connection_id": traces_connection,');
  });

  it("pipestack import --json names properties of tiles that this version of the provider does not know", async () => {
    const { program, stderr } = await run({
      ...pageFile,
      tiles: [tile("Speed", chart({ displayType: "gauge" }))],
    });
    expect(stderr).to.include('warning: board.json: tiles["Speed"].config.displayType is not known');
    expect(program).to.include('displayType: "gauge",').and.include("} as never,");
  });

  it("pipestack import --json escapes control characters of a file", async () => {
    const hostile = "\u001b[2J\u202e*/\n";
    const config = chart({ name: hostile, limit: { limit: 1 }, source: hostile });
    const { program, stdout, stderr } = await run({ ...pageFile, name: hostile, tiles: [tile("", config)] });
    for (const text of [program, stdout, stderr]) expect(text).to.not.match(/\p{Cf}|[^\P{Cc}\n]/u);
    expect(program).to.include('name: "\\u001b[2J\\u202e*/\\n",');
  });

  const summary = series({ aggFn: "max", metricName: "m", metricType: "summary", valueExpression: "Value" });

  /** Tiles with a part that the API refuses, and how the warning about it names this part. */
  const refused: Record<string, [config: object, left: string]> = {
    "a color rule that no number has": [
      {
        ...{ displayType: "number", select: [series()] },
        colorRules: [
          { operator: "contains", value: "a", color: "chart-red" },
          { operator: "gt", value: 1, color: "chart-red" },
        ],
      },
      'config.colorRules[0] (config.colorRules[0].operator must be one of gt, gte, lt, lte, between, eq, neq) of the tile "Odd"',
    ],
    "a series that no chart can show": [
      { select: [series(), summary] },
      'config.select[1] (config.select[1].metricType must not be summary, which no chart can show) of the tile "Odd"',
    ],
    "a chart whose formulas use such a series": [
      { select: [summary, series(), series()], formulas: [{ expression: "A / B" }] },
      'the tile "Odd" (config.select[0].metricType must not be summary, which no chart can show)',
    ],
    "a series with an unknown format": [
      { select: [series({ numberFormat: { output: "roman" } })] },
      "config.select[0].numberFormat (config.select[0].numberFormat.output must be one of",
    ],
    "a chart whose source is gone": [{ source: "" }, 'the tile "Odd" (config.sourceId is required)'],
  };
  for (const [what, [config, left]] of Object.entries(refused))
    it(`pipestack import --json leaves out only what the API refuses, with a warning: ${what}`, async () => {
      const tiles = [tile("Odd", chart(config)), tile("Plain", chart())];
      const { code, program, stderr } = await run({ name: "Board", tiles });
      expect(code, stderr).to.equal(0);
      expect(stderr).to.include(`warning: board.json: left out ${left}`);
      expect(stderr.match(/left out/g)).to.have.length(1);
      expect(program).to.include('name: "Plain",');
      expect(program.includes('name: "Odd",')).to.equal(!left.startsWith("the tile"));
    });

  /** Files that `pipestack import --json` refuses, and the expected messages. */
  const broken: Record<string, [content: unknown, message: string]> = {
    "a text that is no JSON": ["{tiles", "board.json is not JSON"],
    "a number": [7, "board.json is not an object"],
    "a list with a text": [{ data: [answered, "x"] }, "board.json: data[1] is not an object"],
    "another object": [
      [{ name: "Logs" }],
      "board.json: [0] is neither a dashboard, which has tiles, nor an alert, which has a threshold",
    ],
    "tiles that are no list": [{ tiles: {} }, "board.json is no dashboard: tiles must be a list"],
    "a tile that is no object": [{ tiles: [1] }, "board.json is no dashboard: tiles[0] must be an object"],
    "filters that are no list": [
      { ...pageFile, filters: {} },
      "board.json is no dashboard: filters must be a list",
    ],
    "more than three mistakes": [
      { threshold: "many", thresholdType: 1, interval: 5, source: 2, channel: 3 },
      "board.json cannot be declared: threshold must be a number, not a string; interval must be a count and a unit (s, m, h or d), such as 5m, not 5; thresholdType must be a threshold type, such as above, not 1; and 2 more mistakes",
    ],
  };
  for (const [what, [content, message]] of Object.entries(broken))
    it(`pipestack import --json names the place in a file that it refuses: ${what}`, async () => {
      expect(await errorOf(run(content))).to.equal(`error: ${message}\n`);
    });

  it("pipestack import --json names the file that it cannot read", async () => {
    expect(await errorOf(runFiles(["missing.json"]))).to.match(/^error: .*missing\.json/);
  });

  it("pipestack import refuses a Terraform state beside the option --json", async () => {
    const { stderr } = await runFiles(["board.json", "--terraform", "state.json"]);
    expect(stderr).to.include("cannot be used with option");
  });

  it("the refusal of an exported dashboard in the neutral dialect names the needed setting", async () => {
    expect(await errorOf(run(pageFile, [], { dialect: "neutral" }))).to.match(
      /^error: board\.json cannot be declared: .*dialect.*clickhouse.*\n$/,
    );
  });
});
