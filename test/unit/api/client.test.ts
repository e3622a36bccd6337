import { expect } from "chai";
import {
  InvalidIdentifier,
  MalformedResponse,
  MissingObject,
  RefusedRequest,
  SettingsError,
} from "../../../provider/api/errors";
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

  it("says who it is and what it understands", async () => {
    server.current.answer(enveloped([]));
    await clientOf(server.current).client.call("listKeys", place);
    const { headers } = server.current.onlyRequest;
    expect(headers["user-agent"]).to.match(/^pipestack\/\d+\.\d+\.\d+ \(node \d+\.\d+\.\d+\)$/);
    expect(headers.accept).to.equal("application/json");
  });

  it("sends the body as JSON, and none where there is none", async () => {
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
    server.current.answer(enveloped(), { status: 204 });
    const { client } = clientOf(server.current);
    expect(await client.call("deleteKey", { ...place, id: "k" })).to.equal(undefined);
    expect(await client.call("deleteKey", { ...place, id: "k" })).to.equal(undefined);
  });

  it("fills in and encodes the parameters of the path", async () => {
    server.current.answer(enveloped({ id: "x" }));
    await clientOf(server.current).client.call("getAlert", { ...place, id: "a/b?c#d%e ü" });
    expect(server.current.lines).to.deep.equal([
      `GET /v1/organizations/${organizationId}/services/${serviceId}/stack/alerts/a%2Fb%3Fc%23d%25e%20%C3%BC`,
    ]);
  });

  it("keeps the path of the API's address", async () => {
    server.current.answer(enveloped([]));
    const { client } = clientOf(server.current, { baseUrl: `${server.current.url}/gateway/warehouse` });
    await client.call("listKeys", place);
    expect(server.current.lines).to.deep.equal([
      `GET /gateway/warehouse/v1/organizations/${organizationId}/keys`,
    ]);
  });

  for (const id of [".", ".."]) {
    it(`refuses the id "${id}", which would lead to another path`, async () => {
      const error = await failureOf(clientOf(server.current).client.call("deleteAlert", { ...place, id }));
      expect(error.message).to.equal(`deleteAlert: id cannot be "${id}"`);
      expect(server.current.requests).to.deep.equal([]);
    });
  }

  it("is not made without a parameter of its path", async () => {
    const error = await failureOf(clientOf(server.current).client.call("getKey", { organizationId }));
    expect(error.message).to.equal("getKey needs the path parameter id");
    expect(server.current.requests).to.deep.equal([]);
  });

  for (const [name, setting] of [
    ["listKeys", "keyId"],
    ["listKeys", "keySecret"],
    ["listKeys", "baseUrl"],
    ["updateAlert", "accessToken"],
    ["updateAlert", "obsBaseUrl"],
  ] as const) {
    it(`of ${name} says how to set ${setting} where it is missing, and sends nothing`, async () => {
      const { client } = clientOf(server.current, { stackApi: "both", [setting]: undefined });
      const error = await failureOfType(client.call(name, { ...place, id: "a" }), SettingsError);
      expect(error.message).to.match(
        new RegExp(
          `^setting ${setting} is missing; set it with "pulumi config set .*pipestack:${setting} <value>"`,
        ),
      );
      expect(server.current.requests).to.deep.equal([]);
    });
  }

  it("uses one connection for calls that come one after the other", async () => {
    server.current.alwaysAnswer(enveloped([]));
    const { client } = clientOf(server.current);
    for (let count = 0; count < 5; count++) await client.call("listKeys", place);
    expect(server.current.requests).to.have.length(5);
    expect(server.current.connections).to.equal(1);
  });

  it("to this machine does not go through the proxy of the environment", async () => {
    const before = process.env.http_proxy;
    process.env.http_proxy = "http://127.0.0.1:9";
    try {
      server.current.answer(enveloped([]));
      await clientOf(server.current).client.call("listKeys", place);
      expect(server.current.requests).to.have.length(1);
    } finally {
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
    }
  });
});

