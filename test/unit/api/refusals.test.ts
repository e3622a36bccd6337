import { expect } from "chai";
import * as errors from "../../../provider/api/errors";
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

  it("has the operation, the request and its id, which the service's logs have, too", async () => {
    const error = await refusalOf("createAlert", refused(400, "BAD_REQUEST: threshold must be a number"));
    expect(error).to.be.instanceOf(errors.RefusedRequest);
    expect((error as errors.RefusedRequest).site).to.deep.equal({
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

  for (const [what, header, shown] of [
    ["from a header if the body has none", "gate-17", ", request gate-17"],
    ["unless it is no id", "see https://evil.example\tnow", ""],
  ] as const)
    it(`shows the id of the request ${what}`, async () => {
      const headers = { "X-Request-Id": header };
      const error = await refusalOf("updateAlert", { status: 400, headers, body: { message: "no" } });
      expect(error.message).to.equal(`no (updateAlert: PUT /api/v2/alerts/x1 answered 400${shown})`);
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
      expect(error).to.be.instanceOf(errors.ForeignRefusal);
      expect(error.message).to.equal(`${sentence} (updateDashboard: PUT /api/v2/dashboards/x1 answered 422)`);
    });
  }

  const requestId = "5b1f";
  const own = (status: number, error: string) => ({ status, error, requestId });
  const page = "<!DOCTYPE html><html><body><pre>Cannot GET /v1/x</pre></body></html>";
  const ofSpring = { timestamp: "2026-01-01T00:00:00Z", path: "/v1/x", status: 404, error: "Not Found" };
  const noRoute = { message: "no Route matched with those values" };
  const forbidden = "FORBIDDEN: no; the key of the setting keyId needs the role developer or admin for this";

  /** Answers by the error that they are: to which operation, with which status and body, and what the error says. */
  const classes: { readonly [type: string]: [OperationName, number, unknown, string?][] } = {
    MissingObject: [
      ["getAlert", 404, own(404, "NOT_FOUND: alert not found")],
      ["updateAlert", 404, { message: "no alert" }],
      // The observability API words the lack of a dashboard in text, and that of an alert as a message.
      ["updateDashboard", 404, "Not Found"],
    ],
    MissingRoute: [
      ["getAlert", 404, page, "Cannot GET /v1/x; the API itself does not"],
      ["getAlert", 404, "Not Found"],
      ["getAlert", 404, ""],
      ["getAlert", 404, ["error"]],
      ["getAlert", 404, noRoute],
      ["getAlert", 404, { ...ofSpring, timestamp: 1 }],
      ["getAlert", 404, { ...ofSpring, message: null, requestId }],
      ["getAlert", 404, { status: 500, error: "NOT_FOUND: alert not found", requestId }],
      ["updateAlert", 404, page],
      ["updateAlert", 404, "Not Found"],
      ["updateAlert", 404, {}],
      ["updateAlert", 404, { message: "no alert", code: 404 }],
      ["updateAlert", 405, { message: "Method Not Allowed" }],
      // No object can be missing from a list.
      ["listAlerts", 404, noRoute, `${noRoute.message}; the API itself does not`],
    ],
    InvalidIdentifier: [["getAlert", 400, own(400, "BAD_REQUEST: Invalid alert id")]],
    RefusedRequest: [
      ["getAlert", 404, own(404, "NOT_FOUND: service not found")],
      ["listKeys", 404, own(404, "NOT_FOUND: not found")],
      ["updateAlert", 404, { error: "no alert" }],
      ["updateDashboard", 404, { message: "Dashboard not found" }],
      ["getAlert", 400, own(400, "BAD_REQUEST: invalid idle timeout")],
      ["updateAlert", 400, { message: "no" }],
      ["getAlert", 401, own(401, "unknown key"), "unknown key; check the settings keyId and keySecret"],
      ["updateAlert", 401, "Unauthorized", "Unauthorized; check the setting accessToken"],
      ["getAlert", 403, own(403, "FORBIDDEN: no"), forbidden],
      ["getAlert", 409, own(409, "CONFLICT: busy")],
      ["getAlert", 429, own(429, "TOO_MANY_REQUESTS: slow down"), "slow down"],
    ],
    ForeignRefusal: [
      ["getAlert", 403, page],
      ["updateAlert", 403, { message: "Forbidden" }],
      ["updateAlert", 400, page],
      ["getAlert", 408, ""],
      ["getAlert", 409, { message: "conflict" }],
      ["getAlert", 429, page],
      ["getAlert", 303, "", "redirected to another address"],
    ],
    FailedService: [
      ["getAlert", 500, own(500, "INTERNAL: oops"), "oops"],
      ["updateAlert", 502, page],
      ["updateAlert", 503, "", "the server gave no reason"],
    ],
  };
  for (const [type, answers] of Object.entries(classes))
    for (const [name, status, body, message = ""] of answers)
      it(`is the error ${type} if ${name} is answered ${status} ${JSON.stringify(body)}`, async () => {
        const alone = name === "listAlerts" ? { observabilityVia: "observability" as const } : {};
        const error = await refusalOf(name, { status, body }, alone);
        expect(error.constructor.name, error.message).to.equal(type);
        expect(error.name).to.equal(type);
        expect(error.message).to.include(message);
      });

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
    it(`is ${isMissing ? "" : "not "}about the object of ${name}: "${sentence}"`, async () => {
      const error = await refusalOf(name, refused(404, sentence));
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

  it("is told apart by its class", () => {
    const site = { operation: "o", method: "GET", path: "/" };
    expect(new errors.InvalidIdentifier(site, "x")).to.be.instanceOf(errors.RefusedRequest);
    expect(new errors.MissingObject(site, "x")).not.to.be.instanceOf(errors.RefusedRequest);
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
