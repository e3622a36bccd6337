import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { compareDashboards, drawComparison, drawDashboard, readDashboards } from "../../../drawing";
import { type Layout, layouts } from "./layouts";

const golden = join(__dirname, "golden");

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

// PIPESTACK_WRITE_GOLDEN=1 writes the files anew. Look at what has changed before committing it.
describe("the pictures of dashboards", () => {
  for (const [name, layout] of Object.entries(layouts)) {
    for (const form of ["grid", "stack"] as const) {
      if (form === "stack" && !["production", "change"].includes(name)) continue;
      const file = `${name}${form === "stack" ? "-stack" : ""}.golden.svg`;
      it(`are what they were: ${file}`, () => {
        const picture = draw({ ...layout, form });
        const path = join(golden, file);
        if (process.env.PIPESTACK_WRITE_GOLDEN) writeFileSync(path, `${picture}\n`);
        expect(`${picture}\n` === readFileSync(path, "utf8"), `${file} differs`).to.equal(true);
        expect(draw({ ...layout, form })).to.equal(picture);
      });
    }
  }
});
