import { createGunzip } from "node:zlib";
import { expect } from "chai";
import type { Fault } from "../../sandbox/index";
import { type Api, expectPage, expectRefusal, useFaultedDashboards } from "./faultedDashboards";
import { basic, dashboard } from "./requests";
import { ask, json, type Outcome } from "./wire";

describe("sandbox: faults once a request was carried out", () => {
  const faulted = useFaultedDashboards();

  for (const [kind, status] of [
    ["500", 500],
    ["502", 502],
    ["503", 503],
    ["403-firewall", 403],
    ["408", 408],
    ["429-gateway", 429],
  ] as const) {
    it(`${kind}, after: the object is there`, async () => {
      const outcome = await faulted.createWith("observability", { kind, when: "after" });
      expect(outcome.status).to.equal(status);
      expect(faulted.dashboards()).to.have.length(1);
      expect(faulted.sandbox.requests[0]).to.deep.include({ status, fault: kind, requestBody: dashboard });
    });
  }

  it("reset, after: no byte of an answer, and the object is there", async () => {
    const outcome = await faulted.createWith("management", { kind: "reset", when: "after" });
    expect(outcome).to.include({ code: "ECONNRESET" }).and.not.have.property("status");
    expect(faulted.dashboards()).to.have.length(1);
    expect(faulted.sandbox.requests[0]).to.deep.include({
      status: 0,
      fault: "reset",
      requestBody: dashboard,
    });
  });

  for (const kind of ["reset-during", "cut-off"] as const) {
    it(`${kind}: half of an answer, shorter than its Content-Length`, async () => {
      const outcome = await faulted.createWith("management", { kind });
      expect(outcome).to.include({ status: 200, code: "ECONNRESET" });
      const length = Number(outcome.headers["content-length"]);
      expect(outcome.body.length).to.equal(length >> 1);
      expect(outcome.body.toString()).to.match(/^\{"status":200,"requestId":"[\w-]+","result":\{/);
      expect(faulted.dashboards()).to.have.length(1);
    });
  }

  it("cut-short: half of an answer, with a Content-Length that fits", async () => {
    const outcome = await faulted.createWith("observability", { kind: "cut-short" });
    expect(outcome).to.include({ status: 200 }).and.not.have.property("code");
    expect(Number(outcome.headers["content-length"])).to.equal(outcome.body.length);
    expect(() => json(outcome)).to.throw(SyntaxError);
    expect(faulted.dashboards()).to.have.length(1);
  });

  const replacing: [Fault["kind"], (outcome: Outcome, api: Api) => void][] = [
    ["not-json", (outcome) => expectPage(outcome, "Sign in")],
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
        const outcome = await faulted.createWith(api, { kind });
        expect(outcome.status).to.equal(200);
        check(outcome, api);
      }
      expect(faulted.dashboards()).to.have.length(2);
      const outcome = await faulted.createWith("management", { kind, when: "before" });
      expect(outcome.status).to.equal(200);
      check(outcome, "management");
      expect(faulted.dashboards()).to.have.length(2);
    });
  }

  for (const [kind, status] of [
    ["no-content", 204],
    ["accepted", 202],
  ] as const) {
    it(`${kind}: status ${status}, once it was carried out or in place of that`, async () => {
      for (const when of ["after", "before"] as const) {
        const outcome = await faulted.createWith("management", { kind, when });
        expect(outcome.status).to.equal(status);
        if (kind === "accepted") expect(json(outcome)).to.have.all.keys("status", "requestId");
        else expect(outcome.body).to.have.length(0);
        expect(faulted.dashboards()).to.have.length(1);
      }
    });
  }

  it("other-shape: a list for an object, an object for a list, a list for a receipt", async () => {
    const { result } = json(await faulted.createWith("management", { kind: "other-shape" }));
    expect(result).to.have.length(1);
    expect(result[0]).to.include({ id: faulted.dashboards()[0]?.id });
    await faulted.sandbox.faults.set([{ kind: "other-shape", operation: "*" }]);
    const list = json(await ask(faulted.request("observability", "GET")));
    expect(list.data).to.have.all.keys("items");
    const deleted = await ask(faulted.request("observability", "DELETE", `/${result[0].id}`));
    expect(json(deleted)).to.deep.equal(["done"]);
    expect(faulted.dashboards()).to.deep.equal([]);
  });

  it("other-id: every object has the id of another one or a new one of the same form, the rest is as it was", async () => {
    const { result } = json(await faulted.createWith("management", { kind: "other-id" }));
    const [made] = faulted.dashboards();
    expect(result.id)
      .to.match(/^[0-9a-f]{24}$/)
      .and.not.equal(made?.id);
    expect(result).to.include({ name: dashboard.name });
    await faulted.sandbox.faults.set([{ kind: "other-id", operation: "createKey" }]);
    const { organizationId, keyId, keySecret } = faulted.sandbox.credentials;
    const outcome = await ask({
      method: "POST",
      url: `${faulted.sandbox.baseUrl}/v1/organizations/${organizationId}/keys`,
      headers: { authorization: basic(keyId, keySecret), "content-type": "application/json" },
      body: '{"roles":["developer"]}',
    });
    const { key, keySecret: secret } = json(outcome).result;
    const [seeded, second] = faulted.sandbox.store.keys.keys();
    expect(key.id).to.equal(seeded).and.not.equal(second);
    expect(secret).to.be.a("string");
  });

  it("path-id, blank-id, foreign-id: each id is a path, a blank or of another form, the rest is as it was", async () => {
    for (const [kind, form] of [
      ["path-id", /^\.\.\/[0-9a-f]{24}$/],
      ["blank-id", /^ $/],
      ["foreign-id", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    ] as const) {
      for (const [api, member] of [
        ["management", "result"],
        ["observability", "data"],
      ] as const) {
        const made = json(await faulted.createWith(api, { kind }))[member];
        expect(made.id, kind).to.match(form);
        expect(made).to.include({ name: dashboard.name });
      }
    }
    expect(faulted.dashboards()).to.have.length(6);
  });

  it("no-id: no object has an id", async () => {
    const { result } = json(await faulted.createWith("management", { kind: "no-id" }));
    expect(result).to.include({ name: dashboard.name }).and.not.have.property("id");
    await faulted.sandbox.faults.set([{ kind: "no-id", operation: "listDashboards" }]);
    const [listed] = json(await ask(faulted.request("observability", "GET"))).data;
    expect(listed).to.include({ name: dashboard.name }).and.not.have.property("id");
  });

  it("a body is left as it is where there is nothing in it to change", async () => {
    await faulted.sandbox.faults.set([{ kind: "other-id", operation: "getDashboard" }]);
    const outcome = await ask(faulted.request("management", "GET", `/${"0".repeat(24)}`));
    expect(outcome.status).to.equal(404);
    expectRefusal(outcome, 404, /^NOT_FOUND/);
  });

  const size = (outcome: Outcome) => outcome.body.length / 1024 / 1024;

  it("huge: 200 MB that are made while they are sent", async () => {
    await faulted.sandbox.faults.set([{ kind: "huge", operation: "createDashboard" }]);
    const before = process.memoryUsage().rss;
    let most = 0;
    let received = 0;
    const { url, method, headers, body } = faulted.request("management", "POST", "", dashboard);
    const response = await fetch(url, { method, headers, body });
    for await (const part of response.body ?? []) {
      received += part.length;
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(received / 1024 / 1024).to.be.within(200, 200.01);
    expect(most / 1024 / 1024).to.be.below(150);
    expect(faulted.dashboards()).to.have.length(1);
  });

  it("huge: of another size, as JSON in the API's envelope", async () => {
    const outcome = await faulted.createWith("observability", { kind: "huge", megabytes: 2 });
    expect(size(outcome)).to.be.within(2, 2.01);
    expect(json(outcome).data).to.match(/^x+$/);
  });

  it("gzip-bomb: unpacks to a thousand times its size", async () => {
    const outcome = await faulted.createWith("management", { kind: "gzip-bomb", megabytes: 100 });
    expect(outcome.headers["content-encoding"]).to.equal("gzip");
    expect(size(outcome)).to.be.below(0.2);
    let unpacked = 0;
    const gunzip = createGunzip();
    gunzip.end(outcome.body);
    for await (const part of gunzip) unpacked += part.length;
    expect(unpacked / 1024 / 1024).to.be.within(100, 100.01);
  });

  it("a client that leaves in the middle leaves nothing behind", async () => {
    await faulted.sandbox.faults.set([{ kind: "huge", operation: "listDashboards", megabytes: 10_000 }]);
    const { url, headers } = faulted.request("management", "GET");
    const leaving = new AbortController();
    const response = await fetch(url, { headers, signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await faulted.sandbox.faults.clear();
    expect((await ask(faulted.request("management", "GET"))).status).to.equal(200);
  });

  it("delay: carries out and answers later, or carries out and answers late", async () => {
    const early = faulted.createWith("management", { kind: "delay", milliseconds: 150 });
    while (faulted.sandbox.faults.list()[0]?.injected !== 1)
      await new Promise((resolve) => setImmediate(resolve));
    expect(faulted.dashboards()).to.deep.equal([]);
    const outcome = await early;
    expect(outcome.status).to.equal(200);
    expect(outcome.took).to.be.above(145);
    expect(faulted.dashboards()).to.have.length(1);

    const late = faulted.createWith("management", { kind: "delay", milliseconds: 150, when: "after" });
    while (faulted.dashboards().length === 1) await new Promise((resolve) => setImmediate(resolve));
    expect(faulted.sandbox.requests).to.have.length(1);
    expect((await late).took).to.be.above(145);
    expect(faulted.sandbox.requests.map(({ status, fault }) => [status, fault])).to.deep.equal([
      [200, "delay"],
      [200, "delay"],
    ]);
  });
});
