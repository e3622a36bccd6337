import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { send } from "../../../serviceContents";
import { errorOf } from "../runHere";
import { useServiceFixture } from "../serviceFixture";

const series = (members: object = {}) => [{ type: "time", aggFn: "count", groupBy: [], ...members }];
const tile = (name: string, x: number, y: number, members: object = {}) => ({
  ...{ name, x, y, w: 12, h: 4, series: series(members) },
});
/** Makes a dashboard in the form of the file that `pipestack draw --json` writes. */
const dashboard = (id: string, name: string, ...tiles: object[]) => ({ id, name, tiles });

describe("The command pipestack draw", () => {
  const fixture = useServiceFixture();
  const draw = (args: string[], settings?: Record<string, string>) =>
    fixture.pipestack(["draw", ...args], settings);
  const drawn = (...path: string[]) => readFile(join(fixture.folder, ...path), "utf8");
  const write = (file: string, listing: unknown) =>
    writeFile(join(fixture.folder, file), JSON.stringify(listing));
  const live = ["--live", "--data", "Logs", "--until", "2025-06-15T18:00:00Z"];

  async function compared(before: object, after: object) {
    await write("before.json", before);
    await write("after.json", after);
    const { code, stdout, stderr } = await draw([
      ...["--before", "before.json", "--after", "after.json", "--out", "compared"],
    ]);
    expect(code, stderr).to.equal(0);
    return { stdout, page: await drawn("compared", "dashboards.html") };
  }

  /** Adds a dashboard whose tiles show values of two sources; the filter of one tile is invalid. */
  async function fill(): Promise<void> {
    const filters = [
      ...["", "SeverityText:error", "SeverityText:warn", "SeverityText:info"],
      ...["ServiceName:api", "ServiceName:web", "a AND b"],
    ];
    const place = `/services/${fixture.sandbox.credentials.serviceId}/stack`;
    const body = {
      name: "Main \u001b[31mred",
      tiles: [
        ...filters.map((where, index) => tile(where || "All", 0, index * 4, { where })),
        tile("Number", 12, 0, { type: "number", groupBy: undefined, dataSource: "Traces" }),
        tile("Table", 12, 4, { type: "table", groupBy: ["ServiceName"] }),
      ],
    };
    type Added = { id: string; tiles: { id: string }[] };
    const { id, tiles } = await send<Added>(fixture.sandbox, "POST", `${place}/dashboards`, body);
    await send(fixture.sandbox, "POST", `${place}/alerts`, {
      ...{ name: "Too many", source: "tile", dashboardId: id, tileId: tiles[1]?.id },
      ...{ threshold: 40, thresholdType: "above", interval: "5m" },
      channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
    });
    fixture.sandbox.requests.length = 0;
  }

  it("pipestack draw draws the service's dashboards with their values, in few requests", async () => {
    await fill();
    const { code, stdout, stderr } = await draw([...live, "--out", "live"]);
    expect([code, stderr]).to.deep.equal([0, ""]);
    expect(stdout).to.equal(
      `${join("live", "dashboards.html")} shows 1 dashboard.\n  1-main-31mred.svg  Main \\u001b[31mred: 9 tiles, 1 alert. 1 gap\n`,
    );
    const files = await readdir(join(fixture.folder, "live"));
    expect(files.sort()).to.deep.equal(["1-main-31mred.svg", "dashboards.html"]);

    const picture = await drawn("live", "1-main-31mred.svg");
    expect(picture).to.include("▲ above 40 every 5m").and.include('class="threshold"');
    expect(picture).to.include("No data: series.0.where: write conditions as");
    expect(picture.match(/class="line s0"/g)).to.have.length(6);
    expect(picture).to.match(/font-size="\d+(\.\d+)?">[\d.,]+k?<\/text>/);

    type Body = { series: { sourceId: string }[]; startTime: number; endTime: number };
    const bodies = fixture.sandbox.requests
      .filter(({ path }) => path.endsWith("/charts/series"))
      .map(({ requestBody }) => requestBody as Body);
    expect(Math.max(...bodies.map(({ series }) => series.length))).to.equal(5);
    // Two requests together query the series of seven charts over time. The service refuses the request with two series, and
    // the command repeats it as one request for each series. The number tile and the table need one request each.
    expect(bodies).to.have.length.within(4, 6);
    const sourceIds = bodies.flatMap(({ series }) => series.map(({ sourceId }) => sourceId));
    expect(new Set(sourceIds)).to.have.property("size", 2);
    for (const { startTime, endTime } of bodies)
      expect([startTime, endTime]).to.deep.equal([Date.UTC(2025, 5, 14, 18), Date.UTC(2025, 5, 15, 18)]);
  });

  it("pipestack draw fails without showing the token if the service refuses every request", async () => {
    await fill();
    expect(await errorOf(draw(live, { accessToken: "another-token" })))
      .to.include("getChartSeries")
      .and.include("401")
      .and.not.include("another-token");
  });

  it("pipestack draw --live --json prints the names of the service's sources", async () => {
    const { stdout } = await draw(["--live", "--json"]);
    const [logs] = JSON.parse(stdout).sources;
    expect(logs).to.deep.equal({ id: "65f1c0a2b3d4e5f607182911", name: "Logs" });
  });

  it("a comparison of two files shows sources by name without a request", async () => {
    const sources = [...fixture.sandbox.store.sources.values()].map(({ id, name }) => ({ id, name }));
    fixture.sandbox.requests.length = 0;
    const listing = (source: string) => {
      const sourceId = sources.find(({ name }) => name === source)?.id;
      return {
        dashboards: [dashboard("d", "D", { id: "1", ...tile("Errors", 0, 0, { sourceId }) })],
        sources,
      };
    };
    const { stdout: report } = await compared(listing("Logs"), listing("Traces"));
    expect(report).to.include("Errors: shows: time; count from Logs → time; count from Traces");
    expect(await drawn("compared", "1-d.svg")).to.include("count from Traces");
    expect(fixture.sandbox.requests).to.deep.equal([]);
  });

  it("pipestack draw --json prints the drawn dashboards without the channels of their alerts", async () => {
    await fill();
    const { stdout } = await draw(["--live", "--json"]);
    expect(Object.keys(JSON.parse(stdout))).to.deep.equal(["dashboards", "alerts", "sources", "isLive"]);
    expect(stdout).to.not.include("webhookId");
  });

  it("pipestack draw compares two files that it has printed as JSON, without a stack", async () => {
    await fill();
    const { stdout } = await draw(["--live", "--json"]);
    const [before, after] = [JSON.parse(stdout), JSON.parse(stdout)];
    after.dashboards[0].tiles[0].x = 3;
    after.alerts[0].threshold = 99;
    const { stdout: report, page } = await compared(before, after);
    expect(report.split("\n").slice(1)).to.deep.equal([
      "  1-main-31mred.svg  Main \\u001b[31mred: 1 moved, 1 changed (9 tiles, 1 alert. “All” and “Number” overlap. 2 gaps)",
      "    All: moved from x 0, y 0, 12 × 4 to x 3, y 0, 12 × 4",
      "    SeverityText:error: alert Too many: ▲ above 40, every 5m → ▲ above 99, every 5m",
      "",
    ]);
    expect(page).to.include("BEFORE").and.include("AFTER").and.include(">moved<");
  });

  it("pipestack draw names changed alerts that are on no dashboard, in the terminal and on the page", async () => {
    const onSearch = (name: string, threshold: number) => ({
      ...{ name, source: "search", threshold, thresholdType: "above", interval: "5m" },
    });
    const kept = onSearch("Kept", 2);
    const { stdout, page } = await compared(
      { dashboards: [], alerts: [kept, onSearch("Changed", 12_300), onSearch("Removed", 1)] },
      { dashboards: [], alerts: [onSearch("Changed", 12_345), kept] },
    );
    const lines = [
      "alert Changed: ▲ above 12,300, every 5m → ▲ above 12,345, every 5m",
      "alert Removed removed (▲ above 1, every 5m)",
    ];
    for (const line of lines) {
      expect(stdout).to.include(`  ${line}\n`);
      expect(page).to.include(`<li dir="auto">${line}</li>`);
    }
    expect(stdout).to.not.match(/Kept.*(→|removed)/);
    expect(stdout).to.include("not drawn: alert Changed: ▲ above 12,345, every 5m, on a saved search");
  });

  it("pipestack draw links dashboards and alerts to their pages if the URLs are known", async () => {
    const { id } = await fixture.addDashboard();
    await draw(["--live", "--out", "plain"]);
    expect(await drawn("plain", "dashboards.html")).to.not.include("href");
    const pageUrl = "https://x.example.com";
    await draw(["--live", "--out", "linked"], { pageUrl });
    const link = `<h2 dir="auto"><a href="${pageUrl}/dashboards/${id}" rel="noreferrer">Ingestion</a></h2>`;
    expect(await drawn("linked", "dashboards.html")).to.include(link);

    const { stdout } = await draw(["--live", "--json"], { pageUrl });
    const before = JSON.parse(stdout);
    expect(before.dashboards[0].url).to.equal(`${pageUrl}/dashboards/${id}`);
    const onSearch = { name: "Many", source: "search", threshold: 5, url: `${pageUrl}/search/s1` };
    const after = {
      dashboards: [{ ...before.dashboards[0], url: "javascript:alert(1)" }],
      alerts: [onSearch],
    };
    const { stdout: report, page } = await compared(before, after);
    expect(report).to.include("Ingestion: unchanged");
    expect(page).to.include(`<li dir="auto"><a href="${pageUrl}/search/s1" rel="noreferrer">Many: `);
    expect(page).to.not.include("javascript:");
  });

  it("pipestack draw shows the changed lines of a text", async () => {
    const listing = (source: string) => {
      const sqlTemplate = `SELECT host\nFROM ${source}\nLIMIT 5`;
      const config = { displayType: "table", configType: "sql", connectionId: "c", sqlTemplate };
      const shown = { id: "t", name: "Hosts\nby count", x: 0, y: 0, w: 12, h: 8, config };
      return { dashboards: [dashboard("1", "Main", shown)] };
    };
    const { stdout, page } = await compared(listing("logs"), listing("traces"));
    const picture = await drawn("compared", "1-main.svg");
    expect(stdout).to.include("config.sqlTemplate:\n      - FROM logs\n      + FROM traces\n");
    expect(page).to.include("config.sqlTemplate:<br/>- FROM logs<br/>+ FROM traces");
    const lines = [...picture.matchAll(/<text class="ink filter"[^>]*>([^<]*)<\/text>/g)];
    expect(lines.map(([, line]) => line)).to.deep.equal([
      ...["SELECT host", "FROM logs", "LIMIT 5", "SELECT host", "FROM traces", "LIMIT 5"],
    ]);
    for (const text of [stdout, page, picture]) expect(text).to.not.match(/\\u000a|\\n/);
  });

  it("pipestack draw numbers the file names of dashboards with the same name", async () => {
    const dashboards = ["Main", "Other", "Main"].map((name, index) => dashboard(String(index), name));
    await write("names.json", { dashboards });
    expect((await draw(["--after", "names.json"])).stdout.match(/\S+\.svg {2}[^:]+/g)).to.deep.equal([
      ...["1-main.svg  Main (1)", "2-other.svg  Other", "3-main.svg  Main (3)"],
    ]);
  });

  it("pipestack draw ignores what a file has beside dashboards and alerts", async () => {
    const odd = JSON.stringify({ dashboards: [null, 5], alerts: [null] });
    await writeFile(join(fixture.folder, "odd.json"), `\uFEFF${odd}`);
    const { code, stdout, stderr } = await draw(["--json", "--after", "odd.json"]);
    expect([code, stderr]).to.deep.equal([0, ""]);
    expect(JSON.parse(stdout)).to.deep.equal({ dashboards: [], alerts: [], sources: [] });
  });

  it("pipestack draw reads a file into which Windows PowerShell has redirected its output", async () => {
    const printed = JSON.stringify({ dashboards: [dashboard("1", "Übersicht")] });
    await writeFile(join(fixture.folder, "before.json"), Buffer.from(`\uFEFF${printed}\r\n`, "utf16le"));
    const { code, stdout, stderr } = await draw(["--json", "--after", "before.json"]);
    expect([code, stderr]).to.deep.equal([0, ""]);
    expect(JSON.parse(stdout).dashboards[0].name).to.equal("Übersicht");
  });

  for (const [args, words] of [
    [
      ["--live", "--data", "Nope"],
      'error: the service has no source "Nope"; it has "Logs", "Traces", "Metrics"',
    ],
    [["--after", "missing.json"], "error: cannot read missing.json: ENOENT"],
    [["--after", "other.json"], "error: other.json contains no dashboards; write it with"],
    [["--last", "soon"], "A duration is a count and a unit"],
    [["--until", "1718450000"], "A time is a date"],
    [["--until", "2025-06-15T18:00"], "A time is a date"],
    [["--until", "2025-06-15"], "A time is a date"],
  ] as const)
    it(`pipestack draw exits with 1 and one line after ${args.join(" ")}`, async () => {
      await write("other.json", [1, 2]);
      expect(await errorOf(draw([...args])))
        .to.include(words)
        .and.match(/^[^\n]+\n$/);
    });
});
