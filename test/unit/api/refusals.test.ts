import { expect } from "chai";
import * as errors from "../../../provider/api/errors";
import type { OperationName } from "../../../provider/api/operations";
import type { Settings } from "../../../provider/api/settingsSchema";
import { failureOf, failureOfType } from "./failure";
import { clientOf, enveloped, organizationId, place, refused, serviceId, useServer } from "./server";

const requestId = "5b1f";
const own = (status: number, error: string) => ({ status, error, requestId });
const page = "<!DOCTYPE html><html><body><pre>Cannot GET /v1/x</pre></body></html>";
const ofSpring = { timestamp: "2026-01-01T00:00:00Z", path: "/v1/x", status: 404, error: "Not Found" };
const noRoute = { message: "no Route matched with those values" };
const forbidden = "FORBIDDEN: no; the key of the setting keyId needs the role developer or admin for this";

type Row = readonly [OperationName, number, unknown, string?];

const saysNotFound = (name: OperationName, ...sentences: string[]): Row[] =>
  sentences.map((sentence) => [name, 404, own(404, sentence)]);

/** Answers of an API by the type of the error that the client must throw for them. */
const answers: { readonly [type: string]: readonly Row[] } = {
  MissingObject: [
    ["updateAlert", 404, { message: "no alert" }],
    // The observability API answers a plain text for a missing dashboard and a JSON message for a missing alert. So a plain
    // text means a missing object only for a dashboard.
    ["updateDashboard", 404, "Not Found"],
    ...saysNotFound("getAlert", "not found", "NOT_FOUND: Alert not found"),
    ...saysNotFound("getAlert", "NOT_FOUND: no alert 65f1 in service 7b0f"),
    ...saysNotFound("getKey", "NOT_FOUND: API key not found"),
    ...saysNotFound("getQueryEndpoint", "NOT_FOUND: query endpoint not found"),
    ...saysNotFound("getQueryEndpoint", "NOT_FOUND: the service has no query endpoint"),
    ...saysNotFound("getService", "NOT_FOUND: service not found"),
  ],
  MissingRoute: [
    ["getAlert", 404, page, "Cannot GET /v1/x; the API itself does not"],
    ["getAlert", 404, "Not Found"],
    ["getAlert", 404, noRoute],
    ["getAlert", 404, { ...ofSpring, message: null, requestId }],
    ["getAlert", 404, { status: 500, error: "NOT_FOUND: alert not found", requestId }],
    ["updateAlert", 404, page],
    ["updateAlert", 404, "Not Found"],
    ["updateAlert", 404, { message: "no alert", code: 404 }],
    ["updateAlert", 405, { message: "Method Not Allowed" }],
    // A list request cannot refer to a missing object, so its 404 means that the route is missing.
    ["listAlerts", 404, noRoute, `${noRoute.message}; the API itself does not`],
  ],
  InvalidIdentifier: [["getAlert", 400, own(400, "BAD_REQUEST: Invalid alert id")]],
  RefusedRequest: [
    ...saysNotFound("getAlert", "NOT_FOUND: organization not found", "NOT_FOUND: service not found"),
    ...saysNotFound("getAlert", "NOT_FOUND: Organization 0d5f8c0e does not exist"),
    ...saysNotFound("getAlert", "NOT_FOUND: the service could not be found", "NOT_FOUND: no such service"),
    ...saysNotFound("getAlert", "NOT_FOUND: route not found", "no Route matched with those values"),
    ...saysNotFound("getAlert", "Cannot GET /v1/alerts", "no healthy upstream"),
    ...saysNotFound("getAlert", "The requested URL was not found on this server"),
    ...saysNotFound("getKey", "NOT_FOUND: api not found"),
    ...saysNotFound("getQueryEndpoint", "NOT_FOUND: endpoint not found"),
    ...saysNotFound("getService", "NOT_FOUND: organization not found"),
    ...saysNotFound("listKeys", "NOT_FOUND: not found"),
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
    ["getAlert", 429, page],
    ["getAlert", 303, "", "redirected to another address"],
  ],
  FailedService: [
    ["getAlert", 500, own(500, "INTERNAL: oops"), "oops"],
    ["updateAlert", 503, "", "the server gave no reason"],
  ],
};

