import { Type } from "@sinclair/typebox";
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
const commaSeparated = Type.Unknown({ comparison: "commaSeparatedSet" });
const instant = Type.Unknown({ comparison: "instant" });

describe("comparison", () => {
  it("takes every value for equal to itself and to a copy", () => {
    fc.assert(
      fc.property(fc.oneof(validNote, answeredNote, anyJson), (value) => {
        expect(equal(noteInputs, value, value)).to.equal(true);
        expect(equal(noteInputs, value, structuredClone(value))).to.equal(true);
        expect(digest(noteInputs, value)).to.equal(digest(noteInputs, structuredClone(value)));
        expect(differences(noteInputs, value, structuredClone(value))).to.deep.equal([]);
      }),
    );
  });

  it("is the same from both sides, and digests agree with it", () => {
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

  it("does not look at the order of members", () => {
    fc.assert(
      fc.property(answeredNote, (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(equal(noteInputs, value, reversed)).to.equal(true);
      }),
    );
  });

  it("does not look at the order of a set, nor at how often an entry occurs", () => {
    fc.assert(
      fc.property(fc.array(anyJson, { maxLength: 5 }), fc.nat(), (entries, by) => {
        const at = entries.length === 0 ? 0 : by % entries.length;
        const turned = [...entries.slice(at), ...entries.slice(0, at)].reverse();
        expect(equal(set, entries, turned)).to.equal(true);
        expect(equal(set, entries, [...turned, ...entries])).to.equal(true);
      }),
    );
  });

  it("does look at the order of other lists", () => {
    expect(equal(Type.Array(Type.Number()), [1, 2], [2, 1])).to.equal(false);
    expect(equal(set, ["a", "b"], ["a"])).to.equal(false);
    expect(equal(set, [], undefined)).to.equal(false);
  });

  it("compares the entries of a set by what they mean", () => {
    const sizes = Type.Array(Type.Object({ size: Type.Number() }), { comparison: "set" });
    expect(equal(sizes, [{ size: 1 }, { size: 2 }], [{ size: "2" }, { size: "1", note: null }])).to.equal(
      true,
    );
  });

  it("takes a number that comes as a string for that number, where a number is due", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(equal(Type.Number(), number, String(number))).to.equal(true);
        expect(equal(Type.String(), String(number), number)).to.equal(false);
      }),
    );
    expect(equal(Type.Integer(), 5, "5")).to.equal(true);
    for (const text of ["", " ", "five", "Infinity", "NaN", "6", null]) {
      expect(equal(Type.Number(), 5, text), String(text)).to.equal(false);
    }
    expect(equal(Type.Number(), "Infinity", undefined)).to.equal(false);
    for (const text of ["", " "]) expect(equal(Type.Number(), 0, text), `"${text}"`).to.equal(false);
  });

  it("takes a truth value that comes as a string for that truth value, where one is due", () => {
    expect(equal(Type.Boolean(), true, "true")).to.equal(true);
    expect(equal(Type.Boolean(), false, "false")).to.equal(true);
    expect(equal(Type.Boolean(), false, "")).to.equal(false);
    expect(equal(Type.Boolean(), false, undefined)).to.equal(false);
    expect(equal(Type.String(), "true", true)).to.equal(false);
  });

  it("takes null for absent, and neither for empty", () => {
    expect(equal(noteInputs, { title: "a", size: null }, { title: "a" })).to.equal(true);
    expect(equal(Type.String(), "", undefined)).to.equal(false);
    expect(equal(Type.Object({}), {}, null)).to.equal(false);
  });

  for (const [left, right, same] of [
    ["2027-01-31T00:00:00Z", "2027-01-31T01:00:00.000+01:00", true],
    ["2027-01-31T00:00:00Z", "2027-01-31T00:00:01Z", false],
    ["", null, true],
    [undefined, "", true],
    ["2027-01-31T00:00:00Z", null, false],
    ["no date", "no date", true],
    ["no date", "", false],
    [2027, "2027", false],
  ] as const) {
    it(`takes the moments ${JSON.stringify(left)} and ${JSON.stringify(right)} for ${same ? "equal" : "different"}`, () => {
      expect(equal(instant, left, right)).to.equal(same);
    });
  }

  for (const [left, right, same] of [
    ["a,b", ["b", "a"], true],
    [" a , b,", "b,a", true],
    [[], "", true],
    ["a", "a,b", false],
    ["", undefined, false],
    [null, undefined, true],
  ] as const) {
    it(`takes the lists ${JSON.stringify(left)} and ${JSON.stringify(right)} for ${same ? "equal" : "different"}`, () => {
      expect(equal(commaSeparated, left, right)).to.equal(same);
    });
  }

  it("takes what is not known yet for equal to nothing, itself included", () => {
    expect(equal(Type.Unknown(), unknown, unknown)).to.equal(false);
    expect(equal(Type.Unknown(), { a: [unknown] }, { a: [unknown] })).to.equal(false);
    expect(equal(Type.Unknown(), { a: unknown }, {})).to.equal(false);
    expect(equal(Type.Unknown(), {}, { a: unknown })).to.equal(false);
    expect(
      changes(noteInputs, { title: "a", frame: { x: 1, y: 2 } }, { title: "a", frame: { x: unknown, y: 2 } }),
    ).to.deep.equal([{ path: "frame.x", kind: "update", replaces: false }]);
  });
});

