import { Type } from "@sinclair/typebox";
import { expect } from "chai";
import fc from "fast-check";
import {
  type Before,
  conflictsIn,
  judgementsOf,
  mergeWritten,
  withDrift,
} from "../../../provider/lifecycle/merge";
import { pathOf } from "../../../provider/values/compare";
import type { PropertyMap } from "../../../provider/values/data";
import { answeredNote, placesIn, validNote, valueAt, withLabelsOf, withValueAt } from "./arbitraries";
import { before, normalizationsOf } from "./judgements";
import { noteInputs } from "./note";

/** Returns the inputs that a refresh reports if the service answered `answered` to the write and `found` later. */
function later(declared: object, answered: object, found: object) {
  const inputs = declared as Record<string, unknown>;
  const judgements = judgementsOf(mergeWritten(noteInputs, inputs, answered as Record<string, unknown>));
  return withDrift(noteInputs, inputs, judgements, found as Record<string, unknown>).declared;
}

describe("The drift that a read finds after a write", () => {
  it("there is no drift while the service returns what it answered after the write, or the declared values", () => {
    fc.assert(
      fc.property(validNote, answeredNote, (declared, any) => {
        const answered = withLabelsOf(declared, any);
        for (const found of [answered, JSON.parse(JSON.stringify(answered)) as object, declared])
          expect(later(declared, answered, found)).to.deep.equal(declared);
      }),
      { numRuns: 500 },
    );
  });

  it("drift consists exactly of the changed values of declared properties", () => {
    fc.assert(
      fc.property(validNote, answeredNote, fc.nat(), (declared, normalized, choice) => {
        // The service answers the write with some properties as declared and the others in a normalized form. Later one of the
        // properties that it answered as declared changes.
        const kept = Object.keys(declared).filter((name) => choice % 2 === 0 || name.length % 2 === 0);
        const answered = { ...normalized, ...Object.fromEntries(kept.map((name) => [name, declared[name]])) };
        const places = kept.flatMap((name) => leavesOf(name, declared[name]));
        fc.pre(places.length > 0);
        const keys = places[choice % places.length] ?? [];
        const changed = otherThan(valueAt(declared, keys));
        const found = withValueAt(answered, keys, changed) as object;
        expect(later(declared, answered, found)).to.deep.equal(withValueAt(declared, keys, changed));
      }),
      { numRuns: 500 },
    );
  });

  it("undeclared properties never drift, and the comparison changes none of its arguments", () => {
    fc.assert(
      fc.property(validNote, answeredNote, answeredNote, (declared, answered, found) => {
        const before = JSON.stringify([declared, answered, found]);
        const seen = later(declared, answered, found);
        expect(Object.keys(seen).sort()).to.deep.equal(Object.keys(declared).sort());
        expect(JSON.stringify([declared, answered, found])).to.equal(before);
      }),
    );
  });

  const declared = { title: "a", size: 3, labels: ["x", "y"], frame: { x: 1, y: 2 } };
  const readers = [{ name: "r" }];
  const others = [{ name: "r", since: 1 }, { name: "s" }];
  const none = { size: undefined };
  /** Cases of drift: the values that the service answers to the write, the values that it has later, and the expected drift. */
  const cases: [string, answered: object, found: object, drifted: object][] = [
    ["is a value that was normalized and then changed", { size: 4 }, { size: 5 }, { size: 5 }],
    ["is no value that is normalized as before", { size: 4 }, { size: 4 }, {}],
    ["is a value that is gone, shown as null", {}, none, { size: null }],
    ["is a member that is gone, shown as null", {}, { frame: { x: 1 } }, { frame: { x: 1, y: null } }],
    ["is no value that the service leaves out as before", none, none, {}],
    ["is no value that the service left out at first and has now", none, {}, {}],
    ["is another value than the one that the service left out at first", none, { size: 4 }, { size: 4 }],
    ["is not another order of a set", {}, { labels: ["y", "x"] }, {}],
    ["shows a list of another length as a whole", {}, { readers: others }, { readers: others }],
  ];
  for (const [title, answered, found, drifted] of cases)
    it(`a read finds drift where a value has changed since the last write: the drift ${title}`, () => {
      const all = { ...declared, readers };
      expect(later(all, { ...all, ...answered }, { ...all, ...found })).to.deep.equal({ ...all, ...drifted });
    });

  it("the state stores only digests of values that the service writes in another form than declared", () => {
    const places = mergeWritten(noteInputs, { title: "a" }, { title: "a secret that the service made up" });
    const { normalized } = judgementsOf(places);
    expect(Object.keys(normalized)).to.deep.equal(["title"]);
    expect(normalized.title).to.match(/^[0-9a-f]{16}\/[0-9a-f]{16}$/);
  });
});

