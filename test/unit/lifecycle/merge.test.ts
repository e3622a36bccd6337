import { expect } from "chai";
import fc from "fast-check";
import { judgementsOf, merge, mergeWritten, withDrift } from "../../../provider/lifecycle/merge";
import { answeredNote, placesIn, validNote, valueAt, withValueAt } from "./arbitraries";
import { noteInputs } from "./note";

/** What a service finds of the declared inputs later, if it answered the other right after they were written. */
function later(declared: object, answered: object, found: object) {
  const inputs = declared as Record<string, unknown>;
  const judgements = judgementsOf(mergeWritten(noteInputs, inputs, answered as Record<string, unknown>));
  return withDrift(noteInputs, inputs, judgements, found as Record<string, unknown>);
}

describe("drift", () => {
  it("is nowhere while the service answers what it answered right after the write, whatever that was", () => {
    fc.assert(
      fc.property(validNote, answeredNote, (declared, answered) => {
        expect(later(declared, answered, answered)).to.deep.equal(declared);
        expect(later(declared, answered, JSON.parse(JSON.stringify(answered)) as object)).to.deep.equal(
          declared,
        );
      }),
      { numRuns: 500 },
    );
  });

  it("is nowhere where the service has what is declared, whatever it answered before", () => {
    fc.assert(
      fc.property(validNote, answeredNote, (declared, answered) => {
        expect(later(declared, answered, declared)).to.deep.equal(declared);
      }),
    );
  });

  it("is found in a changed value of a declared property, and in that one only", () => {
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

  it("is a verdict on a value that is neither declared nor recorded, beside those that are normalized", () => {
    const declared = { title: "a", size: 3 };
    const records = judgementsOf(mergeWritten(noteInputs, declared, { title: "A", size: 4 }));
    const verdicts = merge(noteInputs, declared, records, { title: "A", size: 5 });
    expect(verdicts.map(({ keys, verdict }) => [...keys, verdict])).to.deep.equal([
      ["title", "normalized"],
      ["size", "drifted"],
    ]);
  });

  it("never shows in what is not declared", () => {
    fc.assert(
      fc.property(validNote, validNote, answeredNote, (declared, answered, found) => {
        const seen = later(declared, answered, found);
        expect(Object.keys(seen).sort()).to.deep.equal(Object.keys(declared).sort());
      }),
    );
  });

  it("changes neither the declared inputs nor what was found", () => {
    fc.assert(
      fc.property(validNote, answeredNote, answeredNote, (declared, answered, found) => {
        const before = JSON.stringify([declared, answered, found]);
        later(declared, answered, found);
        expect(JSON.stringify([declared, answered, found])).to.equal(before);
      }),
    );
  });

  const declared = { title: "a", size: 3, labels: ["x", "y"], frame: { x: 1, y: 2 } };

  it("is a declared value that was normalized and then changed", () => {
    const answered = { ...declared, size: 4 };
    expect(later(declared, answered, { ...declared, size: 5 })).to.deep.equal({ ...declared, size: 5 });
    expect(later(declared, answered, { ...declared, size: 4 })).to.deep.equal(declared);
  });

  it("is a declared value that is gone, shown as null", () => {
    expect(later(declared, declared, { ...declared, size: undefined })).to.deep.equal({
      ...declared,
      size: null,
    });
    expect(later(declared, declared, { ...declared, frame: { x: 1 } })).to.deep.equal({
      ...declared,
      frame: { x: 1, y: null },
    });
  });

  it("is a declared value that the service left out at first and has otherwise now", () => {
    const { size, ...without } = declared;
    expect(later(declared, without, without)).to.deep.equal(declared);
    expect(later(declared, without, { ...without, size })).to.deep.equal(declared);
    expect(later(declared, without, { ...without, size: size + 1 })).to.deep.equal({
      ...declared,
      size: size + 1,
    });
  });

  it("is not another order of a set", () => {
    expect(later(declared, declared, { ...declared, labels: ["y", "x"] })).to.deep.equal(declared);
  });

  it("in a list of another length is shown with the whole list", () => {
    const readers = [{ name: "r" }];
    const found = [{ name: "r", since: 1 }, { name: "s" }];
    expect(
      later({ title: "a", readers }, { title: "a", readers }, { title: "a", readers: found }),
    ).to.deep.equal({
      title: "a",
      readers: found,
    });
  });

  it("remembers digests, not values", () => {
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
