import { expect } from "chai";
import { MalformedResponse } from "../../../provider/api/errors";
import { failureOfType } from "./failure";
import { clientOf, enveloped, organizationId, place, useServer } from "./server";

describe("a successful answer that is not what the operation returns", () => {
  const server = useServer();
  const keysPath = `GET /v1/organizations/${organizationId}/keys`;

  const cases: [string, Parameters<typeof server.current.answer>[0], string][] = [
    [
      "an empty one",
      { body: "" },
      `the answer is not the API's JSON with a member "result"; check the setting baseUrl (PIPESTACK_BASE_URL) (listKeys: ${keysPath} answered 200)`,
    ],
    [
      "a page",
      { body: "<!doctype html><title>Welcome</title>" },
      `the answer is a web page, not the API's JSON; check the setting baseUrl (PIPESTACK_BASE_URL): it must be the address of the API itself (listKeys: ${keysPath} answered 200)`,
    ],
    [
      "the other API's wrapping",
      { body: { data: [] } },
      `the answer is not the API's JSON with a member "result"; check the setting baseUrl (PIPESTACK_BASE_URL) (listKeys: ${keysPath} answered 200)`,
    ],
    [
      "a bare list",
      { body: [] },
      `the answer is not the API's JSON with a member "result"; check the setting baseUrl (PIPESTACK_BASE_URL) (listKeys: ${keysPath} answered 200)`,
    ],
    [
      "an object instead of a list",
      enveloped({ keys: [] }),
      `the answer is not what the operation returns: result must be array (listKeys: ${keysPath} answered 200, request 5b1f)`,
    ],
    [
      "an entry without an id",
      enveloped([{ id: "a" }, { name: "b" }]),
      `the answer is not what the operation returns: result.1 must have required property 'id' (listKeys: ${keysPath} answered 200, request 5b1f)`,
    ],
    [
      "an id that is a number",
      enveloped([{ id: 7 }]),
      `the answer is not what the operation returns: result.0.id must be string (listKeys: ${keysPath} answered 200, request 5b1f)`,
    ],
  ];
  for (const [what, answer, message] of cases) {
    it(`names the operation, the request and the place: ${what}`, async () => {
      server.current.answer(answer);
      const error = await failureOfType(
        clientOf(server.current).client.call("listKeys", place),
        MalformedResponse,
      );
      expect(error.message).to.equal(message);
      expect(server.current.requests).to.have.length(1);
    });
  }

  it("is also seen in the observability API", async () => {
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
    it(`does not pass for a deletion: ${JSON.stringify(body)}`, async () => {
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
    it(`does not pass for a deletion with status ${status}, nor for an answer`, async () => {
      const { client } = clientOf(server.current);
      const body = status === 204 ? "" : { status: 200, requestId: "5b1f" };
      server.current.answer({ status, body }, { status, body: { ...Object(body), result: [] } });
      await failureOfType(client.call("deleteKey", { ...place, id: "k" }), MalformedResponse);
      await failureOfType(client.call("listKeys", place), MalformedResponse);
    });
  }

  it("does not pass for a deletion on the observability API with any member", async () => {
    server.current.answer({ body: { message: "done" } }, { body: {} });
    const { client } = clientOf(server.current, { observabilityVia: "observability" });
    await failureOfType(client.call("deleteAlert", { id: "a" }), MalformedResponse);
    await client.call("deleteAlert", { id: "a" });
  });

  it("is no answer where its envelope tells of an error", async () => {
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
    const [key] = await clientOf(server.current).client.call("listKeys", place);
    expect(Object.keys(key ?? {})).to.deep.equal(["id", "constructor"]);
    expect(key?.polluted).to.equal(undefined);
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  });

  it("is refused where it is too large, and not asked for again", async () => {
    server.current.answer((_request, response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      let left = 66;
      const send = (): void => {
        while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", send);
        response.end("{}");
      };
      send();
    });
    const error = await failureOfType(
      clientOf(server.current).client.call("listKeys", place),
      MalformedResponse,
    );
    expect(error.message).to.equal(`the answer is too large or cannot be decoded (listKeys: ${keysPath})`);
    expect(server.current.requests).to.have.length(1);
  });

  it("is refused where it cannot be decompressed, and not asked for again", async () => {
    server.current.answer({ headers: { "Content-Encoding": "gzip" }, body: "not compressed at all" });
    const error = await failureOfType(
      clientOf(server.current).client.call("listKeys", place),
      MalformedResponse,
    );
    expect(error.message).to.equal(`the answer is too large or cannot be decoded (listKeys: ${keysPath})`);
    expect(server.current.requests).to.have.length(1);
  });
});
