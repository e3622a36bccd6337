import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { useServiceFixture } from "../serviceFixture";

const until = "2025-06-15T18:00:00Z";

describe("The command pipestack alerts", () => {
  const fixture = useServiceFixture({ dialect: "clickhouse", apis: "observability" });
  const alerts = (...args: string[]) =>
    fixture.pipestack(["alerts", "--live", "--backtest", "2d", "--until", until, ...args]);

  /**
   * Adds three alerts on the logs: one that never fires, one that always fires, and one whose firings `pipestack backtest`
   * cannot compute.
   */
  async function fill(): Promise<void> {
    const { obsBaseUrl, credentials, store } = fixture.sandbox;
    const sourceId = [...store.sources.values()].find(({ name }) => name === "Logs")?.id;
    const count = { displayType: "line", sourceId, select: [{ aggFn: "count", where: "" }] };
    const [connectionId] = store.connections.keys();
    const sql = { displayType: "number", configType: "sql", connectionId, sqlTemplate: "SELECT 1" };
    const channel = { type: "webhook", webhookId: [...store.webhooks.keys()][0] };
    for (const [name, threshold, chartConfig] of [
      ["Quiet", 1e9, count],
      ["Loud\u001b[31m", 1, count],
      ["In SQL", 1, sql],
    ] as const) {
      const alert = {
        name,
        threshold,
        chartConfig: { name, ...chartConfig },
        source: "inline",
        interval: "1h",
      };
      const answer = await fetch(`${obsBaseUrl}/api/v2/alerts`, {
        method: "POST",
        headers: { authorization: `Bearer ${credentials.accessToken}`, "content-type": "application/json" },
        body: JSON.stringify({ ...alert, thresholdType: "above", channel }),
      });
      expect(answer.status, await answer.text()).to.equal(200);
    }
  }

  beforeEach(fill);

  it("pipestack alerts reports every alert as fired, quiet or not known", async () => {
    const { code, stdout, stderr } = await alerts();
    expect(code, stderr).to.equal(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).to.match(/^ALERT +FIRED +FIRST +LAST +LONGEST +OF THE TIME$/);
    expect(lines.find((line) => line.startsWith("Quiet"))).to.match(/^Quiet +never$/);
    expect(lines.find((line) => line.startsWith("Loud"))).to.match(/ 1 time +2025-06-13 19:00 .* 2d +100 %$/);
    expect(lines).to.include.members([
      "Not known:",
      "  In SQL: it runs SQL of its own, which no chart takes",
    ]);
    expect(lines.at(-1)).to.equal("3 alerts: 1 would have fired, 1 would not, 1 not known.");
    expect(stdout).to.not.include("\u001b");
  });

  it("pipestack alerts leaves out an inline alert that is deleted after it was listed", async () => {
    await fixture.sandbox.faults.set([{ kind: "404", operation: "getAlert", nth: 1 }]);
    const { code, stdout, stderr } = await alerts();
    await fixture.sandbox.faults.clear();
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^2 alerts: /m);
  });

  it("pipestack alerts sends only reads", async () => {
    const from = fixture.sandbox.requests.length;
    const { code, stderr } = await alerts();
    expect(code, stderr).to.equal(0);
    const asked = fixture.sandbox.requests.slice(from).map(({ method, path }) => `${method} ${path}`);
    expect(asked.filter((line) => !line.startsWith("GET "))).to.deep.equal(["POST /api/v2/charts/series"]);
  });

  it("pipestack alerts prints each firing as JSON", async () => {
    const { stdout } = await alerts("--json");
    const { from, alerts: found } = JSON.parse(stdout);
    expect(from).to.equal("2025-06-13T18:00:00.000Z");
    const [quiet, loud, unknown] = ["Quiet", "Loud", "In SQL"].map((name) =>
      found.find((one: { name: string }) => one.name.startsWith(name)),
    );
    expect(quiet.firings).to.deep.equal([]);
    expect(loud.firings).to.have.length(1);
    expect(loud.firings[0]).to.include({ from: "2025-06-13T19:00:00.000Z", until: null });
    expect(loud.share).to.equal(1);
    expect(unknown).to.have.property("reason");
  });

  it("pipestack alerts draws the values, the threshold and the firings of each alert that it can test", async () => {
    const { code, stderr } = await alerts("--draw", "pictures");
    expect(code, stderr).to.equal(0);
    const files = (await readdir(join(fixture.folder, "pictures"))).sort();
    expect(files).to.deep.equal(["1-quiet.svg", "2-loud-31m.svg", "alerts.html"].sort());
    const read = (file = "") => readFile(join(fixture.folder, "pictures", file), "utf8");
    const loud = await read(files.find((file) => file.includes("loud")));
    expect(loud)
      .to.include('fill-opacity="0.2"')
      .and.include("would have fired once")
      .and.include("threshold");
    expect(await read("1-quiet.svg")).to.not.include('fill-opacity="0.2"');
    expect(await read("alerts.html")).to.include("In SQL");
    expect((await alerts("--draw", "pictures")).code).to.equal(0);
  });

  it("a refusal of one alert's values leaves only this alert untested", async () => {
    const { store } = fixture.sandbox;
    const loud = [...store.alerts.values()].find(({ name }) => String(name).startsWith("Loud"));
    const config = (loud as unknown as { chartConfig: object }).chartConfig;
    const select = [{ aggFn: "count", where: "a AND b" }];
    Object.assign(loud ?? {}, { chartConfig: { ...config, select } });
    const { code, stdout } = await alerts();
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^ {2}Loud\S*: /m)
      .and.match(/^Quiet +never$/m);
  });

  it("pipestack alerts fails with one message if the service answers no query", async () => {
    await fixture.sandbox.faults.set([{ kind: "403", operation: "getChartSeries" }]);
    const { code, stdout, stderr } = await alerts();
    await fixture.sandbox.faults.clear();
    expect([code, stdout]).to.deep.equal([1, ""]);
    expect(stderr)
      .to.match(/^error: .*getChartSeries.*403/)
      .and.not.match(/\n.*\n/);
  });
});
