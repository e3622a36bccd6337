import { expect } from "chai";
import type { ApiName } from "../../sandbox/core/request";
import type { Fault, FaultKind } from "../../sandbox/index";
import { type Answer, apis, dashboard, unknownId, useSandbox } from "./requests";

describe("Answers of faults", () => {
  const client = useSandbox();
  const { faults, store } = client.sandbox;
  const createWith = async (api: ApiName, fault: Omit<Fault, "operation">) => {
    await faults.set([{ ...fault, operation: "createDashboard" }]);
    return client.stack(api, "POST", "/dashboards", dashboard);
  };
  const expectPage = (answer: Answer, text: string) => {
    expect(answer.type).to.equal("text/html; charset=utf-8");
    expect(answer.text).to.include(text);
  };

  const refusals: readonly [kind: FaultKind, status: number, word: string][] = [
    ["400", 400, "BAD_REQUEST"],
    ["401", 401, "UNAUTHORIZED"],
    ["403", 403, "FORBIDDEN"],
    ["404", 404, "NOT_FOUND"],
    ["409", 409, "CONFLICT"],
    ["429", 429, "TOO_MANY_REQUESTS"],
    ["500", 500, "INTERNAL_SERVER_ERROR"],
    ["503", 503, "SERVICE_UNAVAILABLE"],
  ];
  for (const [kind, status, word] of refusals)
    it(`both APIs say ${kind} in their own words, and carry nothing out`, async () => {
      const management = await createWith("management", { kind });
      expect(management.status).to.equal(status);
      expect(management.body).to.have.all.keys("status", "error", "requestId").and.include({ status });
      expect(management.reason).to.match(new RegExp(`^${word}: `));
      const observability = await createWith("observability", { kind });
      expect(observability.status).to.equal(status);
      if (kind === "401")
        expect(observability).to.include({ type: "text/plain; charset=utf-8", text: "Unauthorized" });
      else if (kind === "429") expectPage(observability, "Too many requests");
      else expect(observability.body).to.have.all.keys("message");
      expect(store.dashboards.size).to.equal(0);
    });

  const pages: readonly [kind: FaultKind, status: number, text: string][] = [
    ["404-gateway", 404, "Cannot POST /"],
    ["502", 502, "Bad Gateway"],
    ["403-firewall", 403, "Request blocked"],
    ["408", 408, "Request Timeout"],
    ["429-gateway", 429, "Slow down"],
  ];
  for (const [kind, status, text] of pages)
    for (const api of apis)
      it(`the ${api} API answers ${kind} with a page, and carries nothing out`, async () => {
        const answer = await createWith(api, { kind, when: "before" });
        expect(answer.status).to.equal(status);
        expectPage(answer, text);
        expect(store.dashboards.size).to.equal(0);
      });

  it("the fault 404 says that a dashboard is missing in the words of each API", async () => {
    await faults.set([{ kind: "404", operation: "*" }]);
    const get = (api: ApiName) => client.stack(api, "GET", `/dashboards/${unknownId}`);
    expect((await get("management")).body).to.include({ status: 404, error: "NOT_FOUND: Not Found" });
    expect(await get("observability")).to.include({ type: "text/plain; charset=utf-8", text: "Not Found" });
  });

  it("the fault 404-framework answers the JSON of a web framework, with the members of the envelope and more", async () => {
    const { status, body } = await createWith("management", { kind: "404-framework" });
    expect(status).to.equal(404);
    expect(body).to.have.all.keys("timestamp", "path", "status", "error", "message", "requestId");
  });

  for (const api of apis)
    it(`the fault 404-envelope answers the management API's envelope in other words on the ${api} API`, async () => {
      const { status, body } = await createWith(api, { kind: "404-envelope" });
      expect(status).to.equal(404);
      expect(body)
        .to.have.all.keys("status", "error", "requestId")
        .and.include({ status: 404, error: "Not Found" });
    });

  const waits: readonly [fault: Omit<Fault, "operation">, name: string, value: string | null][] = [
    [{ kind: "429" }, "retry-after", "1"],
    [{ kind: "429", seconds: 0.25 }, "retry-after", "0.25"],
    [{ kind: "429-reset", seconds: 2.5 }, "x-ratelimit-reset", "2.5"],
    [{ kind: "429-reset", seconds: 2.5 }, "retry-after", null],
    [{ kind: "429-bare" }, "retry-after", null],
    [{ kind: "429-bare" }, "x-ratelimit-reset", null],
    [{ kind: "429-gateway", seconds: 4 }, "retry-after", "4"],
    [{ kind: "503" }, "retry-after", null],
    [{ kind: "503", seconds: 3 }, "retry-after", "3"],
  ];
  for (const [fault, name, value] of waits)
    it(`the fault ${JSON.stringify(fault)} sends ${value === null ? "no" : value} ${name}`, async () => {
      const { status, headers } = await createWith("management", fault);
      expect(status).to.equal(Number.parseInt(fault.kind, 10));
      expect(headers.get(name)).to.equal(value);
    });

  it("the fault 429-date names the end of the wait in whole seconds", async () => {
    const before = Date.now();
    const { headers } = await createWith("management", { kind: "429-date", seconds: 7 });
    const moment = Date.parse(headers.get("retry-after") ?? "") - 7000;
    expect(moment).to.be.within(before, Date.now() + 1000);
  });

  for (const location of [undefined, "http://127.0.0.1:9"])
    it(`the fault redirect leads to the same path on ${location ?? "another origin"}`, async () => {
      const { status, headers } = await createWith("observability", { kind: "redirect", location });
      expect(status).to.equal(307);
      const origin = location ?? "https://elsewhere.invalid";
      expect(headers.get("location")).to.equal(`${origin}/api/v2/dashboards`);
      expect(store.dashboards.size).to.equal(0);
    });

  for (const [kind, status] of [
    ["500", 500],
    ["502", 502],
    ["503", 503],
    ["403-firewall", 403],
    ["408", 408],
    ["429-gateway", 429],
  ] as const)
    it(`the fault ${kind} after the request answers a failure although it was carried out`, async () => {
      expect((await createWith("observability", { kind, when: "after" })).status).to.equal(status);
      expect(store.dashboards.size).to.equal(1);
      const entry = { status, fault: kind, requestBody: dashboard };
      expect(client.sandbox.requests[0]).to.deep.include(entry);
    });

  const replacing: readonly [
    kind: FaultKind,
    status: number,
    check: (answer: Answer, api: ApiName) => void,
  ][] = [
    ["not-json", 200, (answer) => expectPage(answer, "Sign in")],
    ["empty-object", 200, ({ body }) => expect(body).to.deep.equal({})],
    [
      "null-data",
      200,
      ({ body }, api) =>
        api === "observability"
          ? expect(body).to.deep.equal({ data: null })
          : expect(body).to.include({ status: 200, result: null }).and.have.property("requestId"),
    ],
    ["no-content", 204, ({ text }) => expect(text).to.equal("")],
    [
      "accepted",
      202,
      ({ body }, api) =>
        expect(Object.keys(body)).to.deep.equal(api === "management" ? ["status", "requestId"] : []),
    ],
  ];
  for (const [kind, status, check] of replacing)
    it(`the fault ${kind} answers ${status} after the request, or in place of it`, async () => {
      for (const [api, when, count] of [
        ["management", undefined, 1],
        ["observability", undefined, 2],
        ["management", "before", 2],
      ] as const) {
        const answer = await createWith(api, { kind, when });
        expect(answer.status).to.equal(status);
        check(answer, api);
        expect(store.dashboards.size).to.equal(count);
      }
    });

  it("the fault cut-short answers half of a body, with a length that fits", async () => {
    const answer = await createWith("observability", { kind: "cut-short" });
    expect(answer).to.include({ status: 200, body: undefined });
    expect(answer.text).to.match(/^\{"data":\{/);
    expect(answer.headers.get("content-length")).to.equal(null);
    expect(store.dashboards.size).to.equal(1);
  });

  it("the fault other-shape answers a list for an object, an object for a list, and a list for a receipt", async () => {
    const { payload } = await createWith("management", { kind: "other-shape" });
    expect(payload).to.have.length(1);
    expect(payload[0]).to.include({ id: [...store.dashboards.keys()][0] });
    await faults.set([{ kind: "other-shape", operation: "*" }]);
    const listed = await client.observability("GET", "/dashboards");
    expect(listed.payload).to.have.all.keys("items");
    const deleted = await client.observability("DELETE", `/dashboards/${payload[0].id}`);
    expect(deleted.body).to.deep.equal(["done"]);
    expect(store.dashboards.size).to.equal(0);
  });

  const ids: readonly [kind: FaultKind, form: RegExp][] = [
    ["other-id", /^[0-9a-f]{24}$/],
    ["path-id", /^\.\.\/[0-9a-f]{24}$/],
    ["blank-id", /^ $/],
    ["foreign-id", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    ["no-id", /^undefined$/],
  ];
  for (const [kind, form] of ids)
    for (const api of apis)
      it(`the fault ${kind} changes only the id in the answer of the ${api} API, to ${form}`, async () => {
        const { id, ...rest } = (await createWith(api, { kind })).payload;
        expect(String(id)).to.match(form);
        const [{ id: own, serviceId, ...stored } = {} as never] = store.dashboards.values();
        expect(id).to.not.equal(own);
        expect(rest).to.deep.equal(stored);
      });

  it("the fault other-id answers the id of another object if there is one, even inside a new key", async () => {
    await faults.set([{ kind: "other-id", operation: "createKey" }]);
    const { key, keySecret } = (await client.organization("POST", "/keys", { roles: ["admin"] })).payload;
    expect(key.id).to.equal([...store.keys.keys()][0]);
    expect(keySecret).to.be.a("string");
  });

  it("the fault no-id leaves the ids out of a list", async () => {
    await client.observability("POST", "/dashboards", dashboard);
    await faults.set([{ kind: "no-id", operation: "listDashboards" }]);
    const [listed] = (await client.observability("GET", "/dashboards")).payload;
    expect(listed).to.include({ name: dashboard.name }).and.not.have.property("id");
  });

  it("a fault leaves a body unchanged that has nothing to change", async () => {
    await faults.set([{ kind: "other-id", operation: "getDashboard" }]);
    const { status, reason } = await client.service("GET", `/stack/dashboards/${unknownId}`);
    expect([status, reason]).to.deep.equal([404, "NOT_FOUND: Not Found"]);
  });

  it("the sandbox applies a fault before it authenticates the request", async () => {
    await faults.set([{ kind: "500", operation: "listKeys" }]);
    expect((await client.organization("GET", "/keys", undefined, "")).status).to.equal(500);
  });

  it("a fault before the request leaves its body out of the journal", async () => {
    await createWith("management", { kind: "reset" }).catch(() => undefined);
    const [entry] = client.sandbox.requests;
    expect(entry).to.include({ status: 0, fault: "reset", operation: "createDashboard" });
    expect(entry).to.not.have.property("requestBody");
    expect(store.dashboards.size).to.equal(0);
  });
});
