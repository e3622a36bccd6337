import { type TSchema, Type } from "@sinclair/typebox";
import { expect } from "chai";
import fc from "fast-check";
import {
  type Change,
  changes,
  differences,
  digest,
  equal,
  pathOf,
  shows,
  splitByComma,
} from "../../../provider/values/compare";
import { unknown } from "../../../provider/values/unknown";
import { answeredNote, anyJson, validNote } from "../lifecycle/arbitraries";
import { noteInputs } from "../lifecycle/note";

const set = Type.Array(Type.Unknown(), { comparison: "set" });
const sizes = Type.Array(Type.Object({ size: Type.Number() }), { comparison: "set" });
const commaSeparated = Type.Unknown({ comparison: "commaSeparatedSet" });
const instant = Type.Unknown({ comparison: "instant" });
const midnight = "2027-01-31T00:00:00Z";

describe("Comparisons of values by a schema", () => {
  it("every value equals itself, a copy of itself, and a copy with its properties in another order", () => {
    fc.assert(
      fc.property(fc.oneof(validNote, answeredNote, anyJson), (value) => {
        const copy = structuredClone(value);
        expect(equal(noteInputs, value, value)).to.equal(true);
        expect(equal(noteInputs, value, copy)).to.equal(true);
        expect(digest(noteInputs, value)).to.equal(digest(noteInputs, copy));
        expect(differences(noteInputs, value, copy)).to.deep.equal([]);
      }),
    );
    fc.assert(
      fc.property(answeredNote, (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(equal(noteInputs, value, reversed)).to.equal(true);
      }),
    );
  });

  it("a number equals the same number as text where the schema compares values as text", () => {
    const text = Type.Union([Type.String(), Type.Integer()], { comparison: "text" });
    expect(equal(text, 500, "500")).to.equal(true);
    expect(digest(text, 500)).to.equal(digest(text, "500"));
    for (const other of ["0500", "", undefined]) expect(equal(text, 500, other)).to.equal(false);
  });

  it("a comparison of two values does not depend on their order, and equal values have equal digests", () => {
    fc.assert(
      fc.property(answeredNote, answeredNote, (left, right) => {
        const same = equal(noteInputs, left, right);
        expect(equal(noteInputs, right, left)).to.equal(same);
        expect(digest(noteInputs, left) === digest(noteInputs, right)).to.equal(same);
        const paths = (from: unknown, to: unknown) =>
          differences(noteInputs, from, to)
            .map(({ keys }) => pathOf(keys))
            .sort();
        expect(paths(left, right)).to.deep.equal(paths(right, left));
        expect(paths(left, right).length === 0).to.equal(same);
      }),
    );
  });

  it("a comparison of two values ignores the order of a set and repeated entries", () => {
    fc.assert(
      fc.property(fc.array(anyJson, { maxLength: 5 }), fc.nat(), (entries, by) => {
        const at = entries.length === 0 ? 0 : by % entries.length;
        const turned = [...entries.slice(at), ...entries.slice(0, at)].reverse();
        expect(equal(set, entries, turned)).to.equal(true);
        expect(equal(set, entries, [...turned, ...entries])).to.equal(true);
      }),
    );
  });

  it("a comparison of two values treats a number sent as text as equal where the schema has a number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(equal(Type.Number(), number, String(number))).to.equal(true);
        expect(equal(Type.String(), String(number), number)).to.equal(false);
      }),
    );
  });

  const cases: [string, TSchema, left: unknown, right: unknown, boolean][] = [
    ["lists in another order", Type.Array(Type.Number()), [1, 2], [2, 1], false],
    ["sets of which one lacks an entry", set, ["a", "b"], ["a"], false],
    [
      "sets of the same meaning",
      sizes,
      [{ size: 1 }, { size: 2 }],
      [{ size: "2" }, { size: "1", note: null }],
      true,
    ],
    ["a whole number and its text", Type.Integer(), 5, "5", true],
    ...["", " ", "five", "Infinity", "NaN", "6", null].map(
      (text): [string, TSchema, unknown, unknown, boolean] => [
        `5 and ${JSON.stringify(text)}`,
        Type.Number(),
        5,
        text,
        false,
      ],
    ),
    ["zero and an empty text", Type.Number(), 0, "", false],
    ["true and its text", Type.Boolean(), true, "true", true],
    ["false and its text", Type.Boolean(), false, "false", true],
    ["false and nothing", Type.Boolean(), false, undefined, false],
    ["a text and a truth value", Type.String(), "true", true, false],
    ["null and nothing", noteInputs, { title: "a", size: null }, { title: "a" }, true],
    ["an empty text and nothing", Type.String(), "", undefined, false],
    ["a moment in two zones", instant, midnight, "2027-01-31T01:00:00.000+01:00", true],
    ["two moments", instant, midnight, "2027-01-31T00:00:01Z", false],
    ["an empty moment and null", instant, "", null, true],
    ["a moment and null", instant, midnight, null, false],
    ["the same text that is no moment", instant, "no date", "no date", true],
    ["a text that is no moment and an empty one", instant, "no date", "", false],
    ["a year and its text", instant, 2027, "2027", false],
    ["a text and a list of the same entries", commaSeparated, "a,b", ["b", "a"], true],
    ["texts with other blanks and commas", commaSeparated, " a , b,", "b,a", true],
    ["an empty list and an empty text", commaSeparated, [], "", true],
    ["lists of which one lacks an entry", commaSeparated, "a", "a,b", false],
    ["an empty list and nothing", commaSeparated, "", undefined, false],
    ["an unknown value and itself", Type.Unknown(), unknown, unknown, false],
    ["unknown values deep inside", Type.Unknown(), { a: [unknown] }, { a: [unknown] }, false],
    ["an unknown member and none", Type.Unknown(), { a: unknown }, {}, false],
    ["no member and an unknown one", Type.Unknown(), {}, { a: unknown }, false],
  ];
  for (const [what, schema, left, right, same] of cases)
    it(`a comparison of two values treats ${what} as ${same ? "equal" : "different"}`, () => {
      expect(equal(schema, left, right)).to.equal(same);
    });
});

