import { expect } from "chai";
import fc from "fast-check";
import { nearest } from "../../../provider/values/nearest";

const known = ["groupBy", "orderBy", "where", "whereLanguage", "limit", "id", "x"];

describe("The nearest known name to a misspelled one", () => {
  const cases: readonly [string, string | undefined][] = [
    ["gropuBy", "groupBy"],
    ["groupby", "groupBy"],
    ["grupBy", "groupBy"],
    ["limits", "limit"],
    ["select", undefined],
    ["ids", undefined],
    ["y", undefined],
    ["", undefined],
    ["g".repeat(5000), undefined],
  ];
  for (const [name, meant] of cases) {
    it(`the nearest known name to ${name.slice(0, 20) || "an empty name"} is ${meant ?? "none"}`, () => {
      expect(nearest(name, known)).to.equal(meant);
    });
  }

  it("a known name is its own nearest name, and any other text has a known nearest name or none", () => {
    fc.assert(
      fc.property(fc.constantFrom("groupBy", "orderBy", "where", "whereLanguage", "limit"), (name) => {
        expect(nearest(name, known)).to.equal(name);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect([...known, undefined]).to.include(nearest(name, known));
      }),
    );
  });
});
