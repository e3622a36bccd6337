import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../../../sandbox/index";
import { settingVariables } from "../../../pipestackCommand";
import { send, settingsOf } from "../../../serviceContents";
import { errorOf, runHere } from "../runHere";

describe("pipestack draw", () => {
  let folder: string;
  let sandbox: Sandbox;
  const draw = (...args: string[]) =>
    runHere(["draw", ...args], folder, settingVariables(settingsOf(sandbox)));

  const live = ["--live", "--data", "Logs", "--until", "2025-06-15T18:00:00Z"];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "pipestack-draw-"));
    sandbox = await createSandbox();
    const series = (where: string, members: object = {}) => [
      { type: "time", aggFn: "count", where, groupBy: [], ...members },
    ];
    const names = [
      ...["", "SeverityText:error", "SeverityText:warn", "SeverityText:info"],
      ...["ServiceName:api", "ServiceName:web", "a AND b"],
    ];
    const tile = (name: string, x: number, y: number, members: object) => ({
      ...{ name, x, y, w: 12, h: 4, series: series("", members) },
    });
    const tiles = names.map((where, index) => tile(where || "All", 0, index * 4, { where }));
    const place = `/services/${sandbox.credentials.serviceId}/stack`;
    const made = await send<{ id: string; tiles: { id: string }[] }>(sandbox, "POST", `${place}/dashboards`, {
      name: "Main \u001b[31mred",
      tiles: [
        ...tiles,
        tile("Number", 12, 0, { type: "number", groupBy: undefined, dataSource: "Traces" }),
        tile("Table", 12, 4, { type: "table", groupBy: ["ServiceName"] }),
      ],
    });
    await send(sandbox, "POST", `${place}/alerts`, {
      ...{ name: "Too many", source: "tile", dashboardId: made.id, tileId: made.tiles[1]?.id },
      ...{ threshold: 40, thresholdType: "above", interval: "5m" },
      channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
    });
  });
  after(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("draws the dashboards of the service with their values, in few requests", async () => {
    sandbox.requests.length = 0;
    const { code, stdout, stderr } = await draw(...live, "--out", "live");
    expect(stderr).to.equal("");
    expect(code).to.equal(0);
    expect(stdout).to.equal(
      `${join("live", "dashboards.html")} shows 1 dashboard.\n  1-main-31mred.svg  Main \\u001b[31mred: 9 tiles, 1 alert. 1 gap\n`,
    );
    const files = await readdir(join(folder, "live"));
    expect(files.sort()).to.deep.equal(["1-main-31mred.svg", "dashboards.html"]);

    const picture = await readFile(join(folder, "live", "1-main-31mred.svg"), "utf8");
    expect(picture).to.include("▲ above 40 every 5m").and.include('class="threshold"');
    expect(picture).to.include("No data: series.0.where: write conditions as");
    expect(picture.match(/class="line s0"/g)).to.have.length(6);
    expect(picture).to.match(/font-size="\d+(\.\d+)?">[\d.,]+k?<\/text>/);

    type Body = { series: { sourceId: string }[]; startTime: number; endTime: number };
    const bodies = sandbox.requests
      .filter(({ path }) => path.endsWith("/charts/series"))
      .map(({ requestBody }) => requestBody as Body);
    expect(Math.max(...bodies.map(({ series }) => series.length))).to.equal(5);
    // 7 charts over time in 2, of which one is asked anew for each of its 2 series; a number and a table.
    expect(bodies).to.have.length.within(4, 6);
    const sourceIds = bodies.flatMap(({ series }) => series.map(({ sourceId }) => sourceId));
    expect(new Set(sourceIds)).to.have.property("size", 2);
    for (const { startTime, endTime } of bodies)
      expect([startTime, endTime]).to.deep.equal([Date.UTC(2025, 5, 14, 18), Date.UTC(2025, 5, 15, 18)]);
  });

  it("draws the same pictures twice", async () => {
    await draw(...live, "--out", "again");
    for (const file of await readdir(join(folder, "again")))
      expect(await readFile(join(folder, "again", file), "utf8")).to.equal(
        await readFile(join(folder, "live", file), "utf8"),
      );
  });

  for (const [where, places, expected] of [
    ["tiles stand beside each other", [0, 12], 0],
    ["tiles overlap", [0, 11], 7],
    ["a tile reaches beyond the grid", [0, 13], 7],
  ] as const) {
    it(`ends with ${expected} for --check if ${where}, and draws in any case`, async () => {
      const tiles = places.map((x) => ({ name: `At ${x}`, x, y: 0, w: 12, h: 4, series: [] }));
      const file = join(folder, "checked.json");
      await writeFile(file, JSON.stringify({ dashboards: [{ id: "1", name: "Main", tiles }], alerts: [] }));
      const { code, stdout } = await draw("--after", file, "--check", "--out", "checked");
      expect(stdout).to.include("1-main.svg  Main: 2 tiles");
      expect(code).to.equal(expected);
      expect((await draw("--after", file, "--out", "checked")).code).to.equal(0);
    });
  }

  it("shows sources by their names if it asks the service anyway", async () => {
    const { stdout } = await draw("--live", "--json");
    const [logs, traces] = JSON.parse(stdout).sources;
    expect(logs).to.deep.equal({ id: "65f1c0a2b3d4e5f607182911", name: "Logs" });
    const tile = (sourceId: string) => ({
      ...{ id: "1", name: "Errors", x: 0, y: 0, w: 12, h: 4 },
      series: [{ type: "time", aggFn: "count", sourceId }],
    });
    for (const [file, { id }] of [
      ["logs.json", logs],
      ["traces.json", traces],
    ] as const) {
      const dashboards = [{ id: "d", name: "D", tiles: [tile(id)] }];
      await writeFile(join(folder, file), JSON.stringify({ dashboards, sources: [logs, traces] }));
    }
    const compared = await draw("--before", "logs.json", "--after", "traces.json", "--out", "sources");
    expect(compared.stdout).to.include("Errors: shows: time; count from Logs → time; count from Traces");
    expect(await readFile(join(folder, "sources", "1-d.svg"), "utf8")).to.include("count from Traces");
    sandbox.requests.length = 0;
    await draw("--after", "logs.json", "--out", "sources");
    expect(sandbox.requests).to.deep.equal([]);
  });

  it("prints the drawn dashboards as JSON, and compares such files without a stack", async () => {
    const { stdout } = await draw("--live", "--json");
    const listing = JSON.parse(stdout);
    expect(Object.keys(listing)).to.deep.equal(["dashboards", "alerts", "sources", "isLive"]);
    expect(stdout).to.not.include("webhookId");
    await writeFile(join(folder, "before.json"), stdout);
    listing.dashboards[0].tiles[0].x = 3;
    listing.alerts[0].threshold = 99;
    await writeFile(join(folder, "after.json"), `\uFEFF${JSON.stringify(listing)}`);
    const compared = await draw("--before", "before.json", "--after", "after.json", "--out", "compared");
    expect(compared.stdout.split("\n").slice(1)).to.deep.equal([
      "  1-main-31mred.svg  Main \\u001b[31mred: 1 moved, 1 changed (9 tiles, 1 alert. “All” and “Number” overlap. 2 gaps)",
      "    All: moved from x 0, y 0, 12 × 4 to x 3, y 0, 12 × 4",
      "    SeverityText:error: alert Too many: ▲ above 40, every 5m → ▲ above 99, every 5m",
      "",
    ]);
    const page = await readFile(join(folder, "compared", "dashboards.html"), "utf8");
    expect(page).to.include("BEFORE").and.include("AFTER").and.include(">moved<");
  });

  it("names the changes of alerts on no dashboard, on the terminal and on the page", async () => {
    const onSearch = (name: string, threshold: number) => ({
      ...{ name, source: "search", threshold, thresholdType: "above", interval: "5m" },
    });
    const files = {
      "searches-before.json": [onSearch("Changed", 12_300), onSearch("Removed", 1)],
      "searches-after.json": [onSearch("Changed", 12_345)],
    };
    for (const [file, alerts] of Object.entries(files))
      await writeFile(join(folder, file), JSON.stringify({ dashboards: [], alerts }));
    const [before, after] = Object.keys(files) as [string, string];
    const { stdout } = await draw("--before", before, "--after", after, "--out", "searches");
    const lines = [
      "alert Changed: ▲ above 12,300, every 5m → ▲ above 12,345, every 5m",
      "alert Removed removed (▲ above 1, every 5m)",
    ];
    const page = await readFile(join(folder, "searches", "dashboards.html"), "utf8");
    for (const line of lines) {
      expect(stdout).to.include(`  ${line}\n`);
      expect(page).to.include(`<li dir="auto">${line}</li>`);
    }
    expect(stdout).to.include("not drawn: alert Changed: ▲ above 12,345, every 5m, on a saved search");
  });

  it("passes over entries of a file that are no dashboard and no alert", async () => {
    await writeFile(join(folder, "odd.json"), JSON.stringify({ dashboards: [null, 5], alerts: [null] }));
    const { code, stdout, stderr } = await draw("--json", "--after", "odd.json");
    expect([code, stderr]).to.deep.equal([0, ""]);
    expect(JSON.parse(stdout)).to.deep.equal({ dashboards: [], alerts: [], sources: [] });
  });

  it("ends with 1 and one line for a wrong option or file", async () => {
    await writeFile(join(folder, "other.json"), "[1, 2]");
    const cases: [string[], string][] = [
      [
        ["--live", "--data", "Nope"],
        'error: the service has no source "Nope"; it has "Logs", "Traces", "Metrics"',
      ],
      [["--after", "missing.json"], "error: cannot read missing.json: ENOENT"],
      [["--after", "other.json"], "error: other.json contains no dashboards; write it with"],
      [["--live", "--state"], "error: option '--state' cannot be used with option '--live'"],
      [["--json", "--before", "x"], "error: option '--json' cannot be used with option '--before <file>'"],
      [["--last", "soon"], "A duration is a count and a unit"],
      [["--until", "1718450000"], "A time is a date"],
      [["--until", "2025-06-15T18:00"], "A time is a date"],
      [["--until", "2025-06-15"], "A time is a date"],
      [["--granularity", "7m"], "Allowed choices are 30s"],
    ];
    for (const [args, words] of cases) {
      const { code, stdout, stderr } = await draw(...args);
      expect(code, args.join(" ")).to.equal(1);
      expect(stdout).to.equal("");
      expect(stderr.trimEnd().split("\n"), stderr).to.have.length(1);
      expect(stderr).to.include(words);
    }
  }).timeout(60_000);

  it("fails without showing the token if the service refuses every question", async () => {
    const settings = { ...settingsOf(sandbox), accessToken: "another-token" };
    expect(await errorOf(runHere(["draw", ...live], folder, settingVariables(settings))))
      .to.include("getChartSeries")
      .and.include("401")
      .and.not.include("another-token");
  });

  it("shows changes within a text of several lines by lines", async () => {
    for (const source of ["logs", "traces"]) {
      const query = {
        configType: "sql",
        connectionId: "c",
        sqlTemplate: `SELECT host\nFROM ${source}\nLIMIT 5`,
      };
      const tile = { id: "t", name: "Hosts\nby count", x: 0, y: 0, w: 12, h: 8 };
      const tiles = [{ ...tile, config: { displayType: "table", ...query } }];
      const dashboards = [{ id: "1", name: "Main", tiles }];
      await writeFile(join(folder, `lines-${source}.json`), JSON.stringify({ dashboards }));
    }
    const files = ["--before", "lines-logs.json", "--after", "lines-traces.json"];
    const { stdout, code } = await draw(...files, "--out", "lines");
    expect(code).to.equal(0);
    expect(stdout).to.include("config.sqlTemplate:\n      - FROM logs\n      + FROM traces\n");
    const page = await readFile(join(folder, "lines", "dashboards.html"), "utf8");
    const picture = await readFile(join(folder, "lines", "1-main.svg"), "utf8");
    expect(page).to.include("config.sqlTemplate:<br/>- FROM logs<br/>+ FROM traces");
    const lines = [...picture.matchAll(/<text class="ink filter"[^>]*>([^<]*)<\/text>/g)];
    expect(lines.map(([, line]) => line)).to.deep.equal([
      "SELECT host",
      "FROM logs",
      "LIMIT 5",
      "SELECT host",
      "FROM traces",
      "LIMIT 5",
    ]);
    for (const text of [stdout, page, picture]) expect(text).to.not.match(/\\u000a|\\n/);
  });
});