describe("Changes between two versions of inputs", () => {
  const before = {
    title: "a",
    zone: "north",
    labels: ["x", "y"],
    readers: [{ name: "r", rights: ["read"] }, { name: "s" }],
    frame: { x: 1, y: 2 },
  };
  const change = (path: string, kind: Change["kind"] = "update", replaces = false) => ({
    path,
    kind,
    replaces,
  });

  const cases: [string, object, Change[]][] = [
    ["nothing", {}, []],
    ["an equal value in other words", { labels: ["y", "x"], frame: { y: "2", x: 1 } }, []],
    ["a new value", { title: "b" }, [change("title")]],
    ["a new property", { size: 3 }, [change("size", "add")]],
    ["a property that is gone", { labels: undefined }, [change("labels", "delete")]],
    ["a property that cannot be changed in place", { zone: "south" }, [change("zone", "update", true)]],
    [
      "a property that is gone and cannot be changed in place",
      { zone: undefined },
      [change("zone", "delete", true)],
    ],
    ["a value deep inside", { frame: { x: 1, y: 3 } }, [change("frame.y")]],
    ["an unknown value deep inside", { frame: { x: unknown, y: 2 } }, [change("frame.x")]],
    ["a shorter list", { readers: [before.readers[0]] }, [change("readers")]],
    ["an entry of a set", { labels: ["x", "z"] }, [change("labels")]],
    [
      "several at once",
      { title: "b", zone: undefined, pinned: false },
      [change("title"), change("zone", "delete", true), change("pinned", "add")],
    ],
  ];
  for (const [what, mutation, expected] of cases)
    it(`a change between two versions of inputs is reported with its path and kind: ${what}`, () => {
      expect(changes(noteInputs, before, { ...before, ...mutation })).to.have.deep.members(expected);
    });

  it("the comparison of two versions of inputs reports a change exactly if they differ", () => {
    fc.assert(
      fc.property(validNote, validNote, (left, right) => {
        expect(changes(noteInputs, left, right).length === 0).to.equal(equal(noteInputs, left, right));
        expect(changes(noteInputs, left, structuredClone(left))).to.deep.equal([]);
      }),
    );
  });
});

describe("Differences of two values that are limited to the properties of the first value", () => {
  const placesOf = (left: object, right: object) =>
    differences(noteInputs, left, right, "left").map(({ schema: _, ...place }) => place);

  it("a comparison limited to the first value reports only properties that this value has", () => {
    const [less, more] = [
      { title: "a", frame: { x: 1 } },
      { title: "a", frame: { x: 1, y: 2 } },
    ];
    expect(placesOf(less, { ...more, size: 3 })).to.deep.equal([]);
    expect(placesOf(more, less)).to.deep.equal([{ keys: ["frame", "y"], left: 2, right: undefined }]);
  });

  it("a comparison limited to the first value reports what an object of the second has beyond a whole one", () => {
    const member = Type.Optional(Type.Boolean());
    const schema = Type.Object({ allowed: member, inverted: member }, { comparison: "whole" });
    const namesIn = (right: object) =>
      differences(schema, { allowed: true }, right, "left").map(({ keys }) => keys.join());
    expect(namesIn({ allowed: true, inverted: false, other: 1 })).to.deep.equal([]);
    expect(namesIn({ allowed: false, inverted: true })).to.deep.equal(["allowed", "inverted"]);
  });
});

describe("The comparison of an object with sent values", () => {
  const sent = { title: "a", labels: ["x", "y"], frame: { x: 1, y: 2 } };
  for (const [how, mutation, expected] of [
    ["with every value, some in other words", { labels: ["y", "x"], frame: { x: "1", y: 2 } }, true],
    ["with further members", { size: 3, frame: { x: 1, y: 2, extra: true } }, true],
    ["without some members", { labels: undefined, frame: { x: 1 } }, true],
    ["with another value", { title: "b" }, false],
    ["with another value deep inside", { frame: { x: 1, y: 3 } }, false],
  ] as const)
    it(`after a create, an object ${how} is ${expected ? "" : "not "}taken for the one that the create has sent`, () =>
      expect(shows(noteInputs, sent, { ...sent, ...mutation })).to.equal(expected));
});

describe("Comma-separated lists in requests and answers", () => {
  it("a comma-separated list is read from a text or a list, without empty entries", () => {
    expect(splitByComma(" a, b,,c ")).to.deep.equal(["a", "b", "c"]);
    expect(splitByComma(["a ", "", "b"])).to.deep.equal(["a", "b"]);
    expect(splitByComma("")).to.deep.equal([]);
  });
});
