import { expect } from "chai";
import fc from "fast-check";
import { redact, secretsIn } from "../../../provider/api/redact";
import { formsOf } from "../../secrets";
import { settingsFor } from "./server";

const secret = `it's "a" <b>&c\\d`;
const settings = settingsFor("https://api.example.com", { keyId: "key-17", keySecret: secret });
const hide = (text: string) => redact(`before ${text} after`, settings);

describe("a credential in the text of a server", () => {
  for (const [form, written] of Object.entries(formsOf(secret))) {
    it(`is hidden as ${form}`, () => {
      expect(hide(written)).to.include("[hidden]").and.not.include(written);
    });
  }

  for (const apostrophe of ["&#39;", "&#039;", "&#x27;", "'", "&apos;"]) {
    it(`is hidden if a page writes ${apostrophe} for an apostrophe`, () => {
      expect(hide(`it${apostrophe}s &quot;a&quot; &lt;b&gt;&amp;c\\d`)).to.equal("before [hidden] after");
    });
  }

  it("is hidden as the pair of Basic authentication, with its padding and without, from the first character on", () => {
    const pair = Buffer.from(`key-17:${secret}`).toString("base64");
    expect(pair).to.match(/[^=]=$/);
    expect(hide(pair.replace("=", ""))).to.equal("before [hidden] after");
    expect(hide(pair)).to.equal("before [hidden]= after");
  });

  /** How a character can be written; each in capitals or not. */
  const escapes: ((code: number, character: string) => string)[] = [
    (_, character) => character,
    (code) => `\\u00${code.toString(16)}`,
    (code) => `\\u00${code.toString(16).toUpperCase()}`,
    (code) => `\\\\u00${code.toString(16)}`,
    (code) => `\\x${code.toString(16)}`,
    (code) => `%${code.toString(16)}`,
    (code) => `%${code.toString(16).toUpperCase()}`,
    (code) => `%25${code.toString(16)}`,
    (code) => `&#${code};`,
    (code) => `&#x${code.toString(16)};`,
    (code) => `&#X00${code.toString(16).toUpperCase()};`,
    (code) => `&amp;#${code};`,
  ];

  it("is hidden with any of its characters escaped, in any way", () => {
    const printableAscii = fc.integer({ min: 0x21, max: 0x7e }).filter((code) => code !== 0x5c);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(printableAscii, fc.nat(escapes.length - 1)), { minLength: 8, maxLength: 40 }),
        (characters) => {
          const text = String.fromCharCode(...characters.map(([code]) => code));
          const written = characters.map(([code, which]) =>
            escapes[which]?.(code, String.fromCharCode(code)),
          );
          const own = settingsFor("https://api.example.com", { keySecret: text, accessToken: undefined });
          expect(redact(`before ${written.join("")} after`, own)).to.equal("before [hidden] after");
        },
      ),
      { numRuns: 300 },
    );
  });

  it("is hidden in a form that escapes nothing but its blanks", () => {
    const own = settingsFor("https://api.example.com", { keySecret: "three words here" });
    for (const written of ["three words here", "three+words+here"])
      expect(redact(`before ${written} after`, own)).to.equal("before [hidden] after");
  });

  it("is hidden in base64 whose own signs are escaped, and in hexadecimal digits of either case", () => {
    const pair = Buffer.from(`key-17:${secret}`).toString("base64");
    expect(hide(encodeURIComponent(pair)))
      .to.include("[hidden]")
      .and.not.include(pair.slice(4, 20));
    const hex = Buffer.from(secret).toString("hex");
    for (const written of [hex, hex.toUpperCase()]) expect(hide(written)).to.equal("before [hidden] after");
  });

  it("is found within seconds in any text", () => {
    const odd = settingsFor("https://api.example.com", {
      keySecret: "\\".repeat(40),
      accessToken: "&%&%&%&%&%",
    });
    const started = performance.now();
    for (const part of ["\\", "&", "%", "&amp;", "%25", "\\u00", "&#0"]) redact(part.repeat(50_000), odd);
    expect(performance.now() - started).to.be.below(20_000);
  });

  it("leaves text alone that could stand there by chance", () => {
    const text = "before key-17, abc and Stryker after";
    expect(redact(text, settingsFor("https://api.example.com", { keyId: "key-17" }))).to.equal(text);
    // The middle of "xyz" is "h5" in base64: that stands in many words.
    const short = settingsFor("https://api.example.com", { keySecret: "xyz", accessToken: undefined });
    expect(redact("h5 eHl6 xyz", short)).to.equal("h5 [hidden] [hidden]");
  });
});

describe("a secret address in the text of a server", () => {
  const path = "/services/T0001/B0002/s3cretS3cret?key=a%20b";
  const secrets = secretsIn({ url: `HTTPS://Hooks.Example.com:443${path}`, name: "Pager" }, ["url"]);
  const repeated = {
    "as it was sent": `HTTPS://Hooks.Example.com:443${path}`,
    "as the server writes addresses": `https://hooks.example.com${path}`,
    "without its host": `cannot POST ${path}`,
    "without its parameters": "cannot POST /services/T0001/B0002/s3cretS3cret",
  };
  for (const [form, text] of Object.entries(repeated)) {
    it(`is hidden ${form}`, () => {
      expect(redact(text, settings, secrets))
        .to.include("[hidden]")
        .and.not.include("s3cret");
    });
  }

  it("leaves a host alone whose address has nothing more", () => {
    const own = secretsIn({ url: "https://hooks.example.com/" }, ["url"]);
    expect(redact("cannot reach hooks.example.com/ at /", settings, own)).to.equal(
      "cannot reach hooks.example.com/ at /",
    );
  });
});
