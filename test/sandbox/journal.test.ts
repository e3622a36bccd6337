import { expect } from "chai";
import { faultKindNames, faultKinds, type JournalEntry, operationNames } from "../../sandbox/index";
import { basic, Client, dashboard, send } from "./requests";

describe("sandbox: journal", () => {
  let client: Client;
  before(async () => {
    client = await Client.start();
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  it("holds each request, also refused ones and unknown routes, with the body as it was sent", async () => {
    const { organizationId, keyId } = client.sandbox.credentials;
    await client.organizationRequest("POST", "/keys?x=1", { name: "ci" });
    await client.observability("POST", "/dashboards", { ...dashboard, unknown: 1 });
    await client.observability("GET", "/nothing");
    const [first, second, third] = client.sandbox.requests;
    expect(first).to.deep.include({
      number: 1,
      api: "management",
      method: "POST",
      path: `/v1/organizations/${organizationId}/keys`,
      status: 400,
      requestBody: { name: "ci" },
      keyId,
    });
    expect(second).to.deep.include({ number: 2, status: 200, requestBody: { ...dashboard, unknown: 1 } });
    expect(second).to.not.have.property("keyId");
    expect(third).to.deep.include({ number: 3, api: "observability", path: "/api/v2/nothing", status: 404 });
    expect(third).to.not.have.property("requestBody");
  });

  it("goes on numbering after requests.length = 0, and starts anew after reset", async () => {
    await client.organizationRequest("GET", "/keys");
    client.sandbox.requests.length = 0;
    await client.organizationRequest("GET", "/keys");
    expect(client.sandbox.requests.map(({ number }) => number)).to.deep.equal([2]);
    await client.sandbox.reset();
    expect(client.sandbox.requests).to.deep.equal([]);
    await client.organizationRequest("GET", "/keys");
    expect(client.sandbox.requests[0]?.number).to.equal(1);
  });

  it("is readable for requests without credentials, and with ones that are no credentials", async () => {
    await send("GET", `${client.sandbox.baseUrl}/v1/nothing`);
    await client.observability("GET", "/alerts", undefined, "Bearer a");
    expect(
      client.sandbox.requests.map(({ method, path, status }) => `${method} ${path} ${status}`),
    ).to.deep.equal(["GET /v1/nothing 404", "GET /api/v2/alerts 401"]);
  });

  it("holds no secret", async () => {
    const { keySecret, accessToken, keyId } = client.sandbox.credentials;
    const hashData = { keyIdHash: "a".repeat(64), keyIdSuffix: "tail", keySecretHash: "b".repeat(64) };
    await client.organizationRequest("POST", "/keys", { name: keySecret, roles: ["admin"], hashData });
    await client.organizationRequest("POST", "/keys", {
      roles: ["admin"],
      keySecret: { value: "unheard-of" },
    });
    await client.observability("POST", "/dashboards", { ...dashboard, name: accessToken });
    await client.observability("GET", `/dashboards/${accessToken}`);
    await client.organizationRequest("GET", "/keys", undefined, basic(keySecret, keyId));
    const journal = JSON.stringify(client.sandbox.requests);
    for (const secret of [
      keySecret,
      accessToken,
      "a".repeat(64),
      "b".repeat(64),
      "unheard-of",
      "Basic",
      "Bearer",
    ]) {
      expect(journal).to.not.include(secret);
    }
    expect(journal).to.include("tail").and.include("[redacted]");
    expect(client.sandbox.requests).to.have.length(5);
  });
});

describe("sandbox: the journal of faults", () => {
  let client: Client;
  before(async () => {
    client = await Client.start();
  });
  after(() => client.sandbox.close());

  it("names the fault and the status that was answered, and holds no secret", async () => {
    const { keySecret, accessToken } = client.sandbox.credentials;
    for (const kind of faultKindNames) {
      if ("affectsConnections" in faultKinds[kind]) continue;
      const small = kind === "huge" || kind === "gzip-bomb" ? { megabytes: 1 } : {};
      const short = kind === "delay" ? { milliseconds: 1 } : {};
      await client.sandbox.faults.set([{ kind, operation: "createDashboard", ...small, ...short }]);
      client.sandbox.requests.length = 0;
      await client
        .service("POST", "/stack/dashboards", { ...dashboard, name: keySecret })
        .catch(() => undefined);
      await client
        .observability("POST", "/dashboards", { ...dashboard, name: accessToken })
        .catch(() => undefined);
      const entries = client.sandbox.requests.map(({ fault, operation }) => ({ fault, operation }));
      const entry = { fault: kind, operation: "createDashboard" };
      // The client may repeat a request of its own accord when a used connection was reset.
      expect(entries.length, kind).to.be.within(2, 3);
      for (const each of entries) expect(each).to.deep.equal(entry);
      const status =
        { reset: 0, redirect: 307, "no-content": 204, accepted: 202 }[kind as string] ??
        (Number.parseInt(kind, 10) || 200);
      expect(client.sandbox.requests[0]?.status, kind).to.equal(status);
      const journal = JSON.stringify(client.sandbox.requests);
      expect(journal).to.not.include(keySecret).and.not.include(accessToken);
    }
  });
});

describe("sandbox: operations", () => {
  it("every route has a name, which the journal says", async () => {
    const client = await Client.start();
    const { organizationId, serviceId } = client.sandbox.credentials;
    const service = `/v1/organizations/${organizationId}/services/${serviceId}`;
    // No server has a GET of one.
    const webhooks = (path: string) =>
      collection("Webhook", path, "PUT").filter(([name]) => name !== "getWebhook");
    const searches = (path: string) =>
      collection("SavedSearch", path, "PUT").map(([name, ...line]): [string, string, string] => [
        name === "listSavedSearchs" ? "listSavedSearches" : name,
        ...line,
      ]);
    const routes: [string, string, string][] = [
      ...collection("Key", `/v1/organizations/${organizationId}/keys`, "PATCH"),
      ...collection("Dashboard", `${service}/stack/dashboards`, "PUT"),
      ...collection("Alert", `${service}/stack/alerts`, "PUT"),
      ["getService", "GET", service],
      ["updateScaling", "PATCH", `${service}/scaling`],
      ["updateReplicaScaling", "PATCH", `${service}/replicaScaling`],
      ["getQueryEndpoint", "GET", `${service}/serviceQueryEndpoint`],
      ["putQueryEndpoint", "POST", `${service}/serviceQueryEndpoint`],
      ["deleteQueryEndpoint", "DELETE", `${service}/serviceQueryEndpoint`],
      ["listPipes", "GET", `${service}/pipes`],
      ["createPipe", "POST", `${service}/pipes`],
      ["getPipe", "GET", `${service}/pipes/x`],
      ["getPipeSettings", "GET", `${service}/pipes/x/settings`],
      ["putPipeSettings", "PUT", `${service}/pipes/x/settings`],
      ["listReversePrivateEndpoints", "GET", `${service}/pipesReversePrivateEndpoints`],
      ...collection("Source", `${service}/stack/sources`, "PUT"),
      ...webhooks(`${service}/stack/webhooks`),
      ...searches(`${service}/stack/saved-searches`),
    ];
    const observability: [string, string, string][] = [
      ...collection("Dashboard", "/api/v2/dashboards", "PUT"),
      ...collection("Alert", "/api/v2/alerts", "PUT"),
      ...collection("Connection", "/api/v2/connections", "PUT"),
      ...collection("Source", "/api/v2/sources", "PUT"),
      ...webhooks("/api/v2/webhooks"),
      ...searches("/api/v2/saved-searches"),
      ["getChartSeries", "POST", "/api/v2/charts/series"],
    ];
    const { baseUrl, obsBaseUrl } = client.sandbox;
    for (const [, method, path] of routes) await send(method, baseUrl + path);
    for (const [, method, path] of observability) await send(method, obsBaseUrl + path);
    const journal = ({ operation, method, path }: JournalEntry) => [operation, method, path];
    expect(client.sandbox.requests.map(journal)).to.deep.equal([...routes, ...observability]);
    const product = await Client.start({ dialect: "clickhouse" });
    const ofProduct: [string, string, string][] = [
      ["listServices", "GET", `/v1/organizations/${organizationId}/services`],
      ["listRoles", "GET", `/v1/organizations/${organizationId}/roles`],
      ["validateDashboard", "POST", `${service}/clickstack/dashboards/validate`],
    ];
    for (const [, method, path] of ofProduct) await send(method, product.sandbox.baseUrl + path);
    expect(product.sandbox.requests.map(journal)).to.deep.equal(ofProduct);
    await product.sandbox.close();
    // Those of further types are called, and looked for by their names, in the matrix of faults.
    const names = [...routes, ...observability, ...ofProduct].map(([name]) => name);
    expect(operationNames).to.include.members(names);
    await send("GET", `${baseUrl}/nothing`);
    expect(client.sandbox.requests.at(-1)).to.not.have.any.keys("operation", "fault");
    await client.sandbox.close();
  });
});

function collection(noun: string, path: string, update: string): [string, string, string][] {
  return [
    [`list${noun}s`, "GET", path],
    [`create${noun}`, "POST", path],
    [`get${noun}`, "GET", `${path}/x`],
    [`update${noun}`, update, `${path}/x`],
    [`delete${noun}`, "DELETE", `${path}/x`],
  ];
}
