import { createGunzip } from "node:zlib";
import { expect } from "chai";
import { type Fault, type Sandbox, seededCredentials } from "../../sandbox/index";
import { basic, Client, dashboard } from "./requests";
import { ask } from "./wire";

const { organizationId, serviceId, keyId, keySecret } = seededCredentials;
const megabyte = 1024 * 1024;

describe("Faults of the sandbox as a client sees them on its socket", () => {
  let client: Client<Sandbox>;
  before(async () => {
    client = await Client.start();
  });
  beforeEach(async () => {
    await client.sandbox.faults.clear();
    await client.sandbox.reset();
  });
  after(() => client.sandbox.close());

  const creation = () => ({
    method: "POST",
    url: `${client.sandbox.baseUrl}/v1/organizations/${organizationId}/services/${serviceId}/stack/dashboards`,
    headers: { authorization: basic(keyId, keySecret), "content-type": "application/json" },
    body: JSON.stringify(dashboard),
  });
  const createWith = async (fault: Omit<Fault, "operation">) => {
    await client.sandbox.faults.set([{ ...fault, operation: "createDashboard" }]);
    return ask(creation());
  };
  const made = () => client.sandbox.store.dashboards.size;

  it("a fault of kind 101 answers 101 Switching Protocols to a normal request", async () => {
    expect(await createWith({ kind: "101" })).to.include({ status: 101 });
    expect(client.sandbox.requests[0]).to.include({ status: 101, fault: "101" });
    expect(made()).to.equal(0);
  });

  for (const [when, count] of [
    ["before", 0],
    ["after", 1],
  ] as const)
    it(`a fault of kind reset ends the connection without any answer, ${when} the request is carried out`, async () => {
      const outcome = await createWith({ kind: "reset", when });
      expect(outcome).to.include({ code: "ECONNRESET" }).and.not.have.property("status");
      expect(made()).to.equal(count);
      expect(client.sandbox.requests[0]).to.include({ status: 0, fault: "reset" });
    });

  for (const kind of ["reset-during", "cut-off"] as const)
    it(`a fault of kind ${kind} sends half of an answer, shorter than its Content-Length`, async () => {
      const outcome = await createWith({ kind });
      expect(outcome).to.include({ status: 200, code: "ECONNRESET" });
      expect(outcome.body.length).to.equal(Number(outcome.headers["content-length"]) >> 1);
      expect(outcome.body.toString()).to.match(/^\{"status":200,"requestId":"[\w-]+","result":\{/);
      expect(made()).to.equal(1);
    });

  it("a fault of kind cut-short sends half of an answer, with the Content-Length of that half", async () => {
    const outcome = await createWith({ kind: "cut-short" });
    expect(outcome).to.include({ status: 200 }).and.not.have.property("code");
    expect(Number(outcome.headers["content-length"])).to.equal(outcome.body.length);
  });

  it("a fault of kind huge sends 200 MB without holding them in memory", async () => {
    await client.sandbox.faults.set([{ kind: "huge", operation: "createDashboard" }]);
    const before = process.memoryUsage().rss;
    let [most, received] = [0, 0];
    const { url, ...request } = creation();
    for await (const part of (await fetch(url, request)).body ?? []) {
      received += part.length;
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(received / megabyte).to.be.within(200, 200.01);
    expect(most / megabyte).to.be.below(150);
    expect(made()).to.equal(1);
  });

  it("a fault of kind huge with megabytes: 2 sends JSON of 2 MB in the API's envelope", async () => {
    const { body } = await createWith({ kind: "huge", megabytes: 2 });
    expect(body.length / megabyte).to.be.within(2, 2.01);
    expect(JSON.parse(body.toString()).result).to.match(/^x+$/);
  });

  it("the answer of a fault of kind gzip-bomb unpacks to a thousand times its size", async () => {
    const { headers, body } = await createWith({ kind: "gzip-bomb", megabytes: 100 });
    expect(headers["content-encoding"]).to.equal("gzip");
    expect(body.length / megabyte).to.be.below(0.2);
    let unpacked = 0;
    const gunzip = createGunzip();
    gunzip.end(body);
    for await (const part of gunzip) unpacked += part.length;
    expect(unpacked / megabyte).to.be.within(100, 100.01);
  });

  it("the sandbox still answers after a client has left in the middle of an answer", async () => {
    await client.sandbox.faults.set([{ kind: "huge", operation: "createDashboard", megabytes: 10_000 }]);
    const leaving = new AbortController();
    const { url, ...request } = creation();
    const response = await fetch(url, { ...request, signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await client.sandbox.faults.clear();
    expect((await ask(creation())).status).to.equal(200);
  });

  for (const [when, until] of [
    ["before", () => client.sandbox.faults.list()[0]?.injected === 1],
    ["after", () => made() === 1],
  ] as const)
    it(`a fault of kind delay waits ${when} the request is carried out, and so delays the answer`, async () => {
      const answer = createWith({ kind: "delay", milliseconds: 150, when });
      while (!until()) await new Promise((resolve) => setImmediate(resolve));
      expect([made(), client.sandbox.requests.length]).to.deep.equal([when === "after" ? 1 : 0, 0]);
      const { status, took } = await answer;
      expect(status).to.equal(200);
      expect(took).to.be.above(145);
      expect(made()).to.equal(1);
      expect(client.sandbox.requests[0]).to.include({ status: 200, fault: "delay" });
    });
});
