import { expect } from "chai";
import { readDashboards } from "../../../drawing";
import { drawTile } from "../../../drawing/tile";

const data = {
  from: 0,
  until: 3_600_000,
  points: ["api", "web", "worker"].map((group, index) => ({
    tsBucket: 0,
    group: [group],
    values: [100 - 30 * index],
  })),
};

function drawn(displayType: string): string {
  const config = { displayType, sourceId: "a", select: [{ aggFn: "count" }], groupBy: "ServiceName" };
  const tiles = [{ id: "t", name: "Tile", x: 0, y: 0, w: 12, h: 10, config }];
  const [dashboard] = readDashboards({
    dashboards: [{ id: "d", name: "D", tiles }],
    alerts: [],
  }).dashboards;
  const [tile] = dashboard?.tiles ?? [];
  if (!tile) throw new Error("no tile was read");
  return drawTile(tile, { left: 0, top: 0, width: 400, height: 300 }, { data }).source;
}

describe("The contents of tiles in a picture", () => {
  it("a pie chart has a slice for each group, and a bar chart a bar for each bucket", () => {
    expect(drawn("pie").match(/<path class="f\d"/g)).to.have.length(3);
    expect(drawn("bar").match(/<rect class="f\d"/g)).to.have.length(3);
    expect(drawn("table")).not.to.match(/class="f\d"/);
  });
});