describe("changes", () => {
  const before = {
    title: "a",
    zone: "north",
    labels: ["x", "y"],
    readers: [{ name: "r", rights: ["read"] }, { name: "s" }],
    frame: { x: 1, y: 2 },
  };

  const cases: [string, object, Change[]][] = [
    ["nothing", {}, []],
    ["another way to say the same", { labels: ["y", "x"], frame: { y: "2", x: 1 } }, []],
    ["a new value", { title: "b" }, [{ path: "title", kind: "update", replaces: false }]],
    ["a property that was not there", { size: 3 }, [{ path: "size", kind: "add", replaces: false }]],
    ["a property that is gone", { labels: undefined }, [{ path: "labels", kind: "delete", replaces: false }]],
    ["a property that is now null", { labels: null }, [{ path: "labels", kind: "delete", replaces: false }]],
    [
      "a property that cannot be changed in place",
      { zone: "south" },
      [{ path: "zone", kind: "update", replaces: true }],
    ],
    ["such a property that is gone", { zone: undefined }, [{ path: "zone", kind: "delete", replaces: true }]],
    [
      "a value deep inside",
      { frame: { x: 1, y: 3 } },
      [{ path: "frame.y", kind: "update", replaces: false }],
    ],
    [
      "a value in a list",
      { readers: [{ name: "r", rights: ["write"] }, { name: "s" }] },
      [{ path: "readers[0].rights[0]", kind: "update", replaces: false }],
    ],
    [
      "a longer list",
      { readers: [{ name: "r", rights: ["read"] }] },
      [{ path: "readers", kind: "update", replaces: false }],
    ],
    ["an entry of a set", { labels: ["x", "z"] }, [{ path: "labels", kind: "update", replaces: false }]],
    [
      "several at once",
      { title: "b", zone: undefined, pinned: false },
      [
        { path: "title", kind: "update", replaces: false },
        { path: "zone", kind: "delete", replaces: true },
        { path: "pinned", kind: "add", replaces: false },
      ],
    ],
  ];
  for (const [what, mutation, expected] of cases) {
    it(`are named with path and kind: ${what}`, () => {
      expect(changes(noteInputs, before, { ...before, ...mutation })).to.have.deep.members(expected);
    });
  }

  it("are there exactly where the inputs are not equal", () => {
    fc.assert(
      fc.property(validNote, validNote, (left, right) => {
        expect(changes(noteInputs, left, right).length === 0).to.equal(equal(noteInputs, left, right));
        expect(changes(noteInputs, left, structuredClone(left))).to.deep.equal([]);
      }),
    );
  });
});

describe("differences from the left", () => {
  it("pass over members that the left value does not have, at any depth", () => {
    const left = { title: "a", frame: { x: 1 } };
    expect(
      differences(noteInputs, left, { title: "a", frame: { x: 1, y: 2 }, size: 3 }, "left"),
    ).to.deep.equal([]);
  });

  it("find members that only the left value has", () => {
    const found = differences(
      noteInputs,
      { title: "a", frame: { x: 1, y: 2 } },
      { title: "a", frame: { x: 1 } },
      "left",
    );
    expect(found.map(({ keys, left, right }) => ({ keys, left, right }))).to.deep.equal([
      { keys: ["frame", "y"], left: 2, right: undefined },
    ]);
  });
});

describe("an object shows what was sent", () => {
  const sent = { title: "a", labels: ["x", "y"], frame: { x: 1, y: 2 } };

  const cases: [string, object, boolean][] = [
    ["with every value, some in other words", { labels: ["y", "x"], frame: { x: "1", y: 2 } }, true],
    ["with more beside it", { size: 3, frame: { x: 1, y: 2, extra: true } }, true],
    ["without some of it", { labels: undefined, frame: { x: 1 } }, true],
    ["not with another value", { title: "b" }, false],
    ["not with another value deep inside", { frame: { x: 1, y: 3 } }, false],
  ];
  for (const [how, mutation, expected] of cases) {
    it(how, () => {
      expect(shows(noteInputs, sent, { ...sent, ...mutation })).to.equal(expected);
    });
  }
});

describe("a comma-separated list", () => {
  it("may be a string or an array, and has no empty entries", () => {
    expect(splitByComma(" a, b,,c ")).to.deep.equal(["a", "b", "c"]);
    expect(splitByComma(["a ", "", "b"])).to.deep.equal(["a", "b"]);
    expect(splitByComma("")).to.deep.equal([]);
  });
});
