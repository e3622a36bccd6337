import { expect } from "chai";
import fc from "fast-check";
import { parseJson } from "../../../provider/values/json";

describe("The parser of answers", () => {
  it("a parsed answer has a replacement for each lone surrogate, and is otherwise unchanged", () => {
    for (const [json, value] of [
      [String.raw`"\ud83d\ude00"`, "😀"],
      [String.raw`"cut \uD83D"`, "cut \ufffd"],
      [String.raw`"\ude00\ud83d\ud83d\ude00"`, "\ufffd\ufffd😀"],
      [String.raw`"\\ud83d\u0041"`, String.raw`\ud83dA`],
      [String.raw`{"\ud83d":"\""}`, { "\ufffd": '"' }],
    ] as const)
      expect(parseJson(json)).to.deep.equal(value);
  });

  it("a text of any characters is unchanged after it is written as JSON and parsed", () => {
    const unit = fc.constantFrom("\ud83d", "\ude00", "😀", "\\", '"', "u", "d83d", "\n", "a");
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(parseJson(JSON.stringify(text))).to.equal(text.replace(/\p{Cs}/gu, "\ufffd"));
      }),
    );
  });
});
