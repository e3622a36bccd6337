import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { compareDashboards, drawComparison, drawDashboard, readDashboards } from "../../../drawing";
import { type Layout, layouts } from "./layouts";

const fileOf = (name: string) => join(__dirname, "golden", name);
const style = "style.golden.css";

/** The picture of a layout. */
function draw({ dashboard, alerts = [], after, data, form }: Layout): string {
  const before = readDashboards({ dashboards: [dashboard], alerts });
  if (after) {
    const [change] = compareDashboards(
      before,
      readDashboards({ dashboards: [after.dashboard], alerts: after.alerts ?? [] }),
    );
    if (!change) throw new Error("nothing to compare");
    return drawComparison(change, { form });
  }
  const [only] = before.dashboards;
  if (!only) throw new Error("nothing to draw");
  return drawDashboard(only, { data, form });
}

/** The same in two files, of which all pictures share the second: a browser shows the first with it. */
function drawInFiles(layout: Layout): { picture: string; sheet: string } {
  const [before = "", sheet = "", after = ""] = draw(layout).split(/(?<=<style>)|(?=<\/style>)/);
  return { picture: `${before}@import "${style}";${after}\n`, sheet };
}

// `npm run golden` writes the files anew. Look at what has changed before committing it.
describe("Pictures of dashboards", () => {
  for (const [name, layout] of Object.entries(layouts)) {
    for (const form of ["grid", "stack"] as const) {
      if (form === "stack" && !["production", "data", "change"].includes(name)) continue;
      const file = `${name}${form === "stack" ? "-stack" : ""}.golden.svg`;
      it(`the picture equals the one in ${file}, and is drawn alike twice`, () => {
        const { picture, sheet } = drawInFiles({ ...layout, form });
        if (process.env.PIPESTACK_WRITE_GOLDEN) {
          writeFileSync(fileOf(file), picture);
          writeFileSync(fileOf(style), sheet);
        }
        expect(picture === readFileSync(fileOf(file), "utf8"), `${file} differs`).to.equal(true);
        expect(sheet).to.equal(readFileSync(fileOf(style), "utf8"));
        expect(drawInFiles({ ...layout, form })).to.deep.equal({ picture, sheet });
      });
    }
  }
});
