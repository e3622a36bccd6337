import { expect } from "chai";
import { table } from "../../../../cli/shared/table";

describe("A printed table", () => {
  it("a printed table has aligned columns without blanks at the ends of lines", () => {
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

  it("a printed table cuts long cells between two characters", () => {
    const text = table([["A"], ["😀".repeat(9)], ["12345"]], 5);
    expect(text.split("\n").slice(2)).to.deep.equal(["😀😀😀😀…", "12345"]);
  });

  it("a printed table shows the last column whole where it may be longer, under a line of the usual length", () => {
    const text = table(
      [
        ["A", "B"],
        ["123456", "1234567890"],
      ],
      5,
      9,
    );
    expect(text.split("\n")).to.deep.equal(["A      B", "-----  -----", "1234…  12345678…"]);
  });
});
