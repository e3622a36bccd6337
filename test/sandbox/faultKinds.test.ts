import { createGunzip } from "node:zlib";
import { expect } from "chai";
import { createSandbox, type Fault, type Sandbox } from "../../sandbox/src";
import { basic, dashboard } from "./requests";
import { ask, json, type Outcome } from "./wire";

type Api = "management" | "observability";

let sandbox: Sandbox;

/** A request to the dashboards of the first service, on either API. */
function request(api: Api, method: string, id = "", body?: object) {
  const { organizationId, serviceId, keyId, keySecret, accessToken } = sandbox.credentials;
  const { baseUrl, obsBaseUrl } = sandbox;
  const path = `/v1/organizations/${organizationId}/services/${serviceId}/stack/dashboards`;
  return {
    method,
    url: (api === "management" ? baseUrl + path : `${obsBaseUrl}/api/v2/dashboards`) + id,
    headers: {
      authorization: api === "management" ? basic(keyId, keySecret) : `Bearer ${accessToken}`,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}

const create = (api: Api) => ask(request(api, "POST", "", dashboard));
const dashboards = () => [...sandbox.store.dashboards.values()];

/** Sets a fault of the creation of dashboards, and creates one. */
async function createWith(api: Api, fault: Omit<Fault, "operation">): Promise<Outcome> {
  await sandbox.faults.set([{ ...fault, operation: "createDashboard" }]);
  return create(api);
}

const inWords = {
  management: (status: number, error: RegExp) => (outcome: Outcome) => {
    expect(json(outcome)).to.have.all.keys("status", "error", "requestId").and.include({ status });
    expect(json(outcome).error).to.match(error);
  },
  observability: (outcome: Outcome) => expect(json(outcome)).to.have.all.keys("message"),
};
const text = (outcome: Outcome, expected: string) => {
  expect(outcome.headers["content-type"]).to.equal("text/plain; charset=utf-8");
  expect(outcome.body.toString()).to.equal(expected);
};
const page = (outcome: Outcome, expected: string) => {
  expect(outcome.headers["content-type"]).to.equal("text/html; charset=utf-8");
  expect(outcome.body.toString()).to.include(expected);
};

describe("sandbox: kinds of faults", () => {
  before(async () => {
    sandbox = await createSandbox();
  });
  beforeEach(async () => {
    await sandbox.faults.clear();
    await sandbox.reset();
  });
  after(() => sandbox.close());

  describe("in place of what was asked for", () => {
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
        const management = await createWith("management", { kind });
        expect(management.status).to.equal(status);
        inWords.management(status, new RegExp(`^${word}: `))(management);
        const observability = await createWith("observability", { kind });
        expect(observability.status).to.equal(status);
        if (kind === "401") text(observability, "Unauthorized");
        else if (kind === "429") page(observability, "Too many requests");
        else inWords.observability(observability);
        expect(dashboards()).to.deep.equal([]);
      });
    }

    for (const api of ["management", "observability"] as const) {
      it(`404-gateway, 502 on the ${api} API: pages of a gateway`, async () => {
        const missing = await createWith(api, { kind: "404-gateway" });
        expect(missing.status).to.equal(404);
        page(missing, `Cannot POST ${new URL(request(api, "POST").url).pathname}`);
        const failed = await createWith(api, { kind: "502" });
        expect(failed.status).to.equal(502);
        page(failed, "Bad Gateway");
        expect(dashboards()).to.deep.equal([]);
      });
    }

    it("404: a dashboard is missing in the words that each API has for that", async () => {
      await sandbox.faults.set([{ kind: "404", operation: "*" }]);
      const ofOne = (api: Api) => {
        const { url, ...rest } = request(api, "GET");
        return ask({ ...rest, url: `${url}/${"a".repeat(24)}` });
      };
      expect(json(await ofOne("management"))).to.include({ status: 404, error: "NOT_FOUND: Not Found" });
      text(await ofOne("observability"), "Not Found");
    });

    it("404-framework: the JSON of Spring WebFlux, with what the envelope has and more", async () => {
      const outcome = await createWith("management", { kind: "404-framework" });
      expect(outcome.status).to.equal(404);
      expect(json(outcome)).to.have.all.keys("timestamp", "path", "status", "error", "message", "requestId");
      expect(dashboards()).to.deep.equal([]);
    });

    it("429: Retry-After in seconds, as a date, X-RateLimit-Reset, or nothing", async () => {
      expect((await createWith("management", { kind: "429" })).headers["retry-after"]).to.equal("1");
      const seconds = await createWith("management", { kind: "429", seconds: 0.25 });
      expect(seconds.headers["retry-after"]).to.equal("0.25");
      const before = Date.now();
      const date = await createWith("management", { kind: "429-date", seconds: 7 });
      // In whole seconds.
      const moment = Date.parse(date.headers["retry-after"] ?? "") - 7000;
      expect(moment).to.be.within(before - 1000, Date.now() + 1000);
      const reset = await createWith("management", { kind: "429-reset", seconds: 2.5 });
      expect(reset.headers).to.include({ "x-ratelimit-reset": "2.5" }).and.not.have.property("retry-after");
      const bare = await createWith("management", { kind: "429-bare" });
      expect(bare.status).to.equal(429);
      expect(bare.headers).to.not.have.any.keys("retry-after", "x-ratelimit-reset");
    });

    it("503 says when to come back only if it is told", async () => {
      expect((await createWith("management", { kind: "503" })).headers).to.not.have.property("retry-after");
      const { headers } = await createWith("management", { kind: "503", seconds: 3 });
      expect(headers["retry-after"]).to.equal("3");
    });

    it("redirect: 307 to the same path on another origin", async () => {
      const { pathname } = new URL(request("management", "POST").url);
      const outcome = await createWith("management", { kind: "redirect" });
      expect(outcome.status).to.equal(307);
      expect(outcome.headers.location).to.equal(`https://elsewhere.invalid${pathname}`);
      const elsewhere = await createWith("management", { kind: "redirect", location: "http://127.0.0.1:9" });
      expect(elsewhere.headers.location).to.equal(`http://127.0.0.1:9${pathname}`);
      expect(dashboards()).to.deep.equal([]);
    });

    it("reset: the connection breaks before the body is read", async () => {
      expect(await createWith("management", { kind: "reset" })).to.include({ code: "ECONNRESET" });
      expect(dashboards()).to.deep.equal([]);
      const [entry] = sandbox.requests;
      expect(entry).to.include({ status: 0, fault: "reset", operation: "createDashboard" });
      expect(entry).to.not.have.property("requestBody");
    });

    it("a fault comes before authentication", async () => {
      await sandbox.faults.set([{ kind: "500", operation: "listKeys" }]);
      const url = `${sandbox.baseUrl}/v1/organizations/${sandbox.credentials.organizationId}/keys`;
      expect(await ask({ method: "GET", url, headers: {} })).to.include({ status: 500 });
    });
  });

  describe("once a request was carried out", () => {
    for (const [kind, status] of [
      ["500", 500],
      ["502", 502],
      ["503", 503],
      ["403-firewall", 403],
      ["408", 408],
      ["429-gateway", 429],
    ] as const) {
      it(`${kind}, after: the object is there`, async () => {
        const outcome = await createWith("observability", { kind, when: "after" });
        expect(outcome.status).to.equal(status);
        expect(dashboards()).to.have.length(1);
        expect(sandbox.requests[0]).to.deep.include({ status, fault: kind, requestBody: dashboard });
      });
    }

    it("reset, after: no byte of an answer, and the object is there", async () => {
      const outcome = await createWith("management", { kind: "reset", when: "after" });
      expect(outcome).to.include({ code: "ECONNRESET" }).and.not.have.property("status");
      expect(dashboards()).to.have.length(1);
      expect(sandbox.requests[0]).to.deep.include({ status: 0, fault: "reset", requestBody: dashboard });
    });

    for (const kind of ["reset-during", "cut-off"] as const) {
      it(`${kind}: half of an answer, shorter than its Content-Length`, async () => {
        const outcome = await createWith("management", { kind });
        expect(outcome).to.include({ status: 200, code: "ECONNRESET" });
        const length = Number(outcome.headers["content-length"]);
        expect(outcome.body.length).to.equal(length >> 1);
        expect(outcome.body.toString()).to.match(/^\{"status":200,"requestId":"[\w-]+","result":\{/);
        expect(dashboards()).to.have.length(1);
      });
    }

    it("cut-short: half of an answer, with a Content-Length that fits", async () => {
      const outcome = await createWith("observability", { kind: "cut-short" });
      expect(outcome).to.include({ status: 200 }).and.not.have.property("code");
      expect(Number(outcome.headers["content-length"])).to.equal(outcome.body.length);
      expect(() => json(outcome)).to.throw(SyntaxError);
      expect(dashboards()).to.have.length(1);
    });

    const replacing: [Fault["kind"], (outcome: Outcome, api: Api) => void][] = [
      ["not-json", (outcome) => page(outcome, "Sign in")],
      ["empty-object", (outcome) => expect(json(outcome)).to.deep.equal({})],
      [
        "null-data",
        (outcome, api) => {
          if (api === "observability") expect(json(outcome)).to.deep.equal({ data: null });
          else expect(json(outcome)).to.include({ status: 200, result: null }).and.have.property("requestId");
        },
      ],
    ];
    for (const [kind, check] of replacing) {
      it(`${kind}: with status 200, once it was carried out or in place of that`, async () => {
        for (const api of ["management", "observability"] as const) {
          const outcome = await createWith(api, { kind });
          expect(outcome.status).to.equal(200);
          check(outcome, api);
        }
        expect(dashboards()).to.have.length(2);
        const outcome = await createWith("management", { kind, when: "before" });
        expect(outcome.status).to.equal(200);
        check(outcome, "management");
        expect(dashboards()).to.have.length(2);
      });
    }

    for (const [kind, status] of [
      ["no-content", 204],
      ["accepted", 202],
    ] as const) {
      it(`${kind}: status ${status}, once it was carried out or in place of that`, async () => {
        for (const when of ["after", "before"] as const) {
          const outcome = await createWith("management", { kind, when });
          expect(outcome.status).to.equal(status);
          if (kind === "accepted") expect(json(outcome)).to.have.all.keys("status", "requestId");
          else expect(outcome.body).to.have.length(0);
          expect(dashboards()).to.have.length(1);
        }
      });
    }

    it("other-shape: a list for an object, an object for a list, a list for a receipt", async () => {
      const { result } = json(await createWith("management", { kind: "other-shape" }));
      expect(result).to.have.length(1);
      expect(result[0]).to.include({ id: dashboards()[0]?.id });
      await sandbox.faults.set([{ kind: "other-shape", operation: "*" }]);
      const list = json(await ask(request("observability", "GET")));
      expect(list.data).to.have.all.keys("items");
      const deleted = await ask(request("observability", "DELETE", `/${result[0].id}`));
      expect(json(deleted)).to.deep.equal(["done"]);
      expect(dashboards()).to.deep.equal([]);
    });

    it("other-id: every object has the id of another one or a new one of the same form, the rest is as it was", async () => {
      const { result } = json(await createWith("management", { kind: "other-id" }));
      const [made] = dashboards();
      expect(result.id)
        .to.match(/^[0-9a-f]{24}$/)
        .and.not.equal(made?.id);
      expect(result).to.include({ name: dashboard.name });
      await sandbox.faults.set([{ kind: "other-id", operation: "createKey" }]);
      const { organizationId, keyId, keySecret } = sandbox.credentials;
      const outcome = await ask({
        method: "POST",
        url: `${sandbox.baseUrl}/v1/organizations/${organizationId}/keys`,
        headers: { authorization: basic(keyId, keySecret), "content-type": "application/json" },
        body: '{"roles":["developer"]}',
      });
      const { key, keySecret: secret } = json(outcome).result;
      const [seeded, second] = sandbox.store.keys.keys();
      expect(key.id).to.equal(seeded).and.not.equal(second);
      expect(secret).to.be.a("string");
    });

    it("no-id: no object has an id", async () => {
      const { result } = json(await createWith("management", { kind: "no-id" }));
      expect(result).to.include({ name: dashboard.name }).and.not.have.property("id");
      await sandbox.faults.set([{ kind: "no-id", operation: "listDashboards" }]);
      const [listed] = json(await ask(request("observability", "GET"))).data;
      expect(listed).to.include({ name: dashboard.name }).and.not.have.property("id");
    });

    it("a body is left as it is where there is nothing in it to change", async () => {
      await sandbox.faults.set([{ kind: "other-id", operation: "getDashboard" }]);
      const outcome = await ask(request("management", "GET", `/${"0".repeat(24)}`));
      expect(outcome.status).to.equal(404);
      inWords.management(404, /^NOT_FOUND/)(outcome);
    });
  });

  describe("large answers", () => {
    const size = (outcome: Outcome) => outcome.body.length / 1024 / 1024;

    it("huge: 200 MB that are made while they are sent", async () => {
      await sandbox.faults.set([{ kind: "huge", operation: "createDashboard" }]);
      const before = process.memoryUsage().rss;
      let most = 0;
      let received = 0;
      const { url, method, headers, body } = request("management", "POST", "", dashboard);
      const response = await fetch(url, { method, headers, body });
      for await (const part of response.body ?? []) {
        received += part.length;
        most = Math.max(most, process.memoryUsage().rss - before);
      }
      expect(received / 1024 / 1024).to.be.within(200, 200.01);
      expect(most / 1024 / 1024).to.be.below(150);
      expect(dashboards()).to.have.length(1);
    });

    it("huge: of another size, as JSON in the API's envelope", async () => {
      const outcome = await createWith("observability", { kind: "huge", megabytes: 2 });
      expect(size(outcome)).to.be.within(2, 2.01);
      expect(json(outcome).data).to.match(/^x+$/);
    });

    it("gzip-bomb: unpacks to a thousand times its size", async () => {
      const outcome = await createWith("management", { kind: "gzip-bomb", megabytes: 100 });
      expect(outcome.headers["content-encoding"]).to.equal("gzip");
      expect(size(outcome)).to.be.below(0.2);
      let unpacked = 0;
      const gunzip = createGunzip();
      gunzip.end(outcome.body);
      for await (const part of gunzip) unpacked += part.length;
      expect(unpacked / 1024 / 1024).to.be.within(100, 100.01);
    });

    it("a client that leaves in the middle leaves nothing behind", async () => {
      await sandbox.faults.set([{ kind: "huge", operation: "listDashboards", megabytes: 10_000 }]);
      const { url, headers } = request("management", "GET");
      const leaving = new AbortController();
      const response = await fetch(url, { headers, signal: leaving.signal });
      await response.body?.getReader().read();
      leaving.abort();
      await sandbox.faults.clear();
      expect((await ask(request("management", "GET"))).status).to.equal(200);
    });
  });

  describe("delays", () => {
    it("delay: carries out and answers later, or carries out and answers late", async () => {
      const early = createWith("management", { kind: "delay", milliseconds: 150 });
      while (sandbox.faults.list()[0]?.injected !== 1) await new Promise((resolve) => setImmediate(resolve));
      expect(dashboards()).to.deep.equal([]);
      const outcome = await early;
      expect(outcome.status).to.equal(200);
      expect(outcome.took).to.be.above(145);
      expect(dashboards()).to.have.length(1);

      const late = createWith("management", { kind: "delay", milliseconds: 150, when: "after" });
      while (dashboards().length === 1) await new Promise((resolve) => setImmediate(resolve));
      expect(sandbox.requests).to.have.length(1);
      expect((await late).took).to.be.above(145);
      expect(sandbox.requests.map(({ status, fault }) => [status, fault])).to.deep.equal([
        [200, "delay"],
        [200, "delay"],
      ]);
    });
  });
});
