import { type TObject, Type } from "@sinclair/typebox";
import { expect } from "chai";
import fc from "fast-check";
import { oneOf } from "../../../provider/values/schema";
import { unknown } from "../../../provider/values/unknown";
import { type Failure, validate, withLabels } from "../../../provider/values/validate";
import { anyJson, placesIn, validNote, withValueAt } from "./arbitraries";
import { noteInputs } from "./note";

const valid = { title: "Minutes", size: 3, labels: ["a", "b"], frame: { x: 1.5, y: -2 } };

describe("validation", () => {
  it("lets valid inputs pass", () => {
    expect(validate(noteInputs, valid)).to.deep.equal([]);
  });

  it("names twenty properties that are wrong, and counts the others", () => {
    const unknownOnes = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`p${index}`, 1]));
    const problems = validate(noteInputs, { ...valid, ...unknownOnes });
    expect(problems).to.have.length(21);
    expect(problems.at(-1)).to.deep.equal({ path: "", message: "and 5 more invalid properties" });
  });

  it("cuts names that nobody reads to their end", () => {
    const [problem] = validate(noteInputs, { ...valid, ["x".repeat(5000)]: 1 });
    expect(problem?.path).to.equal(`["${"x".repeat(100)}…"]`);
  });

  const mutations: [string, object, Failure[]][] = [
    ["a required property is missing", { title: undefined }, [{ path: "title", message: "is required" }]],
    [
      "a string is a number",
      { title: 7 },
      [{ path: "title", message: "must be a non-empty string", hint: ", not 7" }],
    ],
    ["a string is empty", { title: "" }, [{ path: "title", message: "must be a non-empty string" }]],
    [
      "a string is a number, with no rule",
      { zone: 7 },
      [{ path: "zone", message: "must be a string", hint: ", not 7" }],
    ],
    [
      "a whole number is none",
      { size: 1.5 },
      [{ path: "size", message: "must be a whole number from 1 to 20", hint: ", not 1.5" }],
    ],
    [
      "a number is too large",
      { size: 21 },
      [{ path: "size", message: "must be a whole number from 1 to 20", hint: ", not 21" }],
    ],
    [
      "a number is a string",
      { size: "3" },
      [{ path: "size", message: "must be a whole number from 1 to 20", hint: ', not "3"' }],
    ],
    [
      "a number is a text of another kind",
      { size: "three" },
      [{ path: "size", message: "must be a whole number from 1 to 20", hint: ", not a string" }],
    ],
    [
      "a word is not among those",
      { tone: "grey" },
      [{ path: "tone", message: "must be one of dark, light", hint: ', not "grey"' }],
    ],
    [
      "a word is nearly one of those",
      { tone: "drak" },
      [{ path: "tone", message: "must be one of dark, light", hint: ', not "drak"; did you mean dark?' }],
    ],
    [
      "a truth value is a string",
      { pinned: "yes" },
      [{ path: "pinned", message: "must be true or false", hint: ', not "yes"' }],
    ],
    [
      "a list is empty",
      { labels: [] },
      [{ path: "labels", message: "must be a list with at least one entry" }],
    ],
    [
      "an entry occurs twice",
      { labels: ["a", "b", "a"] },
      [{ path: "labels", message: "contains a duplicate: entries 0 and 2 are equal" }],
    ],
    [
      "a list is none",
      { readers: {} },
      [{ path: "readers", message: "must be a list", hint: ", not an object" }],
    ],
    [
      "an object is none",
      { frame: [] },
      [{ path: "frame", message: "must be an object with x, y", hint: ", not a list" }],
    ],
    [
      "a number is no multiple",
      { frame: { x: 0.7, y: 0 } },
      [{ path: "frame.x", message: "must be a number of at least 0, a multiple of 0.5", hint: ", not 0.7" }],
    ],
    [
      "something deep inside is wrong",
      { readers: [{ name: "a" }, { name: "b", rights: ["read", 5] }] },
      [{ path: "readers[1].rights[1]", message: "must be a string", hint: ", not 5" }],
    ],
    [
      "a member of an entry is missing",
      { readers: [{ rights: [] }] },
      [{ path: "readers[0].name", message: "is required" }],
    ],
    [
      "a member is not known",
      { frame: { x: 0, y: 0, z: 0 } },
      [{ path: "frame.z", message: "is not a valid property; expected one of x, y, extra" }],
    ],
    [
      "a union has neither shape",
      { origins: [7] },
      [{ path: "origins", message: "must be a list of origins, or a string of them separated by commas" }],
    ],
    [
      "a union with null has neither shape",
      { until: "soon" },
      [{ path: "until", message: "must be a date, or null for never" }],
    ],
    [
      "several properties are wrong, one problem for each",
      { title: "", size: 0.5, tone: 4 },
      [
        { path: "title", message: "must be a non-empty string" },
        { path: "size", message: "must be a whole number from 1 to 20", hint: ", not 0.5" },
        { path: "tone", message: "must be one of dark, light", hint: ", not 4" },
      ],
    ],
  ];
  for (const [what, mutation, problems] of mutations) {
    it(`names the property and the rule: ${what}`, () => {
      const wrong = JSON.parse(JSON.stringify({ ...valid, ...mutation })) as object;
      expect(validate(noteInputs, wrong)).to.have.deep.members(problems);
    });
  }

  const rules: [string, TObject, unknown, string, string?][] = [
    ["a plain number", Type.Object({ v: Type.Number() }), "x", "must be a number", ", not a string"],
    [
      "a number with an upper bound",
      Type.Object({ v: Type.Number({ minimum: 2, maximum: 3 }) }),
      9,
      "must be a number from 2 to 3",
      ", not 9",
    ],
    [
      "an integer with a lower bound",
      Type.Object({ v: Type.Integer({ minimum: 5 }) }),
      4,
      "must be a whole number of at least 5",
      ", not 4",
    ],
    [
      "a bounded list",
      Type.Object({ v: Type.Array(Type.Number(), { minItems: 1, maxItems: 5 }) }),
      [],
      "must be a list of 1 to 5 entries",
    ],
    [
      "a rule of its own",
      Type.Object({ v: Type.String({ pattern: "^a", rule: "a word with a" }) }),
      "b",
      "must be a word with a",
      ', not "b"',
    ],
  ];
  for (const [what, schema, value, message, hint] of rules) {
    it(`words ${what}`, () => {
      expect(validate(schema, { v: value })).to.deep.equal([{ path: "v", message, ...(hint && { hint }) }]);
    });
  }

  it("quotes names that are no identifiers", () => {
    const schema = Type.Object({ "a/b~c": Type.Object({ d: Type.String() }) });
    expect(validate(schema, { "a/b~c": { d: 1 } })).to.deep.equal([
      { path: '["a/b~c"].d', message: "must be a string", hint: ", not 1" },
    ]);
  });

  it("refuses a __proto__ like any other member that is not known", () => {
    const inputs = JSON.parse('{"title": "a", "__proto__": {"size": 99}}') as object;
    expect(validate(noteInputs, inputs).map(({ path }) => path)).to.deep.equal(["__proto__"]);
  });

  it("never repeats a value, but for hints", () => {
    const secret = "hunter2-hunter2";
    const wrong = {
      title: { secret },
      size: secret,
      tone: secret,
      labels: [secret, secret],
      origins: { secret },
      until: secret,
      readers: [{ name: [secret] }, secret],
      frame: { x: secret, y: secret },
    };
    const problems = validate(noteInputs, wrong);
    expect(problems).to.have.length.greaterThan(7);
    expect(JSON.stringify(problems.map(({ message }) => message))).not.to.include(secret);
  });

  it("hints at no text that may be something pasted by mistake, and at nothing that is kept secret", () => {
    const schema = Type.Object({
      tone: oneOf(["dark", "light"]),
      zone: Type.String({ minLength: 30 }),
      hash: Type.Object({ kind: oneOf(["a", "b"]), size: Type.Number() }, { secret: true }),
    });
    const wrong = { tone: "x7F/".repeat(10), zone: "a-short-secret", hash: { kind: "c", size: true } };
    expect(validate(schema, wrong).map(({ path, hint }) => [path, hint])).to.have.deep.members([
      ["tone", undefined],
      ["zone", undefined],
      ["hash.kind", undefined],
      ["hash.size", undefined],
    ]);
  });

  it("names entries of lists that have a name of their own", () => {
    const value = { readers: [{ name: "a" }, { name: "b" }, { name: "b" }] };
    const failures = ["readers[0].rights", "readers[1].rights", 'readers["a b"]', "size"].map((path) => ({
      path,
      message: "is wrong",
    }));
    expect(withLabels(failures, value).map(({ path }) => path)).to.deep.equal([
      'readers["a"].rights',
      "readers[1].rights",
      'readers["a b"]',
      "size",
    ]);
  });
});

describe("validation of anything", () => {
  it("never throws, and always gives each problem a path and a message, once", () => {
    fc.assert(
      fc.property(
        fc.oneof(anyJson, validNote),
        anyJson,
        fc.nat(),
        fc.boolean(),
        (base, value, choice, known) => {
          const places = placesIn(base);
          const mutated = withValueAt(base, places[choice % places.length] ?? [], known ? value : unknown);
          const problems = validate(noteInputs, mutated);
          for (const { message } of problems)
            expect(message).to.match(
              /^(must be|is required|is not a valid property|contains a duplicate|and \d+ more invalid propert(y|ies)$)/,
            );
          expect(new Set(problems.map(({ path }) => path)).size).to.equal(problems.length);
        },
      ),
      {
        numRuns: 500,
        // More is wrong here than is listed.
        examples: [
          [{ title: " " }, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, 0])), 0, true],
        ],
      },
    );
  });

  it("finds nothing wrong with valid inputs", () => {
    fc.assert(
      fc.property(validNote, (note) => {
        expect(validate(noteInputs, note)).to.deep.equal([]);
      }),
    );
  });
});
