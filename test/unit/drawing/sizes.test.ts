import { expect } from "chai";
import fc from "fast-check";
import {
  compareDashboards,
  type Dashboards,
  drawComparison,
  drawDashboard,
  type PictureOptions,
  readDashboards,
  type TileData,
} from "../../../drawing";
import { oddDashboards } from "./oddDashboards";

/** Lists the attributes of a picture's shapes that are no valid sizes: negative or not numbers. */
function impossible(picture: string): string[] {
  return [...picture.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g)]
    .filter(([, name = "", value = ""]) =>
      ["width", "height", "rx", "font-size"].includes(name)
        ? !(Number(value) >= 0)
        : /NaN|Infinity|undefined/.test(value) && ["x", "y", "d", "transform", "viewBox"].includes(name),
    )
    .map(([attribute]) => attribute.trim());
}

function pictures(read: Dashboards, data: PictureOptions["data"]): string[] {
  const none = { dashboards: [], alerts: [], isLive: false };
  return (["grid", "stack"] as const).flatMap((form) => [
    ...read.dashboards.map((dashboard) => drawDashboard(dashboard, { data, form })),
    ...compareDashboards(none, read).map((change) => drawComparison(change, { data, form })),
    ...compareDashboards(read, read).map((change) => drawComparison(change, { data, form })),
  ]);
}

describe("The shapes in a picture of a dashboard", () => {
  it("every shape in a picture of a dashboard has a valid size, whatever the service answers", () => {
    fc.assert(
      fc.property(oddDashboards, ([dashboard, alerts, data]) => {
        const read = readDashboards({ dashboards: [dashboard], alerts });
        for (const picture of pictures(read, () => (data ?? undefined) as TileData | undefined))
          expect(impossible(picture)).to.deep.equal([]);
      }),
    );
  });
});