/** Bodies of refusals by an API, with the sentence that the client's error must repeat. */
const sentences: { readonly [shape: string]: readonly [body: unknown, sentence: string] } = {
  "{error}": [{ error: "tiles must be an array" }, "tiles must be an array"],
  "{message}": [{ message: "Invalid webhook" }, "Invalid webhook"],
  "{errors: [{message}]}": [{ errors: [{ message: "first" }, { message: "second" }] }, "first; second"],
  "{title, detail}": [{ title: "Bad", detail: "x is wrong" }, "x is wrong"],
  text: ["Bad Request", "Bad Request"],
  "text in several lines": ["Bad\r\n\tRequest\u0000\u001b[31m!", "Bad Request [31m!"],
  "a page": [
    "<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head><body><h1>400</h1>\n<p>Bad&nbsp;gateway</p></body></html>",
    "400 Bad gateway",
  ],
  nothing: ["", "the server gave no reason"],
  "JSON null": ["null", "the server gave no reason"],
  "a long text": ["x".repeat(400), `${"x".repeat(300)}…`],
};

describe("Errors about refused requests", () => {
  const server = useServer();

  async function refusalOf(
    name: OperationName,
    answer: Parameters<typeof server.current.answer>[0],
    body: object = {},
  ) {
    server.current.answer(answer);
    const observabilityVia = name === "listAlerts" ? "observability" : undefined;
    const { client } = clientOf(server.current, {
      maxRetries: 0,
      ...(observabilityVia && { observabilityVia }),
    });
    return failureOf(client.call(name, { ...place, id: "x1" }, body));
  }

  for (const [type, rows] of Object.entries(answers))
    for (const [name, status, body, message = ""] of rows)
      it(`the client throws ${type} if ${name} is answered ${status} ${JSON.stringify(body)}`, async () => {
        const error = await refusalOf(name, { status, body });
        expect([error.constructor.name, error.name], error.message).to.deep.equal([type, type]);
        expect(error.message).to.include(message);
      });

  for (const [shape, [body, sentence]] of Object.entries(sentences))
    it(`an error repeats the server's sentence from ${shape}`, async () => {
      const error = await refusalOf("updateDashboard", { status: 422, body });
      expect(error).to.be.instanceOf(errors.ForeignRefusal);
      expect(error.message).to.equal(`${sentence} (updateDashboard: PUT /api/v2/dashboards/x1 answered 422)`);
    });

  for (const [sentence, named] of [
    ["tiles.1.config.sourceId is invalid", 'tiles["Errors"].config.sourceId is invalid'],
    ["tiles[1].config.select[0].level: no", 'tiles["Errors"].config.select[0].level: no'],
    ["tiles.0.w and tiles.7.w", "tiles.0.w and tiles.7.w"],
    ["version 1.2 of others.1", "version 1.2 of others.1"],
  ] as const)
    it(`an error names the list entry to which the server refers by its index: ${sentence}`, async () => {
      const body = { tiles: [{ w: 99 }, { name: "Errors" }] };
      const { message } = await refusalOf("createDashboard", refused(400, `BAD_REQUEST: ${sentence}`), body);
      expect(message.split(" (createDashboard: ")[0]).to.equal(`BAD_REQUEST: ${named}`);
    });

  it("an error about a refusal names the operation, the request and its id in the service's logs", async () => {
    const error = await refusalOf("createAlert", refused(400, "BAD_REQUEST: threshold must be a number"));
    const path = `/v1/organizations/${organizationId}/services/${serviceId}/stack/alerts`;
    expect((error as errors.RefusedRequest).site).to.deep.equal({
      ...{ operation: "createAlert", method: "POST", path, status: 400, requestId },
    });
    expect(error.message).to.equal(
      `BAD_REQUEST: threshold must be a number (createAlert: POST ${path} answered 400, request 5b1f)`,
    );
  });

  for (const [name, advice] of [
    ["createKey", "needs the permission control-plane:organization:create-api-keys for this, and its IP"],
    ["getAlert", "needs the permission control-plane:service:manage-clickstack-api for this, and its IP"],
    ["listServices", "may lack a permission for this, or its IP access list this machine"],
  ] as const)
    it(`an error about a missing permission names the role of ClickHouse Cloud if it is known: ${name}`, async () => {
      server.current.answer(refused(403, "FORBIDDEN: no"));
      const { client } = clientOf(server.current, { dialect: "clickhouse" });
      const { reason } = await failureOfType(
        client.call(name, { ...place, id: "x1" }),
        errors.RefusedRequest,
      );
      expect(reason).to.include(`FORBIDDEN: no; the key of the setting keyId ${advice}`);
    });

  describe("of writes to sources, in ClickHouse Cloud", () => {
    const condition =
      "fully managed ClickHouse Observability lets the API only read sources: if this service has it";
    const reads = `${condition}, use getSource instead of a Source`;
    const forgets = `${condition}, take the Source out of the program and the state (pulumi state delete), and use getSource instead of a Source`;
    const cloud = { dialect: "clickhouse", observabilityVia: "management", maxRetries: 0 } as const;
    const forbidden = refused(403, "FORBIDDEN: no");
    const noRoute = { status: 404, body: "Cannot POST /v1/x" };

    async function reasonOf(name: OperationName, answer: object, settings: Partial<Settings> = cloud) {
      const { client } = clientOf(server.current, settings);
      server.current.answer({ body: { status: 200, requestId, result: [], data: [] } }, answer);
      await client.call("listWebhooks", place);
      return ((await failureOf(client.call(name, { ...place, id: "x1" }, {}))) as errors.ApiError).reason;
    }

    for (const [what, name, answer, said] of [
      ["forbids to create", "createSource", forbidden, `must include this machine; ${reads}`],
      ["forbids to update", "updateSource", forbidden, `must include this machine; ${forgets}`],
      ["has no route to create", "createSource", noRoute, `Cannot POST /v1/x; ${reads}`],
      ["has no route to delete", "deleteSource", { status: 405 }, `gave no reason; ${forgets}`],
      ["calls read-only", "updateSource", refused(400, "read-only sources"), `sources; ${forgets}`],
      ["calls managed", "createSource", refused(409, "fully managed"), `fully managed; ${reads}`],
    ] as const)
      it(`an error says what to do instead of writing a source that a fully managed service ${what}`, async () => {
        expect((await reasonOf(name, answer)).slice(-said.length)).to.equal(said);
      });

    const onServer = { ...cloud, observabilityVia: "observability" } as const;
    for (const [what, name, answer, settings] of [
      ["an invalid source", "createSource", refused(400, "BAD_REQUEST: no setting readonly"), cloud],
      ["a read", "getSource", forbidden, cloud],
      ["another type", "createWebhook", forbidden, cloud],
      ["a wrong key", "createSource", refused(401, "UNAUTHORIZED: no"), cloud],
      ["a firewall", "createSource", { status: 403, body: "<html>Request blocked</html>" }, cloud],
      ["a server of the API document", "createSource", forbidden, { maxRetries: 0 }],
      ["a server of your own", "createSource", noRoute, onServer],
    ] as const)
      it(`an error does not blame fully managed sources for a refusal of ${what}`, async () => {
        expect(await reasonOf(name, answer, settings)).to.not.include("fully managed");
      });
  });

  for (const [what, header, shown] of [
    ["from a header if the body has none", "gate-17", ", request gate-17"],
    ["unless it is no id", "see https://evil.example\tnow", ""],
  ] as const)
    it(`an error shows the id that the service gave the refused request, ${what}`, async () => {
      const headers = { "X-Request-Id": header };
      const error = await refusalOf("updateAlert", { status: 400, headers, body: { message: "no" } });
      expect(error.message).to.equal(`no (updateAlert: PUT /api/v2/alerts/x1 answered 400${shown})`);
    });

  it("an error about a missing route calls the server old only if it answers other requests", async () => {
    const { client } = clientOf(server.current);
    const page = { status: 404, body: "<html>Cannot GET</html>" };
    const reasonOf = async () =>
      (await failureOfType(client.call("listSavedSearches", place), errors.MissingRoute)).reason;
    const either =
      "Cannot GET; the API itself does not answer like this, so check the settings baseUrl and dialect, or update the server: it may be too old for listSavedSearches";
    server.current.answer(page, page, enveloped([]), page, enveloped([]), page);
    expect([await reasonOf(), await reasonOf()]).to.deep.equal([either, either]);
    await client.call("listAlerts", place);
    expect(await reasonOf()).to.equal(
      "Cannot GET; the server answers other requests, and seems to be too old for listSavedSearches: update it, or do without",
    );
    await client.call("listSavedSearches", place);
    expect(await reasonOf()).to.equal(either);
  });
});
