import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { createSandbox, type Sandbox } from "../../../../sandbox/index";
import { send, settingsOf } from "../../../serviceContents";
import { deleting, resource, useOrphansFixture } from "./orphansFixture";

/** An answer in place of the service's own. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

const page = "<html><body>Not here</body></html>";
const envelope = (status: number, error: string): Answer => ({
  status,
  body: { status, error, requestId: "9b3e0c52-5d0c-4d7a-9a3c-0e3d1a2b3c4d" },
});
const result = (value: unknown, further: object = {}): Answer => ({
  status: 200,
  body: { status: 200, requestId: "9b3e0c52-5d0c-4d7a-9a3c-0e3d1a2b3c4d", result: value, ...further },
});

/** Answers of gateways, proxies and overloaded servers to any request. */
const foreign: { readonly [title: string]: Answer } = {
  "a gateway's 404": { status: 404, body: page },
  "the 404 of a web framework": { status: 404, body: { message: "Not Found", statusCode: 404 } },
  "a 404 in the API's envelope that names nothing": envelope(404, "Not Found"),
  "a gateway's 405": { status: 405, body: page },
  "a 403 of the API": envelope(403, "Forbidden"),
  "a firewall's 403": { status: 403, body: page },
  "a 500 of the API": envelope(500, "Internal Server Error"),
  "a gateway's 502": { status: 502, body: page },
  "a web page with status 200": { status: 200, body: page },
  "an empty object": { status: 200, body: {} },
  "half an answer": { status: 200, body: '{"status":200,"result":{"roles":[],"openApi' },
  "a redirect": { status: 307, body: "", headers: { location: "https://login.example.com/" } },
};

describe("pipestack orphans --delete --yes, for a key that another service's query endpoint lets in,", () => {
  const fixture = useOrphansFixture();
  const { report, state } = fixture;
  let product: Sandbox;
  let front: Server;
  /** Answers by the ends of paths. */
  const answers = new Map<RegExp, Answer>();

  before(async () => {
    product = await createSandbox({ dialect: "clickhouse", apis: "management" });
    front = createServer(async ({ method, url = "", headers }, response) => {
      const [, answer] = [...answers].find(([path]) => method === "GET" && path.test(url)) ?? [];
      if (answer) {
        const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
        response
          .writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
          .end(text);
        return;
      }
      const { authorization = "" } = headers;
      const passed = await fetch(`${product.baseUrl}${url}`, { method, headers: { authorization } });
      response.writeHead(passed.status, { "content-type": "application/json" }).end(await passed.text());
    });
    await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  });
  beforeEach(async () => {
    answers.clear();
    await product.reset();
  });
  after(async () => {
    front.close();
    await product.close();
  });

  const newKey = async (name: string) => {
    const body = { name, roles: ["developer"] };
    return (await send<{ key: { id: string } }>(product, "POST", "/keys", body)).key.id;
  };

  /** Runs the command beside a held key, and says why the used key is kept, and which keys are left. */
  async function outcome(held: object[] = []) {
    const [used, ours, unused] = [await newKey("used"), await newKey("ours"), await newKey("unused")];
    const { secondServiceId: serviceId } = product.credentials;
    product.store.queryEndpoints.set("e2", {
      ...{ id: "e2", serviceId, roles: [], openApiKeys: [used], allowedOrigins: "" },
    });
    const settings = {
      ...{ ...settingsOf(product), dialect: "clickhouse", requestsPerSecond: "1000", maxRetries: "0" },
      ...{ baseUrl: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, accessToken: "" },
    };
    const file = await state([resource("ApiKey", ours), ...held]);
    const { found } = await report({ state: [file], only: ["ApiKey"], ...deleting }, settings);
    const kept = found.orphans.find(({ id }) => id === used)?.kept ?? "";
    return { kept, hasUsed: product.store.keys.has(used), hasUnused: product.store.keys.has(unused) };
  }

  const services = /\/services$/;
  const endpointOf = (serviceId: string) => new RegExp(`/services/${serviceId}/serviceQueryEndpoint$`);
  const noEndpoint = envelope(404, "the service has no query endpoint");

  it("keeps the key alone, and names the endpoint, if everything answers", async () => {
    expect(await outcome()).to.deep.equal({
      kept: `query endpoint ${product.credentials.secondServiceId} uses it and stays`,
      ...{ hasUsed: true, hasUnused: false },
    });
  });

  it("deletes the key if every service says in the API's words that it has no such endpoint", async () => {
    answers.set(endpointOf(product.credentials.secondServiceId), noEndpoint);
    expect(await outcome()).to.include({ kept: "", hasUsed: false });
  });

  const own = () => ({ id: product.credentials.serviceId, name: "warehouse" });
  const other = { id: "0c8f2e6a-0000-4000-8000-000000000001", name: "another" };
  const hundred = () => Array.from({ length: 100 }, (_, at) => ({ ...own(), name: String(at) }));
  type Answers = () => { list?: Answer; own?: Answer; other?: Answer; held?: object[] };
  const second = (type: string, id?: string) => {
    const { secondServiceId: serviceId } = product.credentials;
    return [resource(type, id ?? serviceId, { serviceId })];
  };
  const doubtful: { [what: string]: Answers } = {
    "the other endpoint is shown without its keys": () => ({ other: result({ id: "e2", roles: [] }) }),
    "the list of services is empty": () => ({ list: result([]) }),
    "the list of services lacks the service of the settings": () => ({ list: result([other]) }),
    "the list of services is a page of a longer one": () => ({ list: result([own()], { hasMore: true }) }),
    "the list has fewer services than it counts": () => ({ list: result([own()], { totalCount: 2 }) }),
    "the list has exactly a page's worth of services": () => ({ list: result(hundred()) }),
    "the list of services lacks one that a given state names": () => ({
      list: result([own()]),
      held: second("Dashboard", "65f1c0a2b3d4e5f607182999"),
    }),
    "a service shows no endpoint and a given state holds it": () => ({
      other: noEndpoint,
      held: second("QueryEndpoint"),
    }),
    "the service of the settings has no route for its endpoint": () => ({
      own: { status: 405, body: page },
      other: noEndpoint,
    }),
  };
  for (const [title, answer] of Object.entries(foreign)) {
    doubtful[`the other endpoint answers ${title}`] = () => ({ other: answer });
    doubtful[`the list of services answers ${title}`] = () => ({ list: answer });
  }
  for (const [what, given] of Object.entries(doubtful))
    it(`keeps the key, since it cannot tell who uses it, if ${what}`, async () => {
      const { list, own, other, held } = given();
      const { serviceId, secondServiceId } = product.credentials;
      if (list) answers.set(services, list);
      if (own) answers.set(endpointOf(serviceId), own);
      if (other) answers.set(endpointOf(secondServiceId), other);
      const { kept, hasUsed } = await outcome(held);
      expect(hasUsed).to.equal(true);
      expect(kept).to.match(/^cannot tell which query endpoints use it: ./);
    });
});
