import { expect } from "chai";
import { MalformedResponse, TimedOut } from "../../../provider/api/errors";
import { failureOfType } from "./failure";
import { type Answer, clientOf, enveloped, organizationId, place, useServer } from "./server";

const keys = `/v1/organizations/${organizationId}/keys`;
const setting = "check the setting baseUrl (PIPESTACK_BASE_URL)";
const noResult = `the answer is not the API's JSON with a member "result"; ${setting}`;
const isPage = `the answer is a web page, not the API's JSON; ${setting}: it must be the address of the API itself`;
const isOther = (what: string) => `the answer is not what the operation returns: ${what}`;
const unreadable = `the answer is too large or cannot be decoded`;

/** Malformed answers to a list request for API keys, and the reason in the expected error. */
const lists: { readonly [what: string]: readonly [Answer, reason: string] } = {
  "that is empty": [{ body: "" }, noResult],
  "with a page": [{ body: "<!doctype html><title>Welcome</title>" }, isPage],
  "in the other API's envelope": [{ body: { data: [] } }, noResult],
  "with an entry without an id": [enveloped([{ id: "a" }, {}]), isOther('result.1 has no member "id"')],
  "whose envelope has an error": [
    { body: { requestId: "5b1f", status: 200, error: "oops", result: [] } },
    noResult,
  ],
  "with status 204": [{ status: 204 }, noResult],
  "that cannot be decompressed": [
    { headers: { "Content-Encoding": "gzip" }, body: "not compressed at all" },
    unreadable,
  ],
};

describe("Malformed answers of the service", () => {
  const server = useServer();
  const callOf = (name: "listKeys" | "deleteKey") =>
    clientOf(server.current, { maxRetries: 4 }).client.call(name, { ...place, id: "k" });

  for (const [what, [answer, reason]] of Object.entries(lists))
    it(`the client refuses a malformed answer, names the operation and request, and does not repeat it: ${what}`, async () => {
      server.current.answer(answer);
      const { message } = await failureOfType(callOf("listKeys"), MalformedResponse);
      expect(message.startsWith(`${reason} (listKeys: GET ${keys}`), message).to.equal(true);
      expect(message).to.match(reason === unreadable ? /keys\)$/ : / answered 20\d(, request 5b1f)?\)$/);
      expect(server.current.requests).to.have.length(1);
    });

  it("the client refuses a malformed answer of the observability API", async () => {
    const { client } = clientOf(server.current, { observabilityVia: "observability" });
    server.current.answer({ body: { data: { threshold: 5 } } }, { body: { message: "done" } }, { body: {} });
    const error = await failureOfType(client.call("updateAlert", { id: "a1" }, {}), MalformedResponse);
    expect(error.message).to.equal(
      'the answer is not what the operation returns: data has no member "id" (updateAlert: PUT /api/v2/alerts/a1 answered 200)',
    );
    await failureOfType(client.call("deleteAlert", { id: "a" }), MalformedResponse);
    expect(await client.call("deleteAlert", { id: "a" })).to.equal(undefined);
  });
});

describe("Informational answers of the service", () => {
  const server = useServer();

  /** Makes an answer that writes the given lines to the connection and keeps it open. */
  const lines =
    (...all: string[]): Answer =>
    (_request, response) =>
      void response.socket?.write(`${all.join("\r\n")}\r\n\r\n`);

  for (const name of ["listKeys", "createKey"] as const)
    it(`an answer to ${name} that switches protocols is an error at once, without a retry`, async () => {
      server.current.alwaysAnswer(
        lines("HTTP/1.1 101 Switching Protocols", "Connection: upgrade", "Upgrade: elsewhere"),
      );
      const { client } = clientOf(server.current, { maxRetries: 4 });
      const { message } = await failureOfType(client.call(name, place, {}), MalformedResponse);
      const reason = `the answer switches to another protocol, which was not requested; ${setting} (${name}: `;
      expect(message.startsWith(reason) && message.endsWith(" answered 101)"), message).to.equal(true);
      expect(server.current.requests).to.have.length(1);
    });

  for (const status of ["100 Continue", "102 Processing", "103 Early Hints"])
    it(`the client skips an answer with status ${status}, and waits for the final answer`, async () => {
      const answer = '{"status":200,"requestId":"r","result":[]}';
      server.current.answer(
        lines(`HTTP/1.1 ${status}`, "", "HTTP/1.1 200 OK", `Content-Length: ${answer.length}`, "", answer),
        lines(`HTTP/1.1 ${status}`),
      );
      const { client } = clientOf(server.current, { timeoutSeconds: 1, maxRetries: 0 });
      expect(await client.call("listKeys", place)).to.deep.equal([]);
      await failureOfType(client.call("listKeys", place), TimedOut);
    });
});
