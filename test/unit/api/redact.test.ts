import { expect } from "chai";
import { redact } from "../../../provider/api/redact";
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
    it(`is hidden where a page writes ${apostrophe} for an apostrophe`, () => {
      expect(hide(`it${apostrophe}s &quot;a&quot; &lt;b&gt;&amp;c\\d`)).to.equal("before [hidden] after");
    });
  }

  it("is hidden as the pair of Basic authentication, with its padding and without, from the first character on", () => {
    const pair = Buffer.from(`key-17:${secret}`).toString("base64");
    expect(pair).to.match(/[^=]=$/);
    expect(hide(pair.replace("=", ""))).to.equal("before [hidden] after");
    expect(hide(pair)).to.equal("before [hidden]= after");
  });

  it("is nothing that is not there, and nothing so short that it could be any text", () => {
    const text = "before key-17, abc and Stryker after";
    expect(redact(text, settingsFor("https://api.example.com", { keyId: "key-17" }))).to.equal(text);
    // The middle of "xyz" is "h5" in base64: that stands in many words.
    const short = settingsFor("https://api.example.com", { keySecret: "xyz", accessToken: undefined });
    expect(redact("h5 eHl6 xyz", short)).to.equal("h5 [hidden] [hidden]");
  });
});
