import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { compareDashboards, drawComparison, drawDashboard, readDashboards } from "../../../drawing";
import { type Layout, layouts } from "./layouts";

const fileOf = (name: string) => join(__dirname, "golden", name);
const style = "style.golden.css";

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

/**
 * Draws the dashboards of a test as a picture and a style sheet. All pictures share the sheet, and a browser needs both files.
 */
function drawInFiles(layout: Layout): { picture: string; sheet: string } {
  const [before = "", sheet = "", after = ""] = draw(layout).split(/(?<=<style>)|(?=<\/style>)/);
  return { picture: `${before}@import "${style}";${after}\n`, sheet };
}

// `npm run golden` writes the picture files anew. Check the changes by eye before you commit them.
describe("Pictures of dashboards", () => {
  for (const [name, layout] of Object.entries(layouts)) {
    for (const form of ["grid", "stack"] as const) {
      if (form === "stack" && !["production", "data", "change"].includes(name)) continue;
      const file = `${name}${form === "stack" ? "-stack" : ""}.golden.svg`;
      it(`the picture of a dashboard equals ${file}, also when it is drawn a second time`, () => {
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