/** Lists the paths of the innermost values of a property, which the provider compares one by one. */
function leavesOf(name: string, value: unknown): (string | number)[][] {
  if (["labels", "origins", "until"].includes(name)) return [[name]];
  return placesIn(value)
    .filter((keys) => typeof valueAt(value, keys) !== "object" || valueAt(value, keys) === null)
    .map((keys) => [name, ...keys]);
}

function otherThan(value: unknown): unknown {
  return typeof value === "number" ? value + 1000 : `${JSON.stringify(value)} that drifted`;
}

const schema = Type.Object({
  title: Type.Optional(Type.String()),
  size: Type.Optional(Type.Number()),
  pinned: Type.Optional(Type.Boolean()),
  labels: Type.Optional(Type.Array(Type.String())),
  frame: Type.Optional(Type.Object({ x: Type.Number() })),
  tiles: Type.Optional(Type.Array(Type.Object({ name: Type.String(), w: Type.Number() }))),
  address: Type.Optional(Type.String({ shown: "sometimes" })),
  route: Type.Optional(
    Type.Object({ host: Type.String(), via: Type.Optional(Type.String({ shown: "sometimes" })) }),
  ),
});

/**
 * Returns the provider's verdicts on the values that the service shows after a write (such as `normalized` or `drifted`), by
 * path.
 */
function judged(declared: PropertyMap, shown: PropertyMap, known?: Before) {
  const places = mergeWritten(schema, declared, shown, known);
  const pathsOf = (verdict: string) =>
    places.filter((place) => place.verdict === verdict).map(({ keys }) => pathOf(keys));
  return { ...judgementsOf(places), unchanged: pathsOf("unchanged"), dropped: pathsOf("dropped") };
}

const nothing = { normalized: {}, doubted: {}, unchanged: [], dropped: [] };
const [large, small] = [{ size: 9 }, { size: 5 }];
/** The recorded normalization of the declared size 9, which the service shows as 5. */
const record = normalizationsOf(schema, large, small);

describe("The comparison of a write with what the service shows", () => {
  it("a write records no normalized, dropped or unconfirmed value if the service shows the declared values", () => {
    expect(judged(large, { size: 9, title: "by default" })).to.deep.equal(nothing);
  });

  it("the create of an object records as normalized a value that the service shows in another form", () => {
    expect(judged(large, small)).to.deep.equal({ ...nothing, normalized: record });
  });

  for (const value of [
    { title: "Minutes" },
    { size: 0 },
    { pinned: true },
    { labels: ["a"] },
    { frame: { x: 1 } },
  ]) {
    const [name = ""] = Object.keys(value);
    for (const absent of [undefined, null]) {
      it(`the declared ${JSON.stringify(value)} counts as dropped if the service shows ${absent} in its place`, () => {
        const { dropped, normalized } = judged(value, { [name]: absent });
        expect([dropped, Object.keys(normalized)]).to.deep.equal([[name], [name]]);
      });
    }
  }

  for (const value of [{ title: "" }, { pinned: false }, { labels: [] }, { frame: {} }, { address: "x" }])
    it(`the declared ${JSON.stringify(value)} does not count as dropped if the service does not show it`, () => {
      expect(judged(value, {}).dropped).to.deep.equal([]);
    });

  for (const [declared, shown] of [
    [{ address: "x" }, {}],
    [{ route: { host: "h", via: "x" } }, { route: { host: "h" } }],
  ] as const)
    it(`${JSON.stringify(declared)} shows no drift where an answer leaves out what answers may, at any depth`, () => {
      expect(judged(declared, shown).dropped).to.deep.equal([]);
      expect(withDrift(schema, declared, { normalized: {}, doubted: {} }, shown)).to.deep.include({
        ...{ declared, hasDrifted: false },
      });
    });

  describe("The comparison of an update with what the service shows", () => {
    const [seven, eight] = [{ size: 7 }, { size: 8 }];
    const other = normalizationsOf(schema, eight, small);
    const doubted = { ...nothing, doubted: record, unchanged: ["size"] };
    const normalized = { ...nothing, normalized: record };
    const known = { ...doubted, normalized: other };
    const shown = [small];
    const cases: [string, state: PropertyMap, Partial<Before>, ReturnType<typeof judged>][] = [
      ["unconfirmed if a read before the write showed the same", seven, { looks: shown }, doubted],
      ["unconfirmed if the state has the same", small, { looks: [] }, doubted],
      [
        "unconfirmed if the write before sent the same and no read confirmed it",
        seven,
        { doubted: normalizationsOf(schema, small, seven) },
        doubted,
      ],
      ["normalized if the service did not show the value before", seven, {}, normalized],
      [
        "normalized if the last write of the same value had the same answer",
        small,
        { doubted: record },
        normalized,
      ],
      [
        "unconfirmed if the last write of another value had the same answer",
        small,
        { doubted: other },
        doubted,
      ],
      [
        "unconfirmed if the write before the last had this answer",
        seven,
        { looks: [], doubted: other, normalized: normalizationsOf(schema, seven, eight) },
        { ...doubted, normalized: normalizationsOf(schema, seven, eight) },
      ],
      [
        "unconfirmed if one of two reads before the write showed the same",
        seven,
        { looks: [eight, small] },
        doubted,
      ],
      [
        "normalized if the state records the same normalized form",
        large,
        { looks: shown, normalized: record },
        normalized,
      ],
      [
        "unconfirmed if another value has this normalized form",
        eight,
        { looks: shown, normalized: other },
        known,
      ],
    ];
    for (const [what, state, changed, expected] of cases)
      it(`a value that the service shows in another form is ${what}`, () =>
        expect(judged(large, small, before(state, changed))).to.deep.equal(expected));

    it("a declared value that an answer omits is unconfirmed if the read before omitted it, too", () => {
      const known = before({}, { looks: [{}], body: large });
      expect(judged(large, {}, known)).to.deep.include({ unchanged: ["size"], dropped: [] });
    });

    describe("Values of a write in lists whose entries have ids", () => {
      const [old, other] = [
        { name: "Old", w: 5 },
        { name: "New", w: 5 },
      ];
      const first = { name: "First", w: 1 };
      const verdictOf = (sent: PropertyMap, state: PropertyMap) => {
        const declared = { tiles: [first, { name: "New", w: 2 }] };
        const known = before(state, { looks: [{ tiles: [first, old] }], body: sent });
        const [place] = mergeWritten(schema, declared, { tiles: [first, other] }, known);
        return [place?.verdict, place?.isAsBefore];
      };
      const added = { tiles: [{ id: "a" }, {}] };
      const kept = { tiles: [{ id: "a" }, { id: "b" }] };

      it("a value that the service changed in a new list entry counts as normalized", () => {
        expect(verdictOf(added, kept)).to.deep.equal(["normalized", false]);
        expect(verdictOf(added, {}), "by what is sent alone").to.deep.equal(["normalized", false]);
        expect(verdictOf({ tiles: [{}, {}] }, kept), "by the state alone").to.deep.equal([
          "normalized",
          false,
        ]);
      });

      it("a value that a list entry had before a write counts as unconfirmed, also if the entries have no ids", () => {
        expect(verdictOf(kept, kept)).to.deep.equal(["unchanged", true]);
        expect(verdictOf({ tiles: [{}, {}] }, {})).to.deep.equal(["unchanged", true]);
      });
    });
  });
});

