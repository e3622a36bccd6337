import { expect } from "chai";
import { nameOf } from "../../../../cli/alerts/names";
import { unknown } from "../../../../provider/values/unknown";

const urnOf = (name: string) => `urn:pulumi:dev::shop::pipestack:index:Alert::${name}`;
const known = {
  dashboards: [
    { id: "d1", name: "Ingestion", tiles: [{ id: "t1", name: "Errors" }] },
    { id: "d2", name: "Copy", tiles: [{ id: "t1", name: "Errors" }] },
  ],
  searches: [{ id: "s1", name: "Slow queries" }],
};

describe("The name of an alert in a backtest", () => {
  for (const [what, alert, name] of [
    ["its own name", { name: "Too many", tileId: "t1", id: "a1", urn: urnOf("x") }, "Too many"],
    ["the key of its set", { tileId: "t1", id: "a1", urn: urnOf('all["errors"]') }, 'all["errors"]'],
    ["its dashboard and tile", { name: "", tileId: "t1", id: "a1" }, 'Ingestion, "Errors"'],
    ["a tile whose id others have, too", { tileId: "t1", dashboardId: "d2" }, 'Copy, "Errors"'],
    ["the name of its chart", { chartConfig: { name: "Bytes" }, id: "a1" }, "Bytes"],
    ["its saved search", { savedSearchId: "s1", id: "a1" }, "Slow queries"],
    ["its resource", { name: unknown, tileId: "t2", urn: urnOf("rows") }, "rows"],
    ["its id", { tileId: "t2", id: "a1" }, "a1"],
  ] as const)
    it(`a backtest names an alert by the first of several names that is known: ${what}`, () => {
      expect(nameOf(alert, known)).to.equal(name);
    });
});
