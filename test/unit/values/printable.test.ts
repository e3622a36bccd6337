import { expect } from "chai";
import fc from "fast-check";
import { printable, printableLine, printableMessage } from "../../../provider/values/printable";
import { actingText, expectHarmless } from "../hostile/acting";

describe("Text that is safe to print", () => {
  it("printable text contains no characters on which a terminal acts, and is otherwise unchanged", () => {
    expectHarmless(printable(actingText));
    expect(printable("\u001b[31m\r\u009b\u202e\u{e0041}")).to.equal(
      "\\u001b[31m\\u000d\\u009b\\u202e\\udb40\\udc41",
    );
    const usual = "Zürich 数据 👩‍💻 שלום\tand\nlines";
    expect(printable(usual)).to.equal(usual);
  });

  it("JSON that is made printable for a terminal still means the same", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const json = printable(JSON.stringify({ text }));
        expectHarmless(json);
        expect(JSON.parse(json)).to.deep.equal({ text });
      }),
      { numRuns: 1000 },
    ));

  it("a name in a message stays on one line, since its line breaks are escaped", () => {
    expect(printableLine("a\nb\tc\u001b")).to.equal("a\\u000ab\\u0009c\\u001b");
  });

  it("printable text contains no lone surrogate, which a host could not send", () => {
    expect(printable("cut \ud83d…, \ude00")).to.equal("cut \\ud83d…, \\ude00");
    for (const length of [1998, 1999])
      expect(() => encodeURI(printableMessage(`${"x".repeat(length)}😀😀`))).to.not.throw();
  });

  it("printable text of a very long message is shortened", () => {
    expect(printableMessage("x".repeat(2000))).to.equal("x".repeat(2000));
    expect(printableMessage("x".repeat(2001))).to.equal(`${"x".repeat(2000)}…`);
    expect(printableMessage("a\nb\u0007")).to.equal("a\nb\\u0007");
  });
});