describe("Other people's changes that an update overwrites", () => {
  /**
   * Returns the paths of another person's changes that an update with `declared` overwrites if the Pulumi state has `base` and
   * the service has `live`.
   */
  const overwritten = (
    base: PropertyMap,
    live: PropertyMap,
    declared: PropertyMap,
    changed: Partial<Before> = {},
  ) => {
    const known = before(base, { looks: [live], body: declared, ...changed });
    return conflictsIn({ schema, declared, base, live, before: known }).map(({ keys }) => pathOf(keys));
  };
  const [one, other] = [
    { name: "a", w: 1 },
    { name: "b", w: 1 },
  ].map((entry, at) => ({ id: `${at}`, ...entry }));
  const board = { tiles: [one, other] };
  const wide = { tiles: [{ ...one, w: 3 }, other] };
  const longer = { tiles: [one, other, { name: "c", w: 1 }] };
  const cases: [string, base: PropertyMap, live: PropertyMap, declared: PropertyMap, paths: string[]][] = [
    ["a changed value that the program declares otherwise", small, large, small, ["size"]],
    ["no value that the program changes alike", small, large, large, []],
    ["a value that the program declares no longer", small, large, {}, ["size"]],
    [
      "a member, where the program replaces all",
      { frame: { x: 1 } },
      { frame: { x: 2 } },
      { frame: { x: 3 } },
      ["frame.x"],
    ],
    ["a list that has another length now", { tiles: [one] }, board, { tiles: [one] }, ["tiles"]],
    ["a member of an entry", board, wide, board, ["tiles[0].w"]],
    ["a member of an entry, where the program adds one", board, wide, longer, ["tiles[0].w"]],
    ["a list that the program makes as long, with other members", { tiles: [one] }, wide, board, ["tiles"]],
    ["a member of an entry that the update deletes", board, wide, { tiles: [other] }, ["tiles[0].w"]],
  ];
  for (const [title, base, live, declared, paths] of cases)
    it(`the changes of others that an update overwrites include ${title}`, () => {
      expect(overwritten(base, live, declared)).to.deep.equal(paths);
    });

  it("a value that the service ignored in the last update does not count as somebody else's change", () => {
    const doubted = normalizationsOf(schema, small, large);
    expect(overwritten(small, large, small, { doubted })).to.deep.equal([]);
  });
});
