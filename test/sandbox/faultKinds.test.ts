import { expect } from "chai";
import type { Fault } from "../../sandbox/index";
import { type Api, expectPage, expectRefusal, expectText, useFaultedDashboards } from "./faultedDashboards";
import { ask, json } from "./wire";

describe("sandbox: faults in place of what was asked for", () => {
  const faulted = useFaultedDashboards();

  const refusals: [Fault["kind"], number, string][] = [
    ["400", 400, "BAD_REQUEST"],
    ["401", 401, "UNAUTHORIZED"],
    ["403", 403, "FORBIDDEN"],
    ["404", 404, "NOT_FOUND"],
    ["409", 409, "CONFLICT"],
    ["429", 429, "TOO_MANY_REQUESTS"],
    ["500", 500, "INTERNAL_SERVER_ERROR"],
    ["503", 503, "SERVICE_UNAVAILABLE"],
  ];
  for (const [kind, status, word] of refusals) {
    it(`${kind}: both APIs say it in their own words, and nothing is carried out`, async () => {
      const management = await faulted.createWith("management", { kind });
      expect(management.status).to.equal(status);
      expectRefusal(management, status, new RegExp(`^${word}: `));
      const observability = await faulted.createWith("observability", { kind });
      expect(observability.status).to.equal(status);
      if (kind === "401") expectText(observability, "Unauthorized");
      else if (kind === "429") expectPage(observability, "Too many requests");
      else expect(json(observability)).to.have.all.keys("message");
      expect(faulted.dashboards()).to.deep.equal([]);
    });
  }

  for (const api of ["management", "observability"] as const) {
    it(`404-gateway, 502 on the ${api} API: pages of a gateway`, async () => {
      const missing = await faulted.createWith(api, { kind: "404-gateway" });
      expect(missing.status).to.equal(404);
      expectPage(missing, `Cannot POST ${new URL(faulted.request(api, "POST").url).pathname}`);
      const failed = await faulted.createWith(api, { kind: "502" });
      expect(failed.status).to.equal(502);
      expectPage(failed, "Bad Gateway");
      expect(faulted.dashboards()).to.deep.equal([]);
    });
  }

  it("404: a dashboard is missing in the words that each API has for that", async () => {
    await faulted.sandbox.faults.set([{ kind: "404", operation: "*" }]);
    const ofOne = (api: Api) => {
      const { url, ...rest } = faulted.request(api, "GET");
      return ask({ ...rest, url: `${url}/${"a".repeat(24)}` });
    };
    expect(json(await ofOne("management"))).to.include({ status: 404, error: "NOT_FOUND: Not Found" });
    expectText(await ofOne("observability"), "Not Found");
  });

  it("404-framework: the JSON of Spring WebFlux, with what the envelope has and more", async () => {
    const outcome = await faulted.createWith("management", { kind: "404-framework" });
    expect(outcome.status).to.equal(404);
    expect(json(outcome)).to.have.all.keys("timestamp", "path", "status", "error", "message", "requestId");
    expect(faulted.dashboards()).to.deep.equal([]);
  });

  it("404-envelope: the envelope of the management API in the words of another server, on both APIs", async () => {
    for (const api of ["management", "observability"] as const) {
      const outcome = await faulted.createWith(api, { kind: "404-envelope" });
      expect(outcome.status).to.equal(404);
      expect(json(outcome)).to.have.all.keys("status", "error", "requestId");
      expect(json(outcome)).to.include({ status: 404, error: "Not Found" });
    }
    expect(faulted.dashboards()).to.deep.equal([]);
  });

  it("101: the connection switches to a protocol that nobody asked for", async () => {
    const outcome = await faulted.createWith("management", { kind: "101" });
    expect(outcome).to.include({ status: 101 });
    expect(faulted.dashboards()).to.deep.equal([]);
    expect(faulted.sandbox.requests[0]).to.include({ status: 101, fault: "101" });
  });

  it("429: Retry-After in seconds, as a date, X-RateLimit-Reset, or nothing", async () => {
    expect((await faulted.createWith("management", { kind: "429" })).headers["retry-after"]).to.equal("1");
    const seconds = await faulted.createWith("management", { kind: "429", seconds: 0.25 });
    expect(seconds.headers["retry-after"]).to.equal("0.25");
    const before = Date.now();
    const date = await faulted.createWith("management", { kind: "429-date", seconds: 7 });
    // In whole seconds.
    const moment = Date.parse(date.headers["retry-after"] ?? "") - 7000;
    expect(moment).to.be.within(before - 1000, Date.now() + 1000);
    const reset = await faulted.createWith("management", { kind: "429-reset", seconds: 2.5 });
    expect(reset.headers).to.include({ "x-ratelimit-reset": "2.5" }).and.not.have.property("retry-after");
    const bare = await faulted.createWith("management", { kind: "429-bare" });
    expect(bare.status).to.equal(429);
    expect(bare.headers).to.not.have.any.keys("retry-after", "x-ratelimit-reset");
  });

  it("503 says when to come back only if it is told", async () => {
    expect((await faulted.createWith("management", { kind: "503" })).headers).to.not.have.property(
      "retry-after",
    );
    const { headers } = await faulted.createWith("management", { kind: "503", seconds: 3 });
    expect(headers["retry-after"]).to.equal("3");
  });

  it("redirect: 307 to the same path on another origin", async () => {
    const { pathname } = new URL(faulted.request("management", "POST").url);
    const outcome = await faulted.createWith("management", { kind: "redirect" });
    expect(outcome.status).to.equal(307);
    expect(outcome.headers.location).to.equal(`https://elsewhere.invalid${pathname}`);
    const elsewhere = await faulted.createWith("management", {
      kind: "redirect",
      location: "http://127.0.0.1:9",
    });
    expect(elsewhere.headers.location).to.equal(`http://127.0.0.1:9${pathname}`);
    expect(faulted.dashboards()).to.deep.equal([]);
  });

  it("reset: the connection breaks before the body is read", async () => {
    expect(await faulted.createWith("management", { kind: "reset" })).to.include({ code: "ECONNRESET" });
    expect(faulted.dashboards()).to.deep.equal([]);
    const [entry] = faulted.sandbox.requests;
    expect(entry).to.include({ status: 0, fault: "reset", operation: "createDashboard" });
    expect(entry).to.not.have.property("requestBody");
  });

  it("a fault comes before authentication", async () => {
    await faulted.sandbox.faults.set([{ kind: "500", operation: "listKeys" }]);
    const url = `${faulted.sandbox.baseUrl}/v1/organizations/${faulted.sandbox.credentials.organizationId}/keys`;
    expect(await ask({ method: "GET", url, headers: {} })).to.include({ status: 500 });
  });
});
