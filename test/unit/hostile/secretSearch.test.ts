import { inspect } from "node:util";
import { expect } from "chai";
import { createSandbox } from "../../../sandbox/index";
import {
  expectNoLeaks,
  issuedKeysIn,
  leaksOf,
  secretsOf,
  tellingSecret,
  useTellingSecrets,
} from "../../secrets";
import { send } from "../../serviceContents";

const secret = tellingSecret("key");

describe("The tests' search for secrets", () => {
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  const writings: { [form: string]: string } = {
    "as it is": secret,
    "in JSON": JSON.stringify({ a: [secret] }),
    "in JSON that stands in JSON": JSON.stringify({ log: JSON.stringify({ secret }) }),
    "in JSON as Go writes it": JSON.stringify(secret).replace(
      /[&<>]/g,
      (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
    ),
    "in the address of a request": `https://x.example/a?b=${encodeURIComponent(secret)}&c=d`,
    "in an address as a browser writes it": encodeURI(secret),
    "in a form": new URLSearchParams({ secret }).toString(),
    "in a page": secret.replace(/[&<>"]/g, (character) => escapes[character as keyof typeof escapes]),
    "in an inspected object": inspect({ headers: { token: secret } }),
    "in hexadecimal": Buffer.from(`a ${secret}`).toString("hex"),
  };
  for (const encoding of ["base64", "base64url"] as const)
    for (const before of ["", "a", "ab", "abc", "keyId:"])
      for (const after of ["", "z", "yz"])
        writings[`in ${encoding} between ${before.length} and ${after.length} others`] = Buffer.from(
          before + secret + after,
        ).toString(encoding);

  for (const [how, text] of Object.entries(writings))
    it(`the tests' search for secrets finds a secret ${how}, and names its form and place`, () => {
      const places = { nothing: "innocent", there: `before ${text} after` };
      const [first = ""] = leaksOf({ mine: secret }, places);
      expect(first).to.match(/^mine as .+ in there: /);
      expect(() => expectNoLeaks({ mine: secret }, places)).to.throw("mine as ");
    });

  it("the tests' search for secrets does not report a part of a secret", () => {
    const places = { half: secret.slice(0, -1), otherHalf: secret.slice(1), none: "" };
    expect(leaksOf({ mine: secret }, places)).to.deep.equal([]);
  });

  it("the tests' search for secrets refuses a secret that is too short", () => {
    expect(() => leaksOf({ mine: "short" }, {})).to.throw("mine is no secret to look for");
  });

  it("the tests' search knows all secrets of a sandbox, even those of API keys that a test creates", async () => {
    const sandbox = await createSandbox();
    try {
      useTellingSecrets(sandbox);
      const secrets = secretsOf(sandbox);
      expect(secrets).to.include({ keySecret: tellingSecret("key"), accessToken: tellingSecret("token") });
      expect(Object.values(secrets).filter((one) => one === tellingSecret("encryption"))).to.have.length(2);
      expect(Object.values(secrets)).to.include(tellingSecret("connection"));
      const made = await send<{ key: { id: string }; keySecret: string }>(sandbox, "POST", "/keys", {
        roles: ["admin"],
      });
      const places = { log: `made "${made.keySecret}" just now`, other: "x".repeat(40) };
      expect(issuedKeysIn(sandbox, places)).to.deep.equal([`the secret of key ${made.key.id} in log`]);
    } finally {
      await sandbox.close();
    }
  });
});
