import { type TSchema, Type } from "@sinclair/typebox";
import { expect } from "chai";
import fc from "fast-check";
import { oneOf } from "../../../provider/values/schema";
import { unknown } from "../../../provider/values/unknown";
import { type Failure, validate, withLabels } from "../../../provider/values/validate";
import { anyJson, placesIn, validNote, withValueAt } from "./arbitraries";
import { noteInputs } from "./note";

const valid = { title: "Minutes", size: 3, labels: ["a", "b"], frame: { x: 1.5, y: -2 } };

describe("The validation of inputs", () => {
  it("an error names twenty wrong properties, and counts the others", () => {
    const unknownOnes = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`p${index}`, 1]));
    const problems = validate(noteInputs, { ...valid, ...unknownOnes });
    expect(problems).to.have.length(21);
    expect(problems.at(-1)).to.deep.equal({ path: "", message: "and 5 more invalid properties" });
  });

  const said = (failures: readonly Failure[]) =>
    failures.map(({ path, message, hint }) => `${path} ${message}${hint ? ` [${hint}]` : ""}`);
  const whole = "size must be a whole number from 1 to 20";
  const tone = "tone must be one of dark, light";
  const multiple = "frame.x must be a number of at least 0, a multiple of 0.5";
  const origins = "origins must be a list of origins, or a string of them separated by commas";
  const deep = [{ name: "a" }, { name: "b", rights: ["read", 5] }];
  const mutations: [string, object, ...string[]][] = [
    ["a required property is missing", { title: undefined }, "title is required"],
    ["a string is empty", { title: "" }, "title must not be empty"],
    ["a string without a rule is a number", { zone: 7 }, "zone must be a string [, not 7]"],
    ["a whole number is none", { size: 1.5 }, `${whole} [, not 1.5]`],
    ["a number is a string", { size: "3" }, `${whole} [, not "3"]`],
    ["a number is a text of another kind", { size: "three" }, `${whole} [, not a string]`],
    ["a word is unknown", { tone: "grey" }, `${tone} [, not "grey"]`],
    ["a word is nearly a known one", { tone: "drak" }, `${tone} [, not "drak"; did you mean dark?]`],
    ["a list is empty", { labels: [] }, "labels must be a list with at least one entry"],
    [
      "an entry is doubled",
      { labels: ["a", "b", "a"] },
      "labels contains a duplicate: entries 0 and 2 are equal",
    ],
    ["an object is none", { frame: [] }, "frame must be an object with x, y [, not a list]"],
    ["a number is no multiple", { frame: { x: 0.7, y: 0 } }, `${multiple} [, not 0.7]`],
    ["a value deep inside is wrong", { readers: deep }, "readers[1].rights[1] must be a string [, not 5]"],
    ["a member of an entry is missing", { readers: [{ rights: [] }] }, "readers[0].name is required"],
    [
      "a member is not known",
      { frame: { x: 0, y: 0, z: 0 } },
      "frame.z is not a valid property; expected one of x, y, extra",
    ],
    ["a union has neither shape", { origins: [7] }, origins],
    ["a union with null has neither shape", { until: "soon" }, "until must be a date, or null for never"],
    [
      "several properties are wrong, once for each",
      { title: "", size: 0.5, tone: 4 },
      ...["title must not be empty", `${whole} [, not 0.5]`, `${tone} [, not 4]`],
    ],
  ];
  for (const [what, mutation, ...failures] of mutations)
    it(`an error names the property and its rule when ${what}`, () => {
      const wrong = JSON.parse(JSON.stringify({ ...valid, ...mutation })) as object;
      expect(said(validate(noteInputs, wrong))).to.have.members(failures);
    });

  const ofNumbers = Type.Array(Type.Number(), { minItems: 1, maxItems: 5 });
  const rules: [string, TSchema, unknown, string][] = [
    ["a plain number", Type.Number(), "x", "must be a number [, not a string]"],
    ["a bounded list", ofNumbers, [], "must be a list of 1 to 5 entries"],
    ["a rule of its own", Type.String({ pattern: "^a", rule: "an a" }), "b", 'must be an a [, not "b"]'],
  ];
  for (const [what, schema, value, words] of rules)
    it(`the error about an invalid value says what the schema allows: ${what}`, () => {
      expect(said(validate(Type.Object({ v: schema }), { v: value }))).to.deep.equal([`v ${words}`]);
    });

  it("the validation refuses a property named __proto__ like any other unknown property", () => {
    const inputs = JSON.parse('{"title": "a", "__proto__": {"size": 99}}') as object;
    expect(validate(noteInputs, inputs).map(({ path }) => path)).to.deep.equal(["__proto__"]);
  });

  it("an error message repeats a wrong value only in its hint", () => {
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

  it("an error gives no hint about a long text, which may have been pasted by mistake, nor about a secret", () => {
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

  it("an error names entries of lists by their own names", () => {
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

describe("The validation of random inputs", () => {
  it("the validation never throws, and reports each wrong path once with a message", () => {
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
              /^(must (not )?be|is required|is not a valid property|contains a duplicate|and \d+ more invalid propert(y|ies)$)/,
            );
          expect(new Set(problems.map(({ path }) => path)).size).to.equal(problems.length);
        },
      ),
      {
        numRuns: 500,
        // The test's inputs have more failures than the validation lists, so the last failure is only a count.
        examples: [
          [{ title: " " }, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, 0])), 0, true],
        ],
      },
    );
  });
});
