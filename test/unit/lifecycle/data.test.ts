import { expect } from "chai";
import { isObject, pick } from "../../../provider/lifecycle/data";

describe("data", () => {
  it("is picked by name; what is null or not there is left out, what is empty is not", () => {
    const data = { name: "a", size: 0, note: "", pinned: false, zone: null, tone: undefined, other: 1 };
    const names = ["name", "size", "note", "pinned", "zone", "tone", "missing"];
    expect(pick(data, names)).to.deep.equal({ name: "a", size: 0, note: "", pinned: false });
  });

  it("is an object with members, and neither a list nor null", () => {
    expect([{}, { a: 1 }].map(isObject)).to.deep.equal([true, true]);
    expect([null, [], "a", 1, undefined].map(isObject)).to.deep.equal([false, false, false, false, false]);
  });
});
