import { Type } from "@sinclair/typebox";
import { expect } from "chai";
import fc from "fast-check";
import { containsUnknown, isUnknown, unknown } from "../../../provider/values/unknown";
import { validate } from "../../../provider/values/validate";
import { anyJson, placesIn, validNote, valueAt, withValueAt } from "../lifecycle/arbitraries";
import { noteInputs } from "../lifecycle/note";

const valid = { title: "Minutes", size: 3, labels: ["a", "b"], frame: { x: 1.5, y: -2 } };

describe("what is not known yet", () => {
  it("is found at any depth", () => {
    fc.assert(
      fc.property(anyJson, fc.nat(), (value, choice) => {
        expect(containsUnknown(value)).to.equal(false);
        const places = placesIn(value);
        const keys = places[choice % places.length] ?? [];
        const partly = withValueAt(value, keys, unknown);
        expect(containsUnknown(partly)).to.equal(true);
        expect(isUnknown(valueAt(partly, keys))).to.equal(true);
        expect(isUnknown(partly)).to.equal(keys.length === 0);
      }),
    );
  });
});

describe("validation of what is not known yet", () => {
  it("lets it pass in a union, wherever in it", () => {
    for (const origins of [unknown, [unknown], ["https://a.example", unknown]]) {
      expect(validate(noteInputs, { ...valid, origins })).to.deep.equal([]);
    }
  });

  it("does not take two unknown entries for the same", () => {
    expect(validate(noteInputs, { ...valid, labels: [unknown, unknown] })).to.deep.equal([]);
    expect(validate(noteInputs, { ...valid, readers: [{ name: unknown }, { name: unknown }] })).to.deep.equal(
      [],
    );
  });

  it("takes equal entries with something unknown in them for different, and others not", () => {
    const entries = Type.Array(Type.Object({ name: Type.String() }), { uniqueItems: true });
    const schema = Type.Object({ entries });
    expect(validate(schema, { entries: [{ name: unknown }, { name: unknown }] })).to.deep.equal([]);
    expect(validate(schema, { entries: [{ name: "a" }, { name: "a" }, { name: unknown }] })).to.deep.equal([
      { path: "entries", message: "contains a duplicate: entries 0 and 1 are equal" },
    ]);
  });

  it("still finds what is wrong beside it", () => {
    expect(
      validate(noteInputs, { title: unknown, size: 99, origins: [unknown], frame: { x: -1, y: unknown } }),
    ).to.have.deep.members([
      { path: "size", message: "must be a whole number from 1 to 20", hint: ", not 99" },
      { path: "frame.x", message: "must be a number of at least 0, a multiple of 0.5", hint: ", not -1" },
    ]);
    expect(validate(noteInputs, { frame: unknown })).to.deep.equal([
      { path: "title", message: "is required" },
    ]);
  });

  it("passes at every place of valid inputs", () => {
    fc.assert(
      fc.property(validNote, fc.nat(), (note, choice) => {
        const places = placesIn(note).slice(1);
        const keys = places[choice % places.length] ?? [];
        const known = withValueAt(note, keys, unknown);
        expect(validate(noteInputs, known)).to.deep.equal([]);
      }),
    );
  });

  it("passes as a whole", () => {
    expect(validate(noteInputs, unknown)).to.deep.equal([]);
  });
});
