import { expect } from "chai";
import fc from "fast-check";
import { judgementsOf, mergeWritten, withDrift } from "../../../provider/lifecycle/merge";
import { answeredNote, placesIn, validNote, valueAt, withValueAt } from "./arbitraries";
import { noteInputs } from "./note";

/** What a service finds of the declared inputs later, if it answered the other right after they were written. */
function later(declared: object, answered: object, found: object) {
  const inputs = declared as Record<string, unknown>;
  const judgements = judgementsOf(mergeWritten(noteInputs, inputs, answered as Record<string, unknown>));
  return withDrift(noteInputs, inputs, judgements, found as Record<string, unknown>).declared;
}

describe("Drift", () => {
  it("finds no drift while the service answers as after the write, or as declared", () => {
    fc.assert(
      fc.property(validNote, answeredNote, (declared, answered) => {
        for (const found of [answered, JSON.parse(JSON.stringify(answered)) as object, declared])
          expect(later(declared, answered, found)).to.deep.equal(declared);
      }),
      { numRuns: 500 },
    );
  });

  it("finds drift exactly in a changed value of a declared property", () => {
    fc.assert(
      fc.property(validNote, answeredNote, fc.nat(), (declared, normalized, choice) => {
        // The service rewrote some properties, and one that it left alone changed since.
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

  it("undeclared properties never show drift, and change neither version", () => {
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
  /** What is answered to the write in place of declared values, what is found later, and what drifted then. */
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
    it(`the drift ${title}`, () => {
      const all = { ...declared, readers };
      expect(later(all, { ...all, ...answered }, { ...all, ...found })).to.deep.equal({ ...all, ...drifted });
    });

  it("the state remembers digests of answered values instead of the values", () => {
    const places = mergeWritten(noteInputs, { title: "a" }, { title: "a secret that the service made up" });
    const { normalized } = judgementsOf(places);
    expect(Object.keys(normalized)).to.deep.equal(["title"]);
    expect(normalized.title).to.match(/^[0-9a-f]{16}\/[0-9a-f]{16}$/);
  });
});

/** The innermost places of a property that are compared by themselves. */
function leavesOf(name: string, value: unknown): (string | number)[][] {
  if (["labels", "origins", "until"].includes(name)) return [[name]];
  return placesIn(value)
    .filter((keys) => typeof valueAt(value, keys) !== "object" || valueAt(value, keys) === null)
    .map((keys) => [name, ...keys]);
}

/** A value that no arbitrary makes. */
function otherThan(value: unknown): unknown {
  return typeof value === "number" ? value + 1000 : `${JSON.stringify(value)} that drifted`;
}