describe("every operation", () => {
  const server = useServer();
  const parameters = { ...place, id: "x1", pipeId: "p1" };

  for (const name of Object.keys(operations) as OperationName[]) {
    const { api, method } = operations[name];
    it(`${name} is a ${method} to the ${api} API with all its parameters filled in`, async () => {
      server.current.answer(refused(400, "BAD_REQUEST: no"));
      await failureOfType(clientOf(server.current).client.call(name, parameters), RefusedRequest);
      const request = server.current.onlyRequest;
      expect(request.method).to.equal(method);
      expect(request.path).to.match(api === "management" ? /^\/v1\// : /^\/api\/v2\//);
      expect(request.path).not.to.match(/[{}]|%7B/);
      expect(request.headers.authorization).to.match(api === "management" ? /^Basic / : /^Bearer /);
    });
  }
});

describe("a successful answer that is not what the operation returns", () => {
  const server = useServer();
  const keysPath = `GET /v1/organizations/${organizationId}/keys`;

  const cases: [string, Parameters<typeof server.current.answer>[0], string][] = [
    [
      "an empty one",
      { body: "" },
      `listKeys (${keysPath} answered 200): the answer is not the API's JSON with a member "result"`,
    ],
    [
      "a page",
      { body: "<!doctype html><title>Welcome</title>" },
      `listKeys (${keysPath} answered 200): the answer is not the API's JSON with a member "result"`,
    ],
    [
      "the other API's wrapping",
      { body: { data: [] } },
      `listKeys (${keysPath} answered 200): the answer is not the API's JSON with a member "result"`,
    ],
    [
      "a bare list",
      { body: [] },
      `listKeys (${keysPath} answered 200): the answer is not the API's JSON with a member "result"`,
    ],
    [
      "an object instead of a list",
      enveloped({ keys: [] }),
      `listKeys (${keysPath} answered 200, request 5b1f): the answer is not what the operation returns: result must be array`,
    ],
    [
      "an entry without an id",
      enveloped([{ id: "a" }, { name: "b" }]),
      `listKeys (${keysPath} answered 200, request 5b1f): the answer is not what the operation returns: result.1 must have required property 'id'`,
    ],
    [
      "an id that is a number",
      enveloped([{ id: 7 }]),
      `listKeys (${keysPath} answered 200, request 5b1f): the answer is not what the operation returns: result.0.id must be string`,
    ],
  ];
  for (const [what, answer, message] of cases) {
    it(`names the operation, the request and the place: ${what}`, async () => {
      server.current.answer(answer);
      const error = await failureOfType(
        clientOf(server.current).client.call("listKeys", place),
        MalformedResponse,
      );
      expect(error.message.startsWith(message), error.message).to.equal(true);
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
      "updateAlert (PUT /api/v2/alerts/a1 answered 200): the answer is not what the operation returns: data must have required property 'id'",
    );
  });

  for (const body of [
    "",
    "OK",
    '{"message":"done"}',
    "<html><body>One page for every path</body></html>",
    "[]",
    "null",
  ]) {
    it(`does not pass for a deletion: ${JSON.stringify(body)}`, async () => {
      server.current.answer({ body });
      const error = await failureOfType(
        clientOf(server.current).client.call("deleteKey", { ...place, id: "k" }),
        MalformedResponse,
      );
      expect(error.message).to.match(
        /^deleteKey \(DELETE .* answered 200\): the answer is not the API's JSON/,
      );
    });
  }

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
    expect(error.message).to.equal(`listKeys (${keysPath}): the answer is too large or cannot be decoded`);
    expect(server.current.requests).to.have.length(1);
  });

  it("is refused where it cannot be decompressed, and not asked for again", async () => {
    server.current.answer({ headers: { "Content-Encoding": "gzip" }, body: "not compressed at all" });
    const error = await failureOfType(
      clientOf(server.current).client.call("listKeys", place),
      MalformedResponse,
    );
    expect(error.message).to.equal(`listKeys (${keysPath}): the answer is too large or cannot be decoded`);
    expect(server.current.requests).to.have.length(1);
  });
});

