import { expect } from "chai";
import { Model } from "../../sandbox/core/model";
import {
  type FaultKind,
  faultKindNames,
  faultKinds,
  operationNames,
  seededCredentials,
} from "../../sandbox/index";
import { basic, dashboard, useSandbox } from "./requests";

const { organizationId, keyId, keySecret, accessToken } = seededCredentials;

describe("The journal of a sandbox's requests", () => {
  const client = useSandbox();
  const { requests, faults } = client.sandbox;

  it("the sandbox's journal contains each request with its body, even if it is refused or has no route", async () => {
    await client.organization("POST", "/keys?x=1", { name: "ci" });
    await client.observability("POST", "/dashboards", { ...dashboard, unknown: 1 });
    await client.observability("GET", "/nothing");
    const [first, second, third] = requests;
    expect(first).to.deep.include({
      ...{ number: 1, api: "management", method: "POST", status: 400, keyId },
      path: `/v1/organizations/${organizationId}/keys`,
      requestBody: { name: "ci" },
    });
    expect(second).to.deep.include({ number: 2, status: 200, requestBody: { ...dashboard, unknown: 1 } });
    expect(second).to.not.have.property("keyId");
    expect(third).to.deep.include({ number: 3, api: "observability", path: "/api/v2/nothing", status: 404 });
    expect(third).to.not.have.any.keys("requestBody", "operation", "fault", "responseBody");
  });

  it("the sandbox's journal continues the numbers of requests after a test has emptied it", async () => {
    await client.organization("GET", "/keys");
    requests.length = 0;
    await client.organization("GET", "/keys");
    expect(requests.map(({ number }) => number)).to.deep.equal([2]);
  });

  it("a reset of the sandbox restarts the journal with the request number 1", async () => {
    await client.organization("GET", "/keys");
    await client.sandbox.reset();
    expect(requests).to.deep.equal([]);
    await client.organization("GET", "/keys");
    expect(requests[0]?.number).to.equal(1);
  });

  it("the sandbox's journal contains requests without credentials or with invalid ones", async () => {
    await client.ask("management", "GET", "/v1/nothing");
    await client.observability("GET", "/alerts", undefined, "Bearer a");
    const lines = requests.map(({ method, path, status }) => `${method} ${path} ${status}`);
    expect(lines).to.deep.equal(["GET /v1/nothing 404", "GET /api/v2/alerts 401"]);
  });

  it("the sandbox's journal contains no secret", async () => {
    const [idHash, secretHash] = ["a".repeat(64), "b".repeat(64)];
    const hashData = { keyIdHash: idHash, keyIdSuffix: "tail", keySecretHash: secretHash };
    await client.organization("POST", "/keys", { name: keySecret, roles: ["admin"], hashData });
    await client.organization("POST", "/keys", { roles: ["admin"], keySecret: { value: "unheard-of" } });
    await client.observability("POST", "/dashboards", { ...dashboard, name: accessToken });
    await client.observability("GET", `/dashboards/${accessToken}`);
    await client.organization("GET", "/keys", undefined, basic(keySecret, keyId));
    const journal = JSON.stringify(requests);
    for (const secret of [keySecret, accessToken, idHash, secretHash, "unheard-of", "Basic", "Bearer"])
      expect(journal).to.not.include(secret);
    expect(journal).to.include("tail").and.include("[redacted]");
    expect(requests).to.have.length(5);
  });

  const statuses: { readonly [kind in FaultKind]?: number } = {
    reset: 0,
    redirect: 307,
    "no-content": 204,
    accepted: 202,
  };
  const createWith = async (kind: FaultKind) => {
    const { parameters = [] } = faultKinds[kind];
    const small = parameters.includes("megabytes") ? { megabytes: 1 } : {};
    await faults.set([{ kind, operation: "createDashboard", ...small }]);
    const refused = () => undefined;
    await client.service("POST", "/stack/dashboards", { ...dashboard, name: keySecret }).catch(refused);
    await client.observability("POST", "/dashboards", { ...dashboard, name: accessToken }).catch(refused);
    expect(requests).to.have.length(2);
  };
  for (const kind of faultKindNames.filter((name) => !faultKinds[name].affectsConnections)) {
    it(`the sandbox's journal names the fault ${kind} and the status of its answer`, async () => {
      await createWith(kind);
      const status = statuses[kind] ?? (Number.parseInt(kind, 10) || 200);
      const entry = { fault: kind, operation: "createDashboard", status };
      for (const request of requests) expect(request).to.include(entry);
    });

    it(`the sandbox's journal contains no secret of requests with the fault ${kind}`, async () => {
      await createWith(kind);
      expect(JSON.stringify(requests)).to.not.include(keySecret).and.not.include(accessToken);
    });
  }

  it("every operation that a fault can name belongs to a route in one of the sandbox's dialects", () => {
    const apis = (["neutral", "clickhouse"] as const).flatMap((dialect) =>
      Object.values(new Model({ dialect }).apis),
    );
    const isServed = (name: string) => apis.some(({ routeOf }) => routeOf(name) !== undefined);
    expect(operationNames.filter((name) => !isServed(name))).to.deep.equal([]);
  });
});
