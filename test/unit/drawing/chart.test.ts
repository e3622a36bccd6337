import { expect } from "chai";
import { type Alert, drawDashboard, type Point, readDashboards, type TileData } from "../../../drawing";

const hour = 3_600_000;
const from = Date.UTC(2025, 5, 15);
const day = { from, until: from + 24 * hour };
/** Pixels between the axes of the only tile, which is all columns wide. */
const plot = { left: 38 + 4 + 12 + 42, right: 1184 - 4 - 12 - 6 };
const hourWidth = (plot.right - plot.left) / 24;

/** A picture of one tile over time, with a value at each of these hours. */
function draw(type: string, data: Partial<TileData>, alerts: Partial<Alert>[] = [], w = 24): string {
  const series = [{ type, aggFn: "count", groupBy: [] }];
  const tile = { id: "t", name: "T", x: 0, y: 0, w, h: 6, series };
  const [dashboard] = readDashboards({
    dashboards: [{ id: "d", name: "D", tiles: [tile] }],
    alerts: alerts.map((alert) => ({ dashboardId: "d", tileId: "t", thresholdType: "above", ...alert })),
  }).dashboards;
  if (!dashboard) throw new Error("nothing was read");
  return drawDashboard(dashboard, { data: () => ({ ...day, points: [], ...data }) as TileData });
}

function at(...hours: number[]): Point[] {
  return hours.map((one) => ({ tsBucket: from + one * hour, values: [10] }));
}

describe("a chart of sparse values", () => {
  it("draws the bar of one bucket as wide as the bucket", () => {
    for (const bucket of [hour, undefined]) {
      const [, width] =
        /class="bar f0"[^>]* width="([\d.]+)"/.exec(draw("stacked_bar", { bucket, points: at(1) })) ?? [];
      expect(Number(width)).to.be.closeTo(hourWidth - 1, 0.1);
    }
  });

  it("draws a value that stands alone as a dot in the middle of its bucket", () => {
    const picture = draw("time", { bucket: hour, points: at(1) });
    const [, x] = /class="line dot s0" d="M([\d.]+) /.exec(picture) ?? [];
    const [, tileLeft = ""] = /<svg x="([\d.]+)"/.exec(picture) ?? [];
    expect(Number(x) + Number(tileLeft)).to.be.closeTo(plot.left + 1.5 * hourWidth, 0.5);
  });

  it("joins no line across a bucket without a value", () => {
    const lines = (...hours: number[]) =>
      [...draw("time", { bucket: hour, points: at(...hours) }).matchAll(/class="line( dot)? s0"/g)].length;
    expect(lines(1, 2, 3)).to.equal(1);
    expect(lines(1, 2, 4)).to.equal(2);
    expect(lines(2, 4, 6)).to.equal(3);
  });
});

describe("the thresholds in a chart", () => {
  const alert = { name: "Too many", threshold: 12.3456, interval: "1h" };
  const labels = (picture: string) =>
    [...picture.matchAll(/class="alert ink limit small strong"[^>]*>([^<]*)</g)].map(([, text]) => text);

  it("have all of their digits", () => {
    expect(labels(draw("time", { bucket: hour, points: at(1, 2) }, [alert]))).to.deep.equal(["12.3456"]);
    const far = draw("time", { bucket: hour, points: at(1, 2) }, [{ ...alert, threshold: 12_345 }]);
    expect(labels(far)).to.deep.equal(["12,345, beyond this scale"]);
  });

  it("are never cut short", () => {
    const far = { ...alert, threshold: 1_234_567.25 };
    const data = { bucket: hour, points: at(1, 2) };
    for (const [w, text] of [
      [8, "1,234,567.25, beyond this scale"],
      [4, "1,234,567.25"],
      [3, undefined],
      [2, undefined],
    ] as const) {
      const picture = draw("time", data, [far], w);
      expect(labels(picture)[0], `${w} columns`).to.equal(text);
      const texts = [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, found = ""]) => found);
      for (const cut of texts.filter((one) => one.includes("1,2"))) expect(cut).to.include("1,234,567.25");
    }
  });

  it("are drawn for alerts whose interval is a bucket, and named for the others", () => {
    const others = [
      { ...alert, threshold: 7, interval: "5m" },
      { ...alert, threshold: 8, interval: "1d" },
    ];
    const picture = draw("time", { bucket: hour, points: at(1, 2) }, [alert, ...others]);
    expect(labels(picture)).to.deep.equal(["12.3456"]);
    expect(picture).to.include(">not drawn: thresholds per 5m, 1d<");
    const finer = draw("time", { bucket: hour / 2, points: at(1) }, [alert]);
    expect(finer).to.include(">not drawn: threshold per 1h<");
    const same = draw("time", { bucket: hour, points: at(1) }, [{ ...alert, interval: "60m" }]);
    expect(same).to.not.include("not drawn");
  });
});
