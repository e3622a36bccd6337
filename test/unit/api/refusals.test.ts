import { expect } from "chai";
import * as errors from "../../../provider/api/errors";
import {
  ForeignRefusal,
  InvalidIdentifier,
  MissingObject,
  RefusedRequest,
} from "../../../provider/api/errors";
import type { OperationName } from "../../../provider/api/operations";
import { failureOf } from "./failure";
import { clientOf, organizationId, place, refused, serviceId, useServer } from "./server";

describe("a refusal", () => {
  const server = useServer();

  async function refusalOf(
    name: OperationName,
    answer: Parameters<typeof server.current.answer>[0],
    changed: Parameters<typeof clientOf>[1] = {},
  ) {
    server.current.answer(answer);
    const { client } = clientOf(server.current, { maxRetries: 0, ...changed });
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
      `BAD_REQUEST: threshold must be a number (createAlert: POST /v1/organizations/${organizationId}/services/${serviceId}/stack/alerts answered 400, request 5b1f)`,
    );
  });

  it("takes the request's id from a header where the body has none", async () => {
    const error = await refusalOf("updateAlert", {
      status: 400,
      headers: { "X-Request-Id": "gate-17" },
      body: { message: "no" },
    });
    expect(error.message).to.equal("no (updateAlert: PUT /api/v2/alerts/x1 answered 400, request gate-17)");
  });

  it("leaves out an id that is not one", async () => {
    const error = await refusalOf("updateAlert", {
      status: 400,
      headers: { "X-Request-Id": "see https://evil.example\tnow" },
      body: { message: "no" },
    });
    expect(error.message).to.equal("no (updateAlert: PUT /api/v2/alerts/x1 answered 400)");
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
      expect(error).to.be.instanceOf(ForeignRefusal);
      expect(error.message).to.equal(`${sentence} (updateDashboard: PUT /api/v2/dashboards/x1 answered 422)`);
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
      "Cannot GET /v1/x; the API itself does not",
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
      "404 {error} of the observability API, which says that of queries",
      "updateAlert",
      { status: 404, body: { error: "no alert" } },
      "RefusedRequest",
    ],
    [
      "404 {message} of the observability API to a list, of which no object can be missing",
      "listAlerts",
      { status: 404, body: { message: "no Route matched with those values" } },
      "MissingRoute",
      "no Route matched with those values; the API itself does not",
    ],
    ["404 text of the observability API", "updateAlert", { status: 404, body: "Not Found" }, "MissingRoute"],
    [
      "404 text of the observability API about a dashboard, which it words so",
      "updateDashboard",
      { status: 404, body: "Not Found" },
      "MissingObject",
    ],
    [
      "404 {message} of the observability API about a dashboard, which it does not word so",
      "updateDashboard",
      { status: 404, body: { message: "Dashboard not found" } },
      "RefusedRequest",
    ],
    [
      "404 {message} with further members",
      "updateAlert",
      { status: 404, body: { message: "no alert", code: 404 } },
      "MissingRoute",
    ],
    [
      "404 of Spring WebFlux, which has what the envelope has",
      "getAlert",
      {
        status: 404,
        body: {
          timestamp: "2026-01-01T00:00:00Z",
          path: "/v1/x",
          status: 404,
          error: "Not Found",
          message: null,
          requestId: "5b1f",
        },
      },
      "MissingRoute",
    ],
    [
      "404 in the envelope of another status",
      "getAlert",
      { status: 404, body: { status: 500, error: "NOT_FOUND: alert not found", requestId: "5b1f" } },
      "MissingRoute",
    ],
    [
      "404 of a service in the envelope",
      "getAlert",
      own(404, "NOT_FOUND: service not found"),
      "RefusedRequest",
    ],
    ["404 of a list in the envelope", "listKeys", own(404, "NOT_FOUND: not found"), "RefusedRequest"],
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
    [
      "403",
      "getAlert",
      own(403, "FORBIDDEN: no"),
      "RefusedRequest",
      "FORBIDDEN: no; the key of the setting keyId needs the role developer or admin for this",
    ],
    ["403 of a firewall", "getAlert", { status: 403, body: page }, "ForeignRefusal"],
    [
      "403 {message} of a gateway",
      "updateAlert",
      { status: 403, body: { message: "Forbidden" } },
      "ForeignRefusal",
    ],
    [
      "400 of the observability API",
      "updateAlert",
      { status: 400, body: { message: "no" } },
      "RefusedRequest",
    ],
    ["400 of a web server", "updateAlert", { status: 400, body: page }, "ForeignRefusal"],
    ["408", "getAlert", { status: 408, body: "" }, "ForeignRefusal"],
    ["409 of another API", "getAlert", { status: 409, body: { message: "conflict" } }, "ForeignRefusal"],
    ["429 of a gateway", "getAlert", { status: 429, body: page }, "ForeignRefusal"],
    ["409", "getAlert", own(409, "CONFLICT: busy"), "RefusedRequest"],
    ["429", "getAlert", own(429, "TOO_MANY_REQUESTS: slow down"), "RefusedRequest", "slow down"],
    ["500", "getAlert", own(500, "INTERNAL: oops"), "FailedService", "oops"],
    ["502 with a page", "updateAlert", { status: 502, body: page }, "FailedService"],
    ["503 without a body", "updateAlert", { status: 503 }, "FailedService", "the server gave no reason"],
    ["303", "getAlert", { status: 303 }, "ForeignRefusal", "redirected to another address"],
  ];
  for (const [what, name, answer, type, message = ""] of classes) {
    it(`of status ${what}: ${type}`, async () => {
      const alone = name === "listAlerts" ? { observabilityVia: "observability" as const } : {};
      const error = await refusalOf(name, answer, alone);
      expect(error.constructor.name, error.message).to.equal(type);
      expect(error.name).to.equal(type);
      expect(error.message).to.include(message);
    });
  }

  for (const [name, sentence, isMissing] of [
    ["getAlert", "not found", true],
    ["getAlert", "NOT_FOUND: Alert not found", true],
    ["getAlert", "NOT_FOUND: no alert 65f1 in service 7b0f", true],
    ["getAlert", "NOT_FOUND: organization not found", false],
    ["getAlert", "NOT_FOUND: Organization 0d5f8c0e does not exist", false],
    ["getAlert", "NOT_FOUND: service not found", false],
    ["getAlert", "NOT_FOUND: the service could not be found", false],
    ["getAlert", "NOT_FOUND: no such service", false],
    ["getAlert", "NOT_FOUND: route not found", false],
    ["getAlert", "no Route matched with those values", false],
    ["getAlert", "Cannot GET /v1/alerts", false],
    ["getAlert", "The requested URL was not found on this server", false],
    ["getAlert", "no healthy upstream", false],
    ["getKey", "NOT_FOUND: API key not found", true],
    ["getKey", "NOT_FOUND: api not found", false],
    ["getQueryEndpoint", "NOT_FOUND: query endpoint not found", true],
    ["getQueryEndpoint", "NOT_FOUND: the service has no query endpoint", true],
    ["getQueryEndpoint", "NOT_FOUND: endpoint not found", false],
    ["getService", "NOT_FOUND: service not found", true],
    ["getService", "NOT_FOUND: organization not found", false],
  ] as const) {
    it(`of ${name} with "${sentence}" ${isMissing ? "is" : "is not"} about the object`, async () => {
      const error = await refusalOf(name, own(404, sentence));
      expect(error.constructor.name).to.equal(isMissing ? "MissingObject" : "RefusedRequest");
    });
  }

  for (const [sentence, named] of [
    ["tiles.1.config.sourceId is invalid", 'tiles["Errors"].config.sourceId is invalid'],
    ["tiles[1].config.select[0].level: no", 'tiles["Errors"].config.select[0].level: no'],
    ["tiles.0.w and tiles.7.w", "tiles.0.w and tiles.7.w"],
    ["version 1.2 of others.1", "version 1.2 of others.1"],
  ] as const)
    it(`names the entry of a list that the server counts: ${sentence}`, async () => {
      server.current.answer(refused(400, `BAD_REQUEST: ${sentence}`));
      const { client } = clientOf(server.current, { maxRetries: 0 });
      const error = await failureOf(
        client.call("createDashboard", place, { tiles: [{ w: 99 }, { name: "Errors" }] }),
      );
      const shown = `BAD_REQUEST: ${named} (createDashboard: `;
      expect(error.message.slice(0, shown.length)).to.equal(shown);
    });

  it("is told apart without looking at its text", () => {
    const site = { operation: "o", method: "GET", path: "/" };
    expect(new InvalidIdentifier(site, "x")).to.be.instanceOf(RefusedRequest);
    expect(new MissingObject(site, "x")).not.to.be.instanceOf(RefusedRequest);
  });

  it("has the name of its class", () => {
    const site = { operation: "o", method: "GET", path: "/" };
    for (const [name, Class] of Object.entries(errors)) {
      if (!(Class.prototype instanceof Error)) continue;
      const error = Reflect.construct(Class, [site, "x", true]) as Error;
      expect(error.name).to.equal(name);
    }
  });
});
