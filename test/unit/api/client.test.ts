import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect } from "chai";
import { RefusedRequest } from "../../../provider/api/errors";
import { type OperationName, operations } from "../../../provider/api/operations";
import { failureOf, failureOfType } from "./failure";
import { clientOf, enveloped, organizationId, place, refused, serviceId, useServer } from "./server";

const alert = { id: "a1", threshold: 5 };

describe("a call", () => {
  const server = useServer();

  it("signs requests to the management API with the key", async () => {
    server.current.answer(enveloped([]));
    await clientOf(server.current).client.call("listKeys", place);
    // printf 'signingKey:4b1dSecret' | base64
    expect(server.current.onlyRequest.headers.authorization).to.equal("Basic c2lnbmluZ0tleTo0YjFkU2VjcmV0");
  });

  it("signs requests to the observability API with the token", async () => {
    server.current.answer({ body: { data: alert } });
    await clientOf(server.current).client.call("updateAlert", { id: "a1" }, { threshold: 5 });
    expect(server.current.onlyRequest.headers.authorization).to.equal("Bearer token-77");
  });

  it("names the provider and the form of answers that it reads", async () => {
    server.current.answer(enveloped([]));
    await clientOf(server.current).client.call("listKeys", place);
    const { headers } = server.current.onlyRequest;
    expect(headers["user-agent"]).to.match(/^pipestack\/\d+\.\d+\.\d+ \(node \d+\.\d+\.\d+\)$/);
    expect(headers.accept).to.equal("application/json");
  });

  it("sends a body as JSON, or no body", async () => {
    server.current.answer(enveloped({ key: { id: "k" } }), enveloped([]));
    const { client } = clientOf(server.current);
    await client.call("createKey", place, { name: "reporting", roles: ["admin"] });
    await client.call("listKeys", place);
    const [create, list] = server.current.requests;
    expect(create?.body).to.deep.equal({ name: "reporting", roles: ["admin"] });
    expect(create?.headers["content-type"]).to.match(/^application\/json/);
    expect(list).not.to.have.property("body");
    expect(list?.headers).not.to.have.property("content-type");
  });

  it("takes the result out of the management API's envelope, with all that is in it", async () => {
    const service = { id: serviceId, numReplicas: 3, added: { later: true } };
    server.current.answer(enveloped(service));
    expect(await clientOf(server.current).client.call("getService", place)).to.deep.equal(service);
  });

  it("takes the data out of the observability API's answer", async () => {
    server.current.answer({ body: { data: alert } });
    expect(await clientOf(server.current).client.call("updateAlert", { id: "a1" }, {})).to.deep.equal(alert);
  });

  it("returns nothing for a deletion", async () => {
    server.current.answer(enveloped());
    const { client } = clientOf(server.current);
    expect(await client.call("deleteKey", { ...place, id: "k" })).to.equal(undefined);
  });

  it("is refused without a parameter of its path", async () => {
    const error = await failureOf(clientOf(server.current).client.call("getKey", { organizationId }));
    expect(error.message).to.equal("getKey needs the path parameter id");
    expect(server.current.requests).to.deep.equal([]);
  });

  it("uses one connection for calls that come one after the other", async () => {
    server.current.alwaysAnswer(enveloped([]));
    const { client } = clientOf(server.current);
    for (let count = 0; count < 5; count++) await client.call("listKeys", place);
    expect(server.current.requests).to.have.length(5);
    expect(server.current.connections).to.equal(1);
  });

  for (const [encoding, compressed] of [
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const) {
    it(`reads an answer in the encoding ${encoding}, and offers to`, async () => {
      const body = { status: 200, requestId: "5b1f", result: [{ id: "ä" }] };
      server.current.answer({
        headers: { "Content-Encoding": encoding, "Content-Type": "application/json" },
        body: compressed(JSON.stringify(body)),
      });
      expect(await clientOf(server.current).client.call("listKeys", place)).to.deep.equal([{ id: "ä" }]);
      expect(server.current.requests[0]?.headers["accept-encoding"]).to.include(encoding);
    });
  }

  it("goes below the path of the API's address", async () => {
    for (const address of [`${server.current.url}/behind`, `${server.current.url}/behind/`]) {
      server.current.answer(enveloped([]));
      await clientOf(server.current, { baseUrl: address }).client.call("listKeys", place);
      expect(server.current.requests.at(-1)?.path).to.equal(
        `/behind/v1/organizations/${organizationId}/keys`,
      );
    }
  });

  it("does not go through the proxy of the environment to this machine", async () => {
    const variables = ["http_proxy", "https_proxy"];
    const before = variables.map((name) => [name, process.env[name]] as const);
    for (const name of variables) process.env[name] = "http://127.0.0.1:9";
    try {
      server.current.answer(enveloped([]));
      await clientOf(server.current).client.call("listKeys", place);
      expect(server.current.requests).to.have.length(1);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});

describe("the client", () => {
  const server = useServer();
  const parameters = { ...place, id: "x1", pipeId: "p1" };

  for (const name of Object.keys(operations) as OperationName[]) {
    const { api, method } = operations[name];
    const isManagement = api === "management";
    it(`sends ${name} as a ${method} to the ${api} API, with all parameters of its path filled in`, async () => {
      server.current.answer(isManagement ? refused(400, "no") : { status: 400, body: { message: "no" } });
      await failureOfType(clientOf(server.current).client.call(name, parameters), RefusedRequest);
      const request = server.current.onlyRequest;
      expect(request.method).to.equal(method);
      expect(request.path).to.match(isManagement ? /^\/v1\// : /^\/api\/v2\//);
      expect(request.path).not.to.match(/[{}]|%7B/);
      expect(request.headers.authorization).to.match(isManagement ? /^Basic / : /^Bearer /);
    });
  }
});
