import { inspect } from "node:util";
import { expect } from "chai";
import { ForeignRefusal } from "../../../provider/api/errors";
import { expectNoLeaks, formsOf, tellingSecret } from "../../secrets";
import { failureOf, failureOfType } from "./failure";
import { type Answer, clientOf, place, refused, useServer } from "./server";

const keyId = "signingKey";
const keySecret = tellingSecret("key");
const accessToken = tellingSecret("token");
const credentials = { keyId, keySecret, accessToken, maxRetries: 0 };

const base64 = (text: string) => Buffer.from(text).toString("base64");
const secrets = { pair: `${keyId}:${keySecret}`, keySecret, accessToken };
/** The forms in which a server's answer could repeat the client's credentials. */
const forms = Object.values(secrets).flatMap((secret) => [
  ...Object.values(formsOf(secret)),
  base64(secret),
  base64(`before ${secret} after`),
]);

/** Expects that none of the forms in which an error can be printed shows a credential. */
function expectNoCredential(error: Error): void {
  expectNoLeaks(secrets, {
    message: error.message,
    string: String(error),
    stack: error.stack ?? "",
    json: JSON.stringify(error) ?? "",
    ownProperties: JSON.stringify(error, Object.getOwnPropertyNames(error)),
    inspected: inspect(error, { depth: null, showHidden: true }),
  });
}

describe("Credentials that a server's answer repeats", () => {
  const server = useServer();

  const echoes: { readonly [where: string]: (text: string) => Answer } = {
    "in {error}": (text) => refused(400, text),
    "in a nested error": (text) => ({ status: 400, body: { errors: [{ detail: text }] } }),
    "in a page": (text) => ({ status: 400, body: `<html><body>${text}</body></html>` }),
    "in a 401": (text) => ({ status: 401, body: text }),
    "in a redirect": (text) => ({ status: 302, headers: { Location: `https://x.example/${text}` } }),
    "in a header": (text) => ({ status: 400, headers: { "X-Echo": text, "X-Request-Id": text } }),
    "as the request's id": (text) => ({ status: 400, body: { error: "no", requestId: text } }),
    "in an answer of the wrong shape": (text) => ({ body: { result: [{ [text]: text }], requestId: text } }),
  };
  for (const [where, echo] of Object.entries(echoes))
    it(`errors hide credentials that the server repeats ${where} in any form`, async () => {
      const { client } = clientOf(server.current, credentials);
      for (const text of [forms.join(" "), ...forms]) {
        server.current.answer(echo(text));
        expectNoCredential(await failureOf(client.call("listKeys", place)));
      }
      expect(server.current.requests).to.have.length(forms.length + 1);
    });

  it("an error hides a credential before it shortens a long text", async () => {
    const { client } = clientOf(server.current, credentials);
    for (let before = 300 - keySecret.length; before <= 300; before++) {
      server.current.answer(refused(400, "x".repeat(before) + keySecret));
      const { message } = await failureOf(client.call("listKeys", place));
      expect(message).not.to.include(keySecret.slice(0, 6));
    }
  });

  it("an error hides a credential within the server's sentence, and keeps the rest of the sentence", async () => {
    server.current.answer({ status: 400, body: { message: `the token ${accessToken} is too old` } });
    const { client } = clientOf(server.current, credentials);
    const { message } = await failureOf(client.call("updateAlert", { id: "a" }, {}));
    expect(message).to.equal(
      "the token [hidden] is too old (updateAlert: PUT /api/v2/alerts/a answered 400)",
    );
  });
});

describe("Secrets of a request that a server's answer repeats", () => {
  const server = useServer();

  for (const [name, body] of [
    ["createWebhook", { headers: { username: "s3cret-of-a-header" } }],
    ["createWebhook", { queryParams: { accessKeyId: "s3cret-of-a-query" } }],
    [
      "createPipe",
      { source: { kafka: { credentials: { username: "reader", password: "s3cret-of-a-pipe" } } } },
    ],
  ] as const)
    it(`an error hides the secrets of ${name}, and a user name only where it is none: ${JSON.stringify(body)}`, async () => {
      server.current.answer(refused(400, `the service refuses reader, and ${JSON.stringify(body)}`));
      const { client } = clientOf(server.current, { ...credentials, dialect: "clickhouse" });
      const { message } = await failureOf(client.call(name, place, body));
      expect(message).to.include("refuses reader").and.include("[hidden]").and.not.include("s3cret");
    });
});

describe("Redirects of API requests", () => {
  const server = useServer();
  const other = useServer();

  for (const [status, name, whither] of [
    [302, "listKeys", "elsewhere"],
    [308, "updateAlert", "elsewhere"],
    [302, "listKeys", "on the same server"],
  ] as const)
    it(`the client follows no redirect of ${name} with status ${status} to an address ${whither}`, async () => {
      const target = whither === "elsewhere" ? `${other.current.url}/login` : "/login";
      server.current.answer({ status, headers: { Location: `${target}?token=of-the-server` } });
      other.current.alwaysAnswer({ body: { result: [], data: { id: "a" } } });
      const { client } = clientOf(server.current, { maxRetries: 4 });
      const { message } = await failureOfType(client.call(name, { ...place, id: "a" }, {}), ForeignRefusal);
      const said = `redirected to ${target}, which is not followed; set the final address of the API `;
      expect(message.startsWith(said) && message.endsWith(` answered ${status})`), message).to.equal(true);
      expect(other.current.connections).to.equal(0);
      expect(server.current.requests).to.have.length(1);
    });
});
