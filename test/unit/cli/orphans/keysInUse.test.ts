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

describe("pipestack orphans --delete --yes, of a key that another service's query endpoint lets in", () => {
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

  /** Runs the command beside a held key, and says why the used key is kept, and whether it still exists. */
  async function outcome(held: object[] = []) {
    const [used, ours] = [await newKey("used"), await newKey("ours")];
    const { secondServiceId: serviceId } = product.credentials;
    product.store.queryEndpoints.set("e2", {
      ...{ id: "e2", serviceId, roles: [], openApiKeys: [used], allowedOrigins: "" },
    });
    const settings = {
      ...{ ...settingsOf(product), dialect: "clickhouse", requestsPerSecond: "1000", maxRetries: "0" },
      ...{ baseUrl: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, accessToken: "" },
    };
    const file = await state([resource("ApiKey", ours), ...held]);
    const { found, stderr } = await report({ state: [file], only: ["ApiKey"], ...deleting }, settings);
    const kept = found.orphans.find(({ id }) => id === used)?.kept ?? "";
    return { kept, stderr, exists: product.store.keys.has(used) };
  }

  const doubt = /^cannot tell which query endpoints use it: ./;
  const servicesPath = /\/services$/;
  const endpointPath = () =>
    new RegExp(`/services/${product.credentials.secondServiceId}/serviceQueryEndpoint$`);

  it("keeps the key where everything answers, and names the endpoint", async () => {
    const { kept, exists } = await outcome();
    expect({ kept, exists }).to.deep.equal({
      kept: `query endpoint ${product.credentials.secondServiceId} uses it and stays`,
      exists: true,
    });
  });

  for (const [title, answer] of Object.entries(foreign)) {
    it(`keeps the key where the other service's endpoint answers ${title}`, async () => {
      answers.set(endpointPath(), answer);
      const { kept, exists } = await outcome();
      expect(exists).to.equal(true);
      expect(kept).to.match(doubt);
    });

    it(`keeps the key where the list of services answers ${title}`, async () => {
      answers.set(servicesPath, answer);
      const { kept, exists } = await outcome();
      expect(exists).to.equal(true);
      expect(kept).to.match(doubt);
    });
  }

  it("keeps the key where the other endpoint is shown without its keys", async () => {
    answers.set(endpointPath(), result({ id: "e2", roles: [] }));
    const { kept, exists } = await outcome();
    expect(exists).to.equal(true);
    expect(kept).to.match(doubt);
  });

  const own = () => ({ id: product.credentials.serviceId, name: "warehouse" });
  const other = { id: "0c8f2e6a-0000-4000-8000-000000000001", name: "another" };
  const lists: { readonly [title: string]: () => Answer } = {
    "an empty list": () => result([]),
    "a list without the service of the settings": () => result([other]),
    "a page of a longer list": () => result([own()], { hasMore: true }),
    "fewer services than it counts": () => result([own()], { totalCount: 2 }),
    "exactly a page's worth of services": () =>
      result(Array.from({ length: 100 }, (_, at) => (at === 0 ? own() : { ...own(), name: String(at) }))),
  };
  for (const [title, answer] of Object.entries(lists)) {
    it(`keeps the key where the list of services is ${title}`, async () => {
      answers.set(servicesPath, answer());
      const { kept, exists } = await outcome();
      expect(exists).to.equal(true);
      expect(kept).to.match(doubt);
    });
  }

  it("keeps the key where the list of services lacks one that a given state names", async () => {
    answers.set(servicesPath, result([own()]));
    const { secondServiceId: serviceId } = product.credentials;
    const { kept, exists } = await outcome([
      resource("Dashboard", "65f1c0a2b3d4e5f607182999", { serviceId }),
    ]);
    expect(exists).to.equal(true);
    expect(kept).to.match(doubt).and.include(serviceId);
  });

  it("keeps the key where a service shows no endpoint and a given state holds it", async () => {
    answers.set(endpointPath(), envelope(404, "the service has no query endpoint"));
    const { secondServiceId: serviceId } = product.credentials;
    const { kept, exists } = await outcome([resource("QueryEndpoint", serviceId, { serviceId })]);
    expect(exists).to.equal(true);
    expect(kept).to.match(doubt);
  });

  it("deletes the key where every service says in the API's words that it has no such endpoint", async () => {
    answers.set(endpointPath(), envelope(404, "the service has no query endpoint"));
    expect(await outcome()).to.include({ kept: "", exists: false });
  });

  it("keeps the key where the service of the settings has no route for its endpoint", async () => {
    answers.set(new RegExp(`/services/${product.credentials.serviceId}/serviceQueryEndpoint$`), {
      status: 405,
      body: page,
    });
    const { kept, exists } = await outcome();
    expect(exists).to.equal(true);
    expect(kept).to.match(/^cannot tell which query endpoints use it|uses it and stays$/);
  });
});
