import { expect } from "chai";
import type { Totals } from "./gate";
import { recorded } from "./report";
import type { Result } from "./tests";

const totals: Totals = { requests: 20, services: 3, judged: 9, refused: [], left: [], proposals: [] };
const results: readonly Result[] = [
  { title: "an update creates a scaling schedule exactly as declared", seconds: 1 },
  { title: "a destroy deletes a scaling schedule", seconds: 1, failure: "it is\n still there" },
  { title: "a destroy deletes a webhook", seconds: 1 },
];
const occasion = { server: "HyperDX 2.36", day: "2026-11-28", minutes: 2.04 };
const page = "# Page\n\n| tried on | day | … |\n|---|---|---|\n| ClickHouse Cloud | 2026-10-01 | 1 |\n\nEnd.";

describe("The report of an acceptance run", () => {
  it("has one row for each server in the table of the servers that were tried", () => {
    const row = "| HyperDX 2.36 | 2026-11-28 | 2 | 2 | 1 | 20 | 9 | 0 | 2.0 min |";
    const once = recorded(page, results, totals, occasion);
    expect(once.split("\n").slice(2, 6)).to.deep.equal([
      ...page.split("\n").slice(2, 4),
      row,
      page.split("\n")[4],
    ]);
    const twice = recorded(once, results, totals, { ...occasion, day: "2026-12-01" });
    expect(twice).to.equal(once.replace("2026-11-28", "2026-12-01"));
  });
});
