import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { RefusedRequest } from "../../../provider/api/errors";
import { type OperationName, operations } from "../../../provider/api/operations";
import { failureOf, failureOfType } from "./failure";
import { clientOf, enveloped, organizationId, place, refused, useServer } from "./server";

describe("The client", () => {
  const server = useServer();
  const listKeys = (changed = {}) => clientOf(server.current, changed).client.call("listKeys", place);

  const signatures = {
    // printf 'signingKey:4b1dSecret' | base64
    management: "Basic c2lnbmluZ0tleTo0YjFkU2VjcmV0",
    observability: "Bearer token-77",
  };
  for (const name of Object.keys(operations) as OperationName[]) {
    const { api, method } = operations[name];
    const isManagement = api === "management";
    it(`sends ${name} as a ${method} to the ${api} API, signed, with all parameters of its path`, async () => {
      server.current.answer(isManagement ? refused(400, "no") : { status: 400, body: { message: "no" } });
      const parameters = { ...place, id: "x1", pipeId: "p1" };
      await failureOfType(clientOf(server.current).client.call(name, parameters), RefusedRequest);
      const request = server.current.onlyRequest;
      expect(request.method).to.equal(method);
      expect(request.path).to.match(isManagement ? /^\/v1\// : /^\/api\/v2\//);
      expect(request.path).not.to.match(/[{}]|%7B/);
      expect(request.headers.authorization).to.equal(signatures[api]);
    });
  }

  it("each request names the provider and the form of answers that the client reads", async () => {
    server.current.answer(enveloped([]));
    await listKeys();
    const { headers } = server.current.onlyRequest;
    expect(headers["user-agent"]).to.match(/^pipestack\/\d+\.\d+\.\d+ \(node \d+\.\d+\.\d+\)$/);
    expect(headers.accept).to.equal("application/json");
  });

  it("sends a body as JSON, or no body", async () => {
    server.current.answer(enveloped({ key: { id: "k" } }), enveloped([]));
    await clientOf(server.current).client.call("createKey", place, { name: "reporting", roles: ["admin"] });
    await listKeys();
    const [create, list] = server.current.requests;
    expect(create?.body).to.deep.equal({ name: "reporting", roles: ["admin"] });
    expect(create?.headers["content-type"]).to.match(/^application\/json/);
    expect(list).not.to.have.property("body");
    expect(list?.headers).not.to.have.property("content-type");
  });

  it("refuses a call without a parameter of its path", async () => {
    const { message } = await failureOf(clientOf(server.current).client.call("getKey", { organizationId }));
    expect(message).to.equal("getKey needs the path parameter id");
    expect(server.current.requests).to.deep.equal([]);
  });

  it("uses one connection for consecutive calls", async () => {
    server.current.alwaysAnswer(enveloped([]));
    const { client } = clientOf(server.current);
    for (let count = 0; count < 5; count++) await client.call("listKeys", place);
    expect(server.current.requests).to.have.length(5);
    expect(server.current.connections).to.equal(1);
  });

  for (const [encoding, compressed] of [
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)
    it(`reads an answer in the encoding ${encoding}, and offers to accept it`, async () => {
      const body = { status: 200, requestId: "5b1f", result: [{ id: "ä" }] };
      server.current.answer({
        headers: { "Content-Encoding": encoding, "Content-Type": "application/json" },
        body: compressed(JSON.stringify(body)),
      });
      expect(await listKeys()).to.deep.equal([{ id: "ä" }]);
      expect(server.current.requests[0]?.headers["accept-encoding"]).to.include(encoding);
    });

  it("calls paths below the path of the API's address", async () => {
    for (const address of [`${server.current.url}/behind`, `${server.current.url}/behind/`]) {
      server.current.answer(enveloped([]));
      await listKeys({ baseUrl: address });
      const { path } = server.current.requests.at(-1) ?? {};
      expect(path).to.equal(`/behind/v1/organizations/${organizationId}/keys`);
    }
  });
});
