import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { failureOf } from "./failure";
import { clientOf, enveloped, organizationId, place, useServer } from "./server";

describe("The API client", () => {
  const server = useServer();
  const listKeys = (changed = {}) => clientOf(server.current, changed).client.call("listKeys", place);

  it("each request names the provider and its version, and the formats that the client reads", async () => {
    server.current.answer(enveloped([]));
    await listKeys();
    const { headers } = server.current.onlyRequest;
    expect(headers["user-agent"]).to.match(/^pipestack\/\d+\.\d+\.\d+ \(node \d+\.\d+\.\d+\)$/);
    expect(headers.accept).to.equal("application/json");
  });

  it("the client refuses a call that lacks a parameter of its path", async () => {
    const { message } = await failureOf(clientOf(server.current).client.call("getKey", { organizationId }));
    expect(message).to.equal("getKey needs the path parameter id");
    expect(server.current.requests).to.deep.equal([]);
  });

  it("the client uses one connection for consecutive calls", async () => {
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
    it(`the client reads an answer in the encoding ${encoding}, and offers to accept it`, async () => {
      const body = { status: 200, requestId: "5b1f", result: [{ id: "ä" }] };
      server.current.answer({
        headers: { "Content-Encoding": encoding, "Content-Type": "application/json" },
        body: compressed(JSON.stringify(body)),
      });
      expect(await listKeys()).to.deep.equal([{ id: "ä" }]);
      expect(server.current.requests[0]?.headers["accept-encoding"]).to.include(encoding);
    });

  it("the client calls paths below the path of the setting baseUrl", async () => {
    for (const address of [`${server.current.url}/behind`, `${server.current.url}/behind/`]) {
      server.current.answer(enveloped([]));
      await listKeys({ baseUrl: address });
      const { path } = server.current.requests.at(-1) ?? {};
      expect(path).to.equal(`/behind/v1/organizations/${organizationId}/keys`);
    }
  });
});