describe("a refusal", () => {
  const server = useServer();

  async function refusalOf(name: OperationName, answer: Parameters<typeof server.current.answer>[0]) {
    server.current.answer(answer);
    const { client } = clientOf(server.current, { maxRetries: 0 });
    return failureOf(client.call(name, { ...place, id: "x1" }, {}));
  }

  it("holds what a reader of the service's logs needs", async () => {
    const error = await refusalOf("createAlert", refused(400, "BAD_REQUEST: threshold must be a number"));
    expect(error).to.be.instanceOf(RefusedRequest);
    expect((error as RefusedRequest).site).to.deep.equal({
      operation: "createAlert",
      method: "POST",
      path: `/v1/organizations/${organizationId}/services/${serviceId}/stack/alerts`,
      status: 400,
      requestId: "5b1f",
    });
    expect(error.message).to.equal(
      `createAlert (POST /v1/organizations/${organizationId}/services/${serviceId}/stack/alerts answered 400, request 5b1f): BAD_REQUEST: threshold must be a number`,
    );
  });

  it("takes the request's id from a header where the body has none", async () => {
    const error = await refusalOf("updateAlert", {
      status: 400,
      headers: { "X-Request-Id": "gate-17" },
      body: { message: "no" },
    });
    expect(error.message).to.equal("updateAlert (PUT /api/v2/alerts/x1 answered 400, request gate-17): no");
  });

  it("leaves out an id that is not one", async () => {
    const error = await refusalOf("updateAlert", {
      status: 400,
      headers: { "X-Request-Id": "see https://evil.example\tnow" },
      body: { message: "no" },
    });
    expect(error.message).to.equal("updateAlert (PUT /api/v2/alerts/x1 answered 400): no");
  });

  const sentences: [string, unknown, string][] = [
    ["{error}", { error: "tiles must be an array" }, "tiles must be an array"],
    ["{message}", { message: "Invalid webhook" }, "Invalid webhook"],
    ["{error: {message}}", { error: { code: 7, message: "nested" } }, "nested"],
    ["{errors: [{message}]}", { errors: [{ message: "first" }, { message: "second" }] }, "first; second"],
    ["{title, detail}", { title: "Bad", detail: "x is wrong" }, "x is wrong"],
    ["text", "Bad Request", "Bad Request"],
    ["text in several lines", "Bad\r\n\tRequest\u0000\u001b[31m!", "Bad Request [31m!"],
    [
      "a page",
      "<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head><body><h1>400</h1>\n<p>Bad&nbsp;gateway</p></body></html>",
      "400 Bad gateway",
    ],
    ["nothing", "", "the server gave no reason"],
    ["an object without a sentence", { code: 4 }, "the server gave no reason"],
    ["JSON null", "null", "the server gave no reason"],
    ["a long text", "x".repeat(400), `${"x".repeat(300)}…`],
  ];
  for (const [shape, body, sentence] of sentences) {
    it(`repeats the server's sentence from ${shape}`, async () => {
      const error = await refusalOf("updateDashboard", { status: 422, body });
      expect(error).to.be.instanceOf(RefusedRequest);
      expect(error.message).to.equal(`updateDashboard (PUT /api/v2/dashboards/x1 answered 422): ${sentence}`);
    });
  }

  const own = (status: number, error = "NOT_FOUND: alert not found") => refused(status, error);
  const page = "<!DOCTYPE html><html><body><pre>Cannot GET /v1/x</pre></body></html>";
  const classes: [string, OperationName, Parameters<typeof server.current.answer>[0], string, string?][] = [
    ["404 in the management API's envelope", "getAlert", own(404), "MissingObject"],
    [
      "404 with a page",
      "getAlert",
      { status: 404, body: page },
      "MissingRoute",
      "Cannot GET /v1/x (this is not",
    ],
    ["404 with text", "getAlert", { status: 404, body: "Not Found" }, "MissingRoute"],
    ["404 without a body", "getAlert", { status: 404 }, "MissingRoute"],
    [
      "404 of a gateway in JSON",
      "getAlert",
      { status: 404, body: { message: "no Route matched" } },
      "MissingRoute",
    ],
    [
      "404 of a framework in JSON that has a status and an error",
      "getAlert",
      { status: 404, body: { timestamp: 1, status: 404, error: "Not Found", path: "/v1/x" } },
      "MissingRoute",
    ],
    ["404 with a list", "getAlert", { status: 404, body: ["error"] }, "MissingRoute"],
    [
      "404 {message} of the observability API",
      "updateAlert",
      { status: 404, body: { message: "no alert" } },
      "MissingObject",
    ],
    [
      "404 {error} of the observability API",
      "updateAlert",
      { status: 404, body: { error: "no alert" } },
      "MissingObject",
    ],
    ["404 text of the observability API", "updateAlert", { status: 404, body: "Not Found" }, "MissingRoute"],
    ["404 page of the observability API", "updateAlert", { status: 404, body: page }, "MissingRoute"],
    ["404 {} of the observability API", "updateAlert", { status: 404, body: {} }, "MissingRoute"],
    ["405", "updateAlert", { status: 405, body: { message: "Method Not Allowed" } }, "MissingRoute"],
    ["400 about the id", "getAlert", own(400, "BAD_REQUEST: Invalid alert id"), "InvalidIdentifier"],
    ["400 about something else", "getAlert", own(400, "BAD_REQUEST: invalid idle timeout"), "RefusedRequest"],
    [
      "401 of the management API",
      "getAlert",
      own(401, "UNAUTHORIZED: unknown key"),
      "RefusedRequest",
      "unknown key; check the settings keyId and keySecret",
    ],
    [
      "401 of the observability API",
      "updateAlert",
      { status: 401, body: "Unauthorized" },
      "RefusedRequest",
      "Unauthorized; check the setting accessToken",
    ],
    ["403", "getAlert", own(403, "FORBIDDEN: no"), "RefusedRequest", "the credentials may not do this"],
    ["409", "getAlert", own(409, "CONFLICT: busy"), "RefusedRequest"],
    ["429", "getAlert", own(429, "TOO_MANY_REQUESTS: slow down"), "RefusedRequest", "slow down"],
    ["500", "getAlert", own(500, "INTERNAL: oops"), "FailedService", "oops"],
    ["502 with a page", "updateAlert", { status: 502, body: page }, "FailedService"],
    ["503 without a body", "updateAlert", { status: 503 }, "FailedService", "the server gave no reason"],
    ["304", "getAlert", { status: 304 }, "RefusedRequest", "redirected to another address"],
  ];
  for (const [what, name, answer, type, message = ""] of classes) {
    it(`of status ${what}: ${type}`, async () => {
      const error = await refusalOf(name, answer);
      expect(error.constructor.name, error.message).to.equal(type);
      expect(error.name).to.equal(type);
      expect(error.message).to.include(message);
    });
  }

  it("is told apart without looking at its text", () => {
    const site = { operation: "o", method: "GET", path: "/" };
    expect(new InvalidIdentifier(site, "x")).to.be.instanceOf(RefusedRequest);
    expect(new MissingObject(site, "x")).not.to.be.instanceOf(RefusedRequest);
  });
});
