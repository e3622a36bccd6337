import { expect } from "chai";
import { readable } from "../../../../provider/cli/drift/command";
import { table } from "../../../../provider/cli/shared/table";

describe("The table of the drift report", () => {
  it("aligns the columns and leaves no blanks at the ends of lines", () => {
    const text = table(
      [
        ["A", "LONGER", "C"],
        ["alert", "x", ""],
        ["b", "longest", "1"],
      ],
      20,
    );
    expect(text.split("\n")).to.deep.equal([
      "A      LONGER   C",
      "-----  -------  -",
      "alert  x",
      "b      longest  1",
    ]);
  });

  it("cuts long cells by characters, not inside one", () => {
    const text = table([["A"], ["😀".repeat(9)], ["12345"]], 5);
    expect(text.split("\n").slice(2)).to.deep.equal(["😀😀😀😀…", "12345"]);
  });

  const drift = { urn: "urn:a", type: "Alert", name: "a", kind: "changed", property: "message" } as const;

  it("keeps values with line breaks and terminal codes on their line, and harmless", () => {
    const text = readable([{ ...drift, declared: "a\nb", found: "\u001b[31mred" }], 1);
    expect(text.split("\n")).to.have.length(5);
    expect(text).to.include(String.raw`"a\nb"`).and.include(String.raw`"\u001b[31mred"`);
  });

  it("tells a text from a number, and null from both", () => {
    const text = readable([{ ...drift, declared: "5", found: null }], 1);
    expect(text).to.match(/Alert a {3}message {3}"5" {7}\(none\)/);
  });

  it("counts resources, not properties", () => {
    const both = [
      { ...drift, declared: 1, found: 2 },
      { ...drift, property: "threshold", declared: 1, found: 2 },
    ];
    expect(readable(both, 1)).to.include("Drift in 1 of 1 resource.");
  });

  it("says when there is nothing to look at", () => {
    expect(readable([], 0)).to.equal("The stack has no pipestack resources.");
    expect(readable([], 1)).to.equal("No drift in 1 resource.");
  });
});
