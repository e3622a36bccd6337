import { expect } from "chai";
import { type ShownRange, valuesOfTiles } from "../../../../cli/draw/knownValues";
import { readDashboards, type TileData } from "../../../../drawing";
import { resolveSettings } from "../../../../provider/api/settings";
import { Session } from "../../../../provider/lifecycle/session";
import { createSandbox, type Sandbox } from "../../../../sandbox/index";
import { settingsOf } from "../../../serviceContents";

const hour = 3_600_000;
const until = Date.UTC(2025, 5, 15, 18);
const day: ShownRange = { source: "Logs", from: until - 24 * hour, until, granularity: "auto" };

describe("The values in pictures by pipestack draw", () => {
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await createSandbox();
  });
  after(() => sandbox.close());
  beforeEach(() => {
    sandbox.requests.length = 0;
  });

  async function ask(
    tiles: readonly object[],
    { range = day, settings = {}, alerts = [] as object[] } = {},
  ): Promise<(TileData | undefined)[]> {
    const all: Record<string, string> = { ...settingsOf(sandbox), ...settings };
    const session = new Session(() => resolveSettings([(name) => all[name]]), { warn() {}, info() {} });
    const declared = tiles.map((one, index) => ({
      id: `t${index}`,
      series: [{ type: "time", aggFn: "count", where: "", groupBy: [], ...one }],
    }));
    const { dashboards } = readDashboards({ dashboards: [{ tiles: declared }], alerts });
    const values = await valuesOfTiles(dashboards, range, session);
    return (dashboards[0]?.tiles ?? []).map((tile) => values.get(tile));
  }

  const asked = () =>
    sandbox.requests
      .filter(({ path }) => path.endsWith("/charts/series"))
      .map(({ requestBody }) => requestBody as { granularity: string; series: Record<string, unknown>[] });
  const sourceId = (name: string) =>
    [...sandbox.store.sources.values()].find((source) => source.name === name)?.id ?? "";

  it("pipestack draw queries the quantile that a series declares", async () => {
    const quantile = { aggFn: "quantile", field: "Duration" };
    const [median, high] = await ask([quantile, { ...quantile, level: 0.95 }]);
    expect(asked()[0]?.series.map(({ level }) => level)).to.deep.equal([undefined, 0.95]);
    const last = (data: TileData | undefined) =>
      data && "points" in data ? (data.points.at(-1)?.values[0] ?? 0) : 0;
    expect(last(high)).to.be.above(last(median));
  });

  it("pipestack draw queries values in the declared language of the filter", async () => {
    const [data] = await ask([{ where: "1 = 1", whereLanguage: "sql" }]);
    expect(asked()[0]?.series[0]).to.include({ whereLanguage: "sql" });
    expect(data).to.have.property("problem");
    const [usual] = await ask([{ where: "SeverityText:error", whereLanguage: "lucene" }]);
    expect(usual).to.have.property("points");
  });

  it("pipestack draw sends no query of which a part is secret", async () => {
    const [hidden, shown] = await ask([{ where: "[secret]" }, {}]);
    expect(hidden).to.have.property("problem", "a part of its query is secret");
    expect(shown).to.have.property("points");
    expect(asked().flatMap(({ series }) => series)).to.have.length(1);
  });

  describe("values of tiles from a HyperDX server", () => {
    let neutral: Sandbox;
    const settings = { dialect: "clickhouse" };

    before(async () => {
      neutral = sandbox;
      sandbox = await createSandbox({ dialect: "clickhouse" });
    });
    after(async () => {
      await sandbox.close();
      sandbox = neutral;
    });

    it("pipestack draw queries HyperDX for the metric that a series declares", async () => {
      const metric = { metricName: "system.cpu.utilization", metricType: "gauge" };
      await ask([{ aggFn: "avg", field: "Value", ...metric }], { settings });
      expect(asked()[0]?.series[0]).to.include({ metricName: metric.metricName, metricDataType: "gauge" });
    });

    it("no picture shows the zeros that HyperDX answers for a field with a dot in its name", async () => {
      const field = "Duration / 1000000.0";
      const [scaled, count] = await ask([{ aggFn: "max", field }, {}], { settings });
      expect(scaled).to.have.property("problem").that.includes(`takes ${field} for a text`);
      expect(count).to.have.property("points");
      expect(asked()[0]?.series).to.have.length(1);
    });
  });

  describe("The buckets of a tile's values", () => {
    const lengths = async (range: ShownRange, ...intervals: string[]) => {
      const alerts = intervals.map((interval) => ({ tileId: "t0", interval }));
      const [data] = await ask([{}], { range, alerts });
      if (!data || "problem" in data) throw new Error("no values");
      expect(data.points.every(({ tsBucket }) => tsBucket % (data.bucket ?? 0) === 0)).to.equal(true);
      return [data.bucket, asked().at(-1)?.granularity];
    };

    it("pipestack draw queries a day of a tile without an alert in buckets of half an hour", async () => {
      expect(await lengths(day)).to.deep.equal([hour / 2, "30m"]);
    });

    it("pipestack draw queries a tile's values in buckets of its alert's interval", async () => {
      expect(await lengths(day, "5m")).to.deep.equal([hour / 12, "5m"]);
      expect(await lengths(day, "60m")).to.deep.equal([hour, "1h"]);
    });

    it("pipestack draw ignores the interval of an alert that would make too many buckets", async () => {
      expect(await lengths(day, "1m", "1h")).to.deep.equal([hour, "1h"]);
    });

    it("a granularity of the command line overrides the interval of a tile's alert", async () => {
      expect(await lengths({ ...day, granularity: "2h" }, "5m")).to.deep.equal([2 * hour, "2h"]);
    });
  });

  it("pipestack draw reads a series only from the source that it names", async () => {
    const [traces, byId, usual, missing] = await ask([
      { dataSource: "Traces" },
      { sourceId: sourceId("Traces") },
      {},
      { dataSource: "Nope" },
    ]);
    expect(traces).to.have.property("points");
    expect(byId).to.deep.equal(traces);
    expect(usual)
      .to.have.property("points")
      .and.not.deep.equal((traces as { points: unknown }).points);
    expect(missing).to.deep.equal({ problem: 'the service has no source "Nope"' });
  });

  describe("Values in pictures if pipestack draw cannot list the sources", () => {
    before(() => sandbox.faults.set([{ kind: "404-gateway", operation: "listSources" }]));
    after(() => sandbox.faults.clear());
    const missing = "0123456789abcdef01234567";

    it("without a list of sources, only a tile whose own source is missing lacks values", async () => {
      const range = { ...day, source: sourceId("Logs") };
      const [other, none, usual] = await ask([{ sourceId: sourceId("Traces") }, { sourceId: missing }, {}], {
        range,
      });
      expect(other).to.have.property("points");
      expect(none).to.have.property("problem").that.includes("Source not found");
      expect(usual).to.have.property("points");
    });

    it("pipestack draw fails if the service answers no tile's query", async () => {
      const error = await ask([{}, { where: "SeverityText:error" }], {
        range: { ...day, source: missing },
      }).catch((thrown: Error) => thrown);
      expect(error).to.have.property("name", "RefusedRequest");
    });
  });
});
