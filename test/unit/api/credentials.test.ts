import { inspect } from "node:util";
import { expect } from "chai";
import { Client } from "../../../provider/api/client";
import { ForeignRefusal } from "../../../provider/api/errors";
import type { OperationName } from "../../../provider/api/operations";
import { expectNoLeaks, formsOf, tellingSecret } from "../../secrets";
import { failureOf, failureOfType } from "./failure";
import {
  type Answer,
  clientOf,
  cutOff,
  organizationId,
  place,
  refused,
  reset,
  settingsFor,
  silence,
  useServer,
} from "./server";
import { useVirtualTime } from "./virtualTime";

const keyId = "signingKey";
const keySecret = tellingSecret("key");
const accessToken = tellingSecret("token");
const credentials = { keyId, keySecret, accessToken };

const base64 = (text: string) => Buffer.from(text).toString("base64");
const secrets = { pair: `${keyId}:${keySecret}`, keySecret, accessToken };
/** As a server could repeat them. */
const forms = Object.values(secrets).flatMap((secret) => [
  ...Object.values(formsOf(secret)),
  base64(secret),
  base64(`before ${secret} after`),
]);

/** Fails if any way to show the error shows a credential. */
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

describe("credentials that a server repeats", () => {
  const server = useServer();
  const everything = forms.join(" ");

  const echoes: [string, (text: string) => Answer][] = [
    ["in {error}", (text) => refused(400, text)],
    ["in {message}", (text) => ({ status: 400, body: { message: text } })],
    ["in a nested error", (text) => ({ status: 400, body: { errors: [{ detail: text }] } })],
    ["in text", (text) => ({ status: 400, body: text })],
    ["in a page", (text) => ({ status: 400, body: `<html><body>${text}</body></html>` })],
    ["in a 404", (text) => ({ status: 404, body: { message: text } })],
    ["in a 500", (text) => ({ status: 500, body: text })],
    ["in a 401", (text) => ({ status: 401, body: text })],
    [
      "in the address of a redirect",
      (text) => ({ status: 302, headers: { Location: `https://x.example/${text}` } }),
    ],
    ["in a header", (text) => ({ status: 400, headers: { "X-Echo": text, "X-Request-Id": text } })],
    ["as the request's id", (text) => ({ status: 400, body: { error: "no", requestId: text } })],
    [
      "in an answer of the wrong shape",
      (text) => ({ body: { result: [{ [text]: text }], requestId: text } }),
    ],
    ["in an answer that is no JSON", (text) => ({ body: text })],
  ];
  for (const [where, echo] of echoes) {
    it(`are in no form of the error if it repeats them ${where}`, async () => {
      const { client } = clientOf(server.current, { ...credentials, maxRetries: 0 });
      for (const text of [everything, ...forms]) {
        server.current.answer(echo(text));
        expectNoCredential(await failureOf(client.call("listKeys", place)));
      }
      expect(server.current.requests).to.have.length(forms.length + 1);
    });
  }

  it("are hidden before a long text is cut, so that no half of one is left", async () => {
    for (let before = 300 - keySecret.length; before <= 300; before++) {
      server.current.answer(refused(400, "x".repeat(before) + keySecret));
      const { client } = clientOf(server.current, credentials);
      const error = await failureOf(client.call("listKeys", place));
      expect(error.message).not.to.include(keySecret.slice(0, 6));
    }
  });

  it("are hidden within the server's sentence, whose rest stays", async () => {
    server.current.answer({ status: 400, body: { message: `the token ${accessToken} is too old` } });
    const { client } = clientOf(server.current, credentials);
    const error = await failureOf(client.call("updateAlert", { id: "a" }, {}));
    expect(error.message).to.equal(
      "the token [hidden] is too old (updateAlert: PUT /api/v2/alerts/a answered 400)",
    );
  });
});

describe("credentials", () => {
  const server = useServer();
  useVirtualTime();

  for (const [what, failure] of [
    ["a broken connection", reset],
    ["an answer that breaks off", cutOff],
    ["no answer", silence],
  ] as const) {
    it(`are in no form of the error after ${what}`, async () => {
      server.current.answer(failure, failure);
      const { client } = clientOf(server.current, { ...credentials, maxRetries: 0 });
      expectNoCredential(await failureOf(client.call("listKeys", place)));
      expectNoCredential(await failureOf(client.call("updateAlert", { id: "a" }, {})));
    });
  }

  it("are in no form of the error if nobody listens", async () => {
    const { url } = server.current;
    await server.current.close();
    const client = new Client(settingsFor(url, { ...credentials, maxRetries: 0 }), () => undefined);
    expectNoCredential(await failureOf(client.call("listKeys", place)));
    expectNoCredential(await failureOf(client.call("updateAlert", { id: "a" }, {})));
  });
});

describe("a redirect", () => {
  const server = useServer();
  const other = useServer();

  for (const [status, name] of [
    [301, "listKeys"],
    [302, "listKeys"],
    [307, "createKey"],
    [308, "updateAlert"],
  ] as [number, OperationName][]) {
    it(`with status ${status} to ${name} is not followed, and its target is sent nothing`, async () => {
      const target = `${other.current.url}/elsewhere`;
      server.current.answer({ status, headers: { Location: `${target}?token=of-the-server` } });
      other.current.alwaysAnswer({ body: { result: [], data: { id: "a" } } });
      const { client } = clientOf(server.current, { maxRetries: 4 });
      const error = await failureOfType(client.call(name, { ...place, id: "a" }, {}), ForeignRefusal);
      expect(error.message).to.match(
        new RegExp(
          `^redirected to ${target}, which is not followed; set the final address of the API .* answered ${status}\\)$`,
        ),
      );
      expect(other.current.connections).to.equal(0);
      expect(server.current.requests).to.have.length(1);
    });
  }

  it("to the same server is not followed either", async () => {
    server.current.answer({ status: 302, headers: { Location: "/login" } });
    const error = await failureOfType(
      clientOf(server.current).client.call("listKeys", place),
      ForeignRefusal,
    );
    expect(error.message).to.include("redirected to /login");
    expect(server.current.lines).to.deep.equal([`GET /v1/organizations/${organizationId}/keys`]);
  });
});
