import { expect } from "chai";
import { MalformedResponse } from "../../../provider/api/errors";
import { failureOfType } from "./failure";
import { clientOf, enveloped, organizationId, place, useServer } from "./server";

describe("a malformed answer", () => {
  const server = useServer();
  const listKeys = () => clientOf(server.current).client.call("listKeys", place);
  const keysPath = `GET /v1/organizations/${organizationId}/keys`;

  const noResult =
    'the answer is not the API\'s JSON with a member "result"; check the setting baseUrl (PIPESTACK_BASE_URL)';
  const isPage =
    "the answer is a web page, not the API's JSON; check the setting baseUrl (PIPESTACK_BASE_URL): it must be the address of the API itself";
  const isOther = (what: string) => `the answer is not what the operation returns: ${what}`;
  const cases: [string, Parameters<typeof server.current.answer>[0], string][] = [
    ["an empty one", { body: "" }, noResult],
    ["a page", { body: "<!doctype html><title>Welcome</title>" }, isPage],
    ["the other API's wrapping", { body: { data: [] } }, noResult],
    ["a bare list", { body: [] }, noResult],
    ["an object in place of a list", enveloped({ keys: [] }), isOther("result must be array")],
    [
      "an entry without an id",
      enveloped([{ id: "a" }, {}]),
      isOther("result.1 must have required property 'id'"),
    ],
    ["an id that is a number", enveloped([{ id: 7 }]), isOther("result.0.id must be string")],
  ];
  for (const [what, answer, reason] of cases) {
    it(`is refused with the place, the operation and the request: ${what}`, async () => {
      server.current.answer(answer);
      const { message } = await failureOfType(listKeys(), MalformedResponse);
      const request = reason.startsWith(isOther("")) ? ", request 5b1f" : "";
      expect(message).to.equal(`${reason} (listKeys: ${keysPath} answered 200${request})`);
      expect(server.current.requests).to.have.length(1);
    });
  }

  it("is refused on the observability API, too", async () => {
    server.current.answer({ body: { data: { threshold: 5 } } });
    const error = await failureOfType(
      clientOf(server.current).client.call("updateAlert", { id: "a1" }, {}),
      MalformedResponse,
    );
    expect(error.message).to.equal(
      "the answer is not what the operation returns: data must have required property 'id' (updateAlert: PUT /api/v2/alerts/a1 answered 200)",
    );
  });

  for (const body of [
    "",
    "OK",
    '{"message":"done"}',
    "<html><body>One page for every path</body></html>",
    "[]",
    "null",
    "{}",
    '{"status":"UP"}',
    '{"status":200}',
    '{"status":500,"requestId":"5b1f"}',
    '{"status":200,"requestId":"5b1f","error":"INTERNAL: oops"}',
    '{"status":200,"requestId":"5b1f","result":null}',
  ]) {
    it(`is no receipt of a deletion: ${JSON.stringify(body)}`, async () => {
      server.current.answer({ body });
      const error = await failureOfType(
        clientOf(server.current).client.call("deleteKey", { ...place, id: "k" }),
        MalformedResponse,
      );
      expect(error.message).to.match(
        /^the answer is not the API's receipt; check the setting baseUrl \(PIPESTACK_BASE_URL\) \(deleteKey: DELETE .* answered 200(, request 5b1f)?\)$/,
      );
    });
  }

  for (const status of [202, 204, 206]) {
    it(`is neither a receipt nor an answer with status ${status}`, async () => {
      const { client } = clientOf(server.current);
      const body = status === 204 ? "" : { status: 200, requestId: "5b1f" };
      server.current.answer({ status, body }, { status, body: { ...Object(body), result: [] } });
      await failureOfType(client.call("deleteKey", { ...place, id: "k" }), MalformedResponse);
      await failureOfType(client.call("listKeys", place), MalformedResponse);
    });
  }

  it("is no receipt of a deletion on the observability API with any member", async () => {
    server.current.answer({ body: { message: "done" } }, { body: {} });
    const { client } = clientOf(server.current, { observabilityVia: "observability" });
    await failureOfType(client.call("deleteAlert", { id: "a" }), MalformedResponse);
    await client.call("deleteAlert", { id: "a" });
  });

  it("is refused if its envelope tells of an error", async () => {
    const { client } = clientOf(server.current);
    for (const odd of [{ status: 500 }, { status: 200, error: "INTERNAL: oops" }]) {
      server.current.answer({ body: { requestId: "5b1f", ...odd, result: [] } });
      await failureOfType(client.call("listKeys", place), MalformedResponse);
    }
  });

  it("does not fill prototypes by a member __proto__", async () => {
    server.current.answer({
      body: '{"status":200,"requestId":"r","__proto__":{"polluted":1},"result":[{"id":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]}',
    });
    const [key] = await listKeys();
    expect(Object.keys(key ?? {})).to.deep.equal(["id", "constructor"]);
    expect(key?.polluted).to.equal(undefined);
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  });

  it("is refused if it is too large, and not asked for again", async () => {
    server.current.answer((_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      let left = 66;
      const send = (): void => {
        while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", send);
        response.end("{}");
      };
      send();
    });
    const { message } = await failureOfType(listKeys(), MalformedResponse);
    expect(message).to.equal(`the answer is too large or cannot be decoded (listKeys: ${keysPath})`);
    expect(server.current.requests).to.have.length(1);
  });

  it("is refused if it cannot be decompressed, and not asked for again", async () => {
    server.current.answer({ headers: { "Content-Encoding": "gzip" }, body: "not compressed at all" });
    const { message } = await failureOfType(listKeys(), MalformedResponse);
    expect(message).to.equal(`the answer is too large or cannot be decoded (listKeys: ${keysPath})`);
    expect(server.current.requests).to.have.length(1);
  });
});
