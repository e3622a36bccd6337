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
import { layouts } from "./layouts";
import { oddDashboards } from "./oddDashboards";

/** Attributes of a picture that no program draws: sizes below 0, and numbers that are none. */
function impossible(picture: string): string[] {
  return [...picture.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/g)]
    .filter(([, name = "", value = ""]) =>
      ["width", "height", "rx", "font-size"].includes(name)
        ? !(Number(value) >= 0)
        : /NaN|Infinity|undefined/.test(value) && ["x", "y", "d", "transform", "viewBox"].includes(name),
    )
    .map(([attribute]) => attribute.trim());
}

/** Every picture that there is of dashboards: as a grid, as a stack, and as added ones. */
function pictures(read: Dashboards, data: PictureOptions["data"]): string[] {
  const none = { dashboards: [], alerts: [], isLive: false };
  return (["grid", "stack"] as const).flatMap((form) => [
    ...read.dashboards.map((dashboard) => drawDashboard(dashboard, { data, form })),
    ...compareDashboards(none, read).map((change) => drawComparison(change, { data, form })),
    ...compareDashboards(read, read).map((change) => drawComparison(change, { data, form })),
  ]);
}

describe("the shapes of a picture", () => {
  for (const [name, { dashboard, alerts = [], data }] of Object.entries(layouts))
    it(`have valid sizes in the layout ${name}`, () => {
      const read = readDashboards({ dashboards: [dashboard], alerts });
      for (const picture of [...pictures(read, undefined), ...pictures(read, data)])
        expect(impossible(picture)).to.deep.equal([]);
    });

  it("have valid sizes for any answer", () => {
    fc.assert(
      fc.property(oddDashboards, ([dashboard, alerts, data]) => {
        const read = readDashboards({ dashboards: [dashboard], alerts });
        for (const picture of pictures(read, () => (data ?? undefined) as TileData | undefined))
          expect(impossible(picture)).to.deep.equal([]);
      }),
    );
  });

  it("have valid sizes in narrow tiles, with and without values and alerts", () => {
    const types = ["time", "stacked_bar", "number", "table", "markdown", "other"];
    const tiles = types.flatMap((displayType, row) =>
      [1, 2, 3, 4].map((w) => ({
        ...{ id: `${displayType} ${w}`, name: `${displayType} ${w}`, x: w * 5, y: row * 8, w, h: 2 + w },
        config: { displayType, markdown: "Some words", select: [{ aggFn: "count" }] },
      })),
    );
    const alerts = tiles.map(({ id }) => ({ tileId: id, threshold: 12_345.678, interval: "1h" }));
    const points = [{ tsBucket: 1_750_003_200_000, values: [10] }];
    const data = () => ({ from: 1_750_000_000_000, until: 1_750_086_400_000, points, bucket: 3_600_000 });
    const read = readDashboards({ dashboards: [{ name: "Narrow", tiles }], alerts });
    for (const picture of [...pictures(read, undefined), ...pictures(read, data)])
      expect(impossible(picture)).to.deep.equal([]);
  });
});
