import { expect } from "chai";
import type { Totals } from "./gate";
import { recorded, reportOf } from "./report";
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
  it("counts each test for the type that its title names, and says why types are left out", () => {
    const report = reportOf(results, totals, { Member: "people would get mail" }, occasion);
    expect(report).to.contain("| ServiceScalingSchedule | 1 | 1 | |").and.to.contain("| Webhook | 1 | 0 | |");
    expect(report)
      .to.contain("| Member | | | left out: people would get mail |")
      .and.not.to.contain("| ServiceScaling |");
    expect(report).to.contain("20 requests, 9 answers compared with the documents. 3 services were created.");
    expect(report).to.contain("- a destroy deletes a scaling schedule: it is still there");
  });

  it("names what it kept from the server, what is still there, and the proposals as code", () => {
    const report = reportOf(
      results,
      {
        ...totals,
        ...{ refused: ["DELETE /a: not the run's"], left: ["/b (409)"] },
        proposals: [
          { table: "server", at: "Webhook.colour", is: { type: "string" }, because: "It is answered." },
        ],
      },
      {},
      occasion,
    );
    expect(report).to.match(
      /Kept from the server:\n\n- DELETE \/a: not the run's\n\nStill there:\n\n- \/b \(409\)/,
    );
    expect(report).to.match(
      /```ts\n\{ table: "server", at: "Webhook\.colour".*seen: "npm run acceptance on HyperDX 2\.36/,
    );
  });

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
