import { Type } from "@sinclair/typebox";
import { expect } from "chai";
import fc from "fast-check";
import { containsUnknown, isUnknown, unknown } from "../../../provider/values/unknown";
import { type Failure, validate } from "../../../provider/values/validate";
import { anyJson, placesIn, validNote, valueAt, withValueAt } from "../lifecycle/arbitraries";
import { noteInputs } from "../lifecycle/note";

const valid = { title: "Minutes", size: 3, labels: ["a", "b"], frame: { x: 1.5, y: -2 } };

describe("The search for unknown values", () => {
  it("the search for unknown values finds one at any depth of any value", () => {
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

describe("The validation of inputs with unknown values", () => {
  const entries = Type.Array(Type.Object({ name: Type.String() }), { uniqueItems: true });
  const schema = Type.Object({ ...noteInputs.properties, entries: Type.Optional(entries) });
  const [ann, bob] = [{ name: "a" }, { name: unknown }];
  const duplicate = { path: "entries", message: "contains a duplicate: entries 0 and 1 are equal" };
  const cases: [string, unknown, Failure[]][] = [
    ["passes in place of all inputs", unknown, []],
    ["passes in place of a union", { ...valid, origins: unknown }, []],
    ["passes as an entry of a union", { ...valid, origins: ["https://a.example", unknown] }, []],
    ["is no duplicate of another one", { ...valid, labels: [unknown, unknown] }, []],
    ["makes no duplicate of an entry", { ...valid, entries: [bob, bob] }, []],
    ["hides no duplicate beside it", { ...valid, entries: [ann, ann, bob] }, [duplicate]],
    ["replaces no required member", { frame: unknown }, [{ path: "title", message: "is required" }]],
    [
      "hides no failure beside it",
      { title: unknown, size: 99, origins: [unknown], frame: { x: -1, y: unknown } },
      [
        { path: "size", message: "must be a whole number from 1 to 20", hint: ", not 99" },
        { path: "frame.x", message: "must be a number of at least 0, a multiple of 0.5", hint: ", not -1" },
      ],
    ],
  ];
  for (const [title, inputs, failures] of cases)
    it(`the validation accepts an unknown value, and reports all other failures: the value ${title}`, () =>
      expect(validate(schema, inputs)).to.have.deep.members(failures));

  it("the validation accepts an unknown value at every path of valid inputs", () => {
    fc.assert(
      fc.property(validNote, fc.nat(), (note, choice) => {
        const places = placesIn(note).slice(1);
        const keys = places[choice % places.length] ?? [];
        const known = withValueAt(note, keys, unknown);
        expect(validate(noteInputs, known)).to.deep.equal([]);
      }),
    );
  });
});
