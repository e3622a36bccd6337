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

describe("the search for secrets", () => {
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
    "in a page": secret
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;"),
    "in an inspected object": inspect({ headers: { token: secret } }),
    "in hexadecimal": Buffer.from(`a ${secret}`).toString("hex"),
  };
  for (const encoding of ["base64", "base64url"] as const)
    for (const before of ["", "a", "ab", "abc", "keyId:"])
      for (const after of ["", "z", "yz"])
        writings[`in ${encoding} between ${before.length} and ${after.length} others`] = Buffer.from(
          before + secret + after,
        ).toString(encoding);

  for (const [how, text] of Object.entries(writings)) {
    it(`finds one ${how}`, () => {
      const places = { nothing: "an innocent text", there: `before ${text} after` };
      const [first = ""] = leaksOf({ mine: secret }, places);
      expect(first).to.match(/^mine as .+ in there: /);
    });
  }

  it("finds none in half of a secret", () => {
    const places = { half: secret.slice(0, -1), otherHalf: secret.slice(1), none: "" };
    expect(leaksOf({ mine: secret }, places)).to.deep.equal([]);
    expectNoLeaks({ mine: secret }, places);
  });

  it("fails with the form and the place of the secret", () => {
    const search = () => expectNoLeaks({ mine: secret }, { there: secret });
    expect(search).to.throw("mine as plain text in there: ");
  });

  it("refuses a secret that is too short to look for", () => {
    expect(() => leaksOf({ mine: "short" }, {})).to.throw("mine is no secret to look for");
  });
});

describe("the secrets of a sandbox", () => {
  it("are found after they were replaced by those that each encoding changes", async () => {
    const sandbox = await createSandbox();
    try {
      const { keySecret } = useTellingSecrets(sandbox);
      expect(encodeURIComponent(keySecret)).to.not.equal(keySecret);
      const secrets = secretsOf(sandbox);
      expect(Object.keys(secrets)).to.include.members(["keySecret", "accessToken"]);
      expect(Object.values(secrets).filter((one) => one === tellingSecret("encryption"))).to.have.length(2);
      expect(Object.values(secrets)).to.include(tellingSecret("connection"));
      const made = await send<{ key: { id: string }; keySecret: string }>(sandbox, "POST", "/keys", {
        roles: ["admin"],
      });
      const places = { log: `made "${made.keySecret}" just now`, other: "nothing" };
      expect(issuedKeysIn(sandbox, places)).to.deep.equal([`the secret of key ${made.key.id} in log`]);
      expect(issuedKeysIn(sandbox, { log: "x".repeat(40) })).to.deep.equal([]);
    } finally {
      await sandbox.close();
    }
  });
});
