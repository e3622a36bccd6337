import { expect } from "chai";
import type { ApiName } from "../../sandbox/core/request";
import { type Fault, type FaultKind, faultKinds } from "../../sandbox/index";
import { type Answer, apis, dashboard, useSandbox } from "./requests";

/** Describes an answer of the sandbox in one line: its status, the properties of its JSON, and its first words. */
function lineOf({ status, type, text, body, reason }: Answer): string {
  const words = type.startsWith("text/html")
    ? /<pre>(\w+ \w+)/.exec(text)?.[1]
    : (reason ?? (body ? "" : text));
  return [status, ...(body ? [`{${Object.keys(body)}}`] : []), words].join(" ").trim();
}

const own = (status: number, code: string, words: string) => [
  `${status} {status,error,requestId} ${code}: ${words}`,
  `${status} {message} ${words}`,
];
const page = (status: number, words: string) => [`${status} ${words}`, `${status} ${words}`];

/**
 * The expected answers to the create of a dashboard with each kind of fault, on the management API and on the observability
 * API.
 */
const lines: { readonly [kind in FaultKind]?: readonly string[] } = {
  "400": own(400, "BAD_REQUEST", "the request is refused"),
  "401": [own(401, "UNAUTHORIZED", "Unauthorized")[0] ?? "", "401 Unauthorized"],
  "403": own(403, "FORBIDDEN", "not allowed"),
  "404": own(404, "NOT_FOUND", "not found"),
  "409": own(409, "CONFLICT", "in conflict with another change"),
  "429": [
    "429 {status,error,requestId} TOO_MANY_REQUESTS: Too many requests, please try again later.",
    "429 Too many",
  ],
  "500": own(500, "INTERNAL_SERVER_ERROR", "something went wrong"),
  "503": own(503, "SERVICE_UNAVAILABLE", "not available for now"),
  "404-gateway": page(404, "Cannot POST"),
  "404-framework": page(404, "{timestamp,path,status,error,message,requestId} Not Found"),
  "404-envelope": page(404, "{status,error,requestId} Not Found"),
  "502": page(502, "Bad Gateway"),
  "403-firewall": page(403, "Request blocked"),
  "408": page(408, "Request Timeout"),
  "429-gateway": page(429, "Slow down"),
  "not-json": page(200, "Sign in"),
  "empty-object": page(200, "{}"),
  "null-data": ["200 {status,requestId,result}", "200 {data}"],
  "no-content": ["204", "204"],
  accepted: ["202 {status,requestId}", "202 {}"],
};

describe("Answers that the sandbox's faults send", () => {
  const client = useSandbox();
  const { faults, store } = client.sandbox;
  const createWith = async (api: ApiName, fault: Omit<Fault, "operation">) => {
    await faults.set([{ ...fault, operation: "createDashboard" }]);
    return client.stack(api, "POST", "/dashboards", dashboard);
  };

  for (const [name, expected] of Object.entries(lines)) {
    const kind = name as FaultKind;
    const [usual, ...others] = faultKinds[kind].when.filter((when) => when !== "later");
    for (const when of [undefined, ...others])
      it(`a fault of kind ${kind} answers on both APIs ${when ?? usual} the request is carried out`, async () => {
        for (const [index, api] of apis.entries()) {
          const size = store.dashboards.size;
          expect(lineOf(await createWith(api, { kind, when }))).to.equal(expected[index]);
          const isMade = (when ?? usual) === "after";
          expect(store.dashboards.size, `${api} ${when}`).to.equal(size + (isMade ? 1 : 0));
          if (isMade)
            expect(client.sandbox.requests.at(-1)).to.deep.include({ fault: kind, requestBody: dashboard });
        }
      });
  }

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
    it(`the answer of the fault ${JSON.stringify(fault)} has the header ${name}: ${value ?? "none"}`, async () => {
      const { status, headers } = await createWith("management", fault);
      expect(status).to.equal(Number.parseInt(fault.kind, 10));
      expect(headers.get(name)).to.equal(value);
    });

  it("a fault of kind 429-date sends the end of the wait as a date in the header retry-after", async () => {
    const before = Date.now();
    const { headers } = await createWith("management", { kind: "429-date", seconds: 7 });
    const moment = Date.parse(headers.get("retry-after") ?? "") - 7000;
    expect(moment).to.be.within(before, Date.now() + 1000);
  });

  for (const location of [undefined, "http://127.0.0.1:9"])
    it(`a fault of kind redirect answers 307 with the requested path on ${location ?? "another origin"}`, async () => {
      const { status, headers } = await createWith("observability", { kind: "redirect", location });
      expect(status).to.equal(307);
      const origin = location ?? "https://elsewhere.invalid";
      expect(headers.get("location")).to.equal(`${origin}/api/v2/dashboards`);
      expect(store.dashboards.size).to.equal(0);
    });

  it("a fault of kind other-shape exchanges lists and objects in answers", async () => {
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
      it(`a fault of kind ${kind} changes only the id in the answer of the ${api} API`, async () => {
        const { id, ...rest } = (await createWith(api, { kind })).payload;
        expect(String(id)).to.match(form);
        const [{ id: own, serviceId, ...stored } = {} as never] = store.dashboards.values();
        expect(id).to.not.equal(own);
        expect(rest).to.deep.equal(stored);
      });

  it("a fault of kind other-id also changes the id in the answer to the create of an API key", async () => {
    await faults.set([{ kind: "other-id", operation: "createKey" }]);
    const { key } = (await client.organization("POST", "/keys", { roles: ["admin"] })).payload;
    expect(key.id).to.equal([...store.keys.keys()][0]);
  });

  it("a fault of kind no-id leaves the ids out of a list", async () => {
    await client.observability("POST", "/dashboards", dashboard);
    await faults.set([{ kind: "no-id", operation: "listDashboards" }]);
    const [listed] = (await client.observability("GET", "/dashboards")).payload;
    expect(listed).to.include({ name: dashboard.name }).and.not.have.property("id");
  });

  it("the sandbox's journal has no request body if a fault kept the request from being carried out", async () => {
    await createWith("management", { kind: "reset" }).catch(() => undefined);
    const [entry] = client.sandbox.requests;
    expect(entry).to.include({ status: 0, fault: "reset", operation: "createDashboard" });
    expect(entry).to.not.have.property("requestBody");
    expect(store.dashboards.size).to.equal(0);
  });
});
