import { expect } from "chai";
import fc from "fast-check";
import { redact, secretsIn } from "../../../provider/values/redact";
import { formsOf } from "../../secrets";

const secret = `it's "a" <b>&c\\d`;
const credentials = [`key-17:${secret}`, secret];
const hide = (text: string, own = credentials) => redact(`before ${text} after`, own);
const hidden = "before [hidden] after";
const pair = Buffer.from(`key-17:${secret}`).toString("base64");
const hex = Buffer.from(secret).toString("hex");

describe("The redaction of credentials in a server's text", () => {
  for (const [form, written] of Object.entries({
    ...formsOf(secret),
    "escaped base64": encodeURIComponent(pair),
  }))
    it(`the redaction hides a credential in a server's text that is written as ${form}`, () => {
      expect(hide(written)).to.include("[hidden]").and.not.include(written.slice(4, 20));
    });

  for (const apostrophe of ["&#39;", "&#039;", "&#x27;", "'", "&apos;"])
    it(`the redaction hides a credential in a server's page that writes ${apostrophe} for an apostrophe`, () => {
      expect(hide(`it${apostrophe}s &quot;a&quot; &lt;b&gt;&amp;c\\d`)).to.equal(hidden);
    });

  for (const [what, written] of Object.entries({
    "the pair of Basic authentication, without its padding": pair.replace("=", ""),
    "hexadecimal digits": hex,
    "hexadecimal digits in capitals": hex.toUpperCase(),
  }))
    it(`the redaction hides a credential in a server's text from its first character on: it is written as ${what}`, () => {
      expect(hide(written)).to.equal(hidden);
    });

  /** Escapes that can write a character of a credential. The test also tries each escape in capital letters. */
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

  it("the redaction hides a credential in a server's text if any of its characters are escaped in any way", () => {
    const printableAscii = fc.integer({ min: 0x21, max: 0x7e }).filter((code) => code !== 0x5c);
    const characters = fc.array(fc.tuple(printableAscii, fc.constantFrom(...escapes)), {
      ...{ minLength: 8, maxLength: 40 },
    });
    const isHidden = (all: [number, (typeof escapes)[number]][]) => {
      const written = all.map(([code, escaped]) => escaped(code, String.fromCharCode(code)));
      const keySecret = String.fromCharCode(...all.map(([code]) => code));
      expect(hide(written.join(""), [keySecret])).to.equal(hidden);
    };
    fc.assert(fc.property(characters, isHidden), { numRuns: 300 });
  });

  for (const [form, written] of Object.entries({
    "percent encoding": "p%C3%A4ss-%F0%9F%94%91-1234",
    "percent encoding in small letters": "p%c3%a4ss-%f0%9f%94%91-1234",
    "percent encoding of another character set": "p%E4ss-%F0%9F%94%91-1234",
    "escapes of JSON": "p\\u00e4ss-\\ud83d\\udd11-1234",
    "references of HTML": "p&#228;ss-&#x1F511;-1234",
  }))
    it(`the redaction hides a credential with characters beyond ASCII in ${form}`, () => {
      expect(hide(written, ["p\u00e4ss-\u{1f511}-1234"])).to.equal(hidden);
    });

  it("the redaction hides a credential with spaces in a server's text even if only the spaces are escaped", () => {
    for (const written of ["three words here", "three+words+here"])
      expect(hide(written, ["three words here"])).to.equal(hidden);
  });

  it("the redaction of long texts with many escapes takes less than 20 s", () => {
    const odd = ["\\".repeat(40), "&%&%&%&%&%"];
    const started = performance.now();
    for (const part of ["\\", "&", "%", "&amp;", "%25", "\\u00", "&#0"]) redact(part.repeat(50_000), odd);
    expect(performance.now() - started).to.be.below(20_000);
  });

  it("the redaction of secrets keeps text that may contain a short credential by coincidence", () => {
    // The middle of the credential "xyz" is "h5" in base64, which occurs in many words, so redaction leaves it alone.
    expect(redact("h5 eHl6 xyz", ["xyz"])).to.equal("h5 [hidden] [hidden]");
  });
});

describe("The redaction of secret URLs in a server's text", () => {
  const path = "/services/T0001/B0002/s3cretS3cret?key=a%20b";
  const secrets = secretsIn({ url: `HTTPS://Hooks.Example.com:443${path}`, name: "Pager" }, ["url"]);
  for (const [form, text] of Object.entries({
    "as it was sent": `HTTPS://Hooks.Example.com:443${path}`,
    "as the server writes addresses": `https://hooks.example.com${path}`,
    "without its host": `cannot POST ${path}`,
    "without its parameters": "cannot POST /services/T0001/B0002/s3cretS3cret",
  }))
    it(`the redaction hides a secret URL in each form in which a server may repeat it: ${form}`, () => {
      expect(redact(text, secrets)).to.include("[hidden]").and.not.include("s3cret");
    });

  it("the redaction of a secret URL keeps the host if the URL contains nothing more than the host", () => {
    const own = secretsIn({ url: "https://hooks.example.com/" }, ["url"]);
    const text = "cannot reach hooks.example.com/ at /";
    expect(redact(text, own)).to.equal(text);
  });
});
