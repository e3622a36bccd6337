import { Type } from "@sinclair/typebox";
import { expect } from "chai";
import { equal } from "../../../provider/values/compare";
import { isObject, momentIn, pick } from "../../../provider/values/data";

describe("The provider's functions for JSON data", () => {
  it("the function pick returns those named members of an object that have a value, even an empty one", () => {
    const data = { name: "a", size: 0, note: "", pinned: false, zone: null, tone: undefined, other: 1 };
    const names = ["name", "size", "note", "pinned", "zone", "tone", "missing"];
    expect(pick(data, names)).to.deep.equal({ name: "a", size: 0, note: "", pinned: false });
  });

  it("a time without a zone is read in UTC on every machine", () => {
    const { TZ } = process.env;
    try {
      for (const zone of ["UTC", "America/New_York", "Asia/Tokyo"]) {
        process.env.TZ = zone;
        const moments = ["2027-01-31T08:00:00", "2027-01-31 08:00:00.000", "2027-01-31T09:00:00+01:00"];
        for (const text of moments) expect(momentIn(text), text).to.equal(Date.UTC(2027, 0, 31, 8));
        expect(equal(Type.Unknown({ comparison: "instant" }), moments[0], moments[2])).to.equal(true);
        expect(momentIn("2027-01-31"), "a day").to.equal(Date.UTC(2027, 0, 31));
        expect(momentIn("soon")).to.deep.equal(Number.NaN);
      }
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it("the function isObject accepts objects with and without members, and refuses lists and null", () => {
    expect([{}, { a: 1 }].map(isObject)).to.deep.equal([true, true]);
    expect([null, [], "a", 1, undefined].map(isObject)).to.deep.equal([false, false, false, false, false]);
  });
});
