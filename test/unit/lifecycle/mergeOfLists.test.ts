import { Type } from "@sinclair/typebox";
import { expect } from "chai";
import { type Before, judgementsOf, merge, mergeWritten } from "../../../provider/lifecycle/merge";
import type { PropertyMap } from "../../../provider/values/data";
import { before, normalizationsOf } from "./judgements";

describe("The entries of lists without order", () => {
  const entry = Type.Object(
    { key: Type.String(), note: Type.Optional(Type.String()), tags: Type.Optional(words("longer")) },
    { identity: ["key"] },
  );
  const lists = Type.Object({
    entries: Type.Optional(Type.Array(entry, { comparison: "set" })),
    texts: Type.Optional(words()),
    ids: Type.Optional(Type.Array(Type.String({ comparison: "id" }), { comparison: "set" })),
    loose: Type.Optional(words("any")),
  });
  const [a, b] = [{ key: "a", note: "one" }, { key: "b" }];

  function words(otherForms?: "longer" | "any") {
    return Type.Array(Type.String(), { comparison: "set", ...(otherForms && { otherForms }) });
  }
  const verdictOf = (declared: PropertyMap, shown: PropertyMap, known?: Before) =>
    mergeWritten(lists, declared, shown, known).map(({ verdict, record }) => [verdict, record !== undefined]);

  for (const [title, declared, shown, verdict] of [
    ["an entry whose key is missing", { entries: [a, b] }, { entries: [a] }, "incomplete"],
    ["an entry that only the service has", { entries: [a] }, { entries: [a, b] }, "incomplete"],
    ["another value of an entry", { entries: [a, b] }, { entries: [{ key: "a" }, b] }, "normalized"],
    ["fewer texts", { texts: ["x", "y"] }, { texts: ["x"] }, "incomplete"],
    ["more texts", { texts: ["x"] }, { texts: ["x", "y"] }, "incomplete"],
    ["texts in another form", { texts: ["x", "y"] }, { texts: ["X", "y"] }, "normalized"],
    ["another id", { ids: ["x"] }, { ids: ["y"] }, "incomplete"],
    ["fewer texts inside an entry", { entries: [{ ...a, tags: ["x"] }] }, { entries: [a] }, "incomplete"],
    [
      "more texts in a list that the service makes longer",
      { entries: [{ ...a, tags: ["x"] }] },
      { entries: [{ ...a, tags: ["x", "y"] }] },
      "normalized",
    ],
    ["no list at all", { texts: ["x"] }, {}, "dropped"],
    ["something else than a list", { texts: ["x"] }, { texts: "x" }, "normalized"],
    ["other texts in a list whose entries tell nothing", { loose: ["x"] }, { loose: [] }, "normalized"],
  ] as const)
    it(`the verdict on ${title} after a create is ${verdict}`, () => {
      expect(verdictOf(declared, shown)).to.deep.equal([[verdict, verdict !== "incomplete"]]);
    });

  it("ids in another case are the same entries", () => {
    expect(verdictOf({ ids: ["AB"] }, { ids: ["ab"] })).to.deep.equal([]);
  });

  it("no number of equal answers makes a missing entry the form of the service", () => {
    const [declared, shown] = [{ texts: ["x", "y"] }, { texts: ["x"] }];
    const first = judgementsOf(mergeWritten(lists, declared, shown, before(shown)));
    const again = mergeWritten(lists, declared, shown, before(declared, { ...first, looks: [shown] }));
    expect(again.map(({ verdict }) => verdict)).to.deep.equal(["incomplete"]);
  });

  it("a record of an earlier version does not hide that an entry is missing", () => {
    const [declared, shown] = [{ texts: ["x", "y"] }, { texts: ["x"] }];
    const loose = Type.Object({ texts: words("any") });
    const recorded = judgementsOf(mergeWritten(loose, declared, shown));
    expect(merge(loose, declared, recorded, shown).map(({ verdict }) => verdict)).to.deep.equal([
      "normalized",
    ]);
    expect(merge(lists, declared, recorded, shown).map(({ verdict }) => verdict)).to.deep.equal(["drifted"]);
  });

  it("what is owed are the entries that the program declared before, and not those of others", () => {
    const known = before({ texts: ["x", "former"] }, { owed: { texts: ["earlier"] } });
    const shown = { texts: ["x", "former", "earlier", "foreign"] };
    const { owed } = judgementsOf(mergeWritten(lists, { texts: ["x"] }, shown, known));
    expect(owed).to.deep.equal({ texts: ["former", "earlier"] });
  });

  it("an answer that proves the write makes the former value a form, and one that disproves it never does", () => {
    const [declared, shown] = [{ texts: ["x"] }, { texts: ["X"] }];
    const doubted = { doubted: { texts: normalizationsOf(lists, declared, shown).texts as string } };
    const judged = (changed: Partial<Before>) => verdictOf(declared, shown, before(shown, changed))[0]?.[0];
    expect(judged({ isCarriedOut: true })).to.equal("normalized");
    expect([judged({}), judged(doubted)]).to.deep.equal(["unchanged", "normalized"]);
    expect(judged({ ...doubted, isCarriedOut: false })).to.equal("unchanged");
  });
});
