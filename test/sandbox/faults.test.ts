import { expect } from "chai";
import type { Fault } from "../../sandbox/index";
import { Client, send } from "./requests";

/** Statuses of some requests in a row for the alerts of the first service. */
async function statuses(client: Client, count: number): Promise<number[]> {
  const all: number[] = [];
  while (all.length < count) all.push((await client.service("GET", "/stack/alerts")).status);
  return all;
}

describe("sandbox: which calls a fault happens to", () => {
  let client: Client;
  before(async () => {
    client = Client.inProcess();
  });
  beforeEach(async () => {
    await client.sandbox.faults.clear();
    await client.sandbox.reset();
  });
  after(() => client.sandbox.close());

  const set = (...faults: Fault[]) => client.sandbox.faults.set(faults);

  it("every call of its operation, on both APIs, and no other", async () => {
    await set({ kind: "409", operation: "listAlerts" });
    expect(await statuses(client, 2)).to.deep.equal([409, 409]);
    expect((await client.observability("GET", "/alerts")).status).to.equal(409);
    expect((await client.service("GET", "/stack/dashboards")).status).to.equal(200);
    expect((await client.service("GET", `/stack/alerts/${"0".repeat(24)}`)).status).to.equal(404);
  });

  it("only on the API that it names", async () => {
    await set({ kind: "409", operation: "listAlerts", api: "observability" });
    expect(await statuses(client, 1)).to.deep.equal([200]);
    expect((await client.observability("GET", "/alerts")).status).to.equal(409);
  });

  it("* is any request, also to an unknown route", async () => {
    await set({ kind: "409", operation: "*" });
    expect(await statuses(client, 1)).to.deep.equal([409]);
    expect((await send("GET", `${client.sandbox.baseUrl}/nothing`)).status).to.equal(409);
  });

  it("nth: one call, counted since the fault was set", async () => {
    await statuses(client, 2);
    await set({ kind: "409", operation: "listAlerts", nth: 2 });
    expect(await statuses(client, 4)).to.deep.equal([200, 409, 200, 200]);
  });

  it("from and to: these calls, both included; each by itself is open at the other end", async () => {
    await set({ kind: "409", operation: "listAlerts", from: 2, to: 3 });
    expect(await statuses(client, 5)).to.deep.equal([200, 409, 409, 200, 200]);
    await set({ kind: "409", operation: "listAlerts", from: 3 });
    expect(await statuses(client, 4)).to.deep.equal([200, 200, 409, 409]);
    await set({ kind: "409", operation: "listAlerts", to: 2 });
    expect(await statuses(client, 4)).to.deep.equal([409, 409, 200, 200]);
  });

  it("probability: by chance, the same calls for the same seed", async () => {
    const fault: Fault = { kind: "409", operation: "listAlerts", probability: 0.3, seed: 7 };
    await set(fault);
    const first = await statuses(client, 200);
    await set(fault);
    expect(await statuses(client, 200)).to.deep.equal(first);
    await set({ ...fault, seed: 8 });
    expect(await statuses(client, 200)).to.not.deep.equal(first);
    expect(first.filter((status) => status === 409).length).to.be.within(40, 80);
    await set({ ...fault, probability: 0 });
    expect(await statuses(client, 20)).to.not.include(409);
    await set({ ...fault, probability: 1, nth: 2 });
    expect(await statuses(client, 3)).to.deep.equal([200, 409, 200]);
  });

  it("of several the one that was set first happens, and all of them count", async () => {
    await set(
      { kind: "409", operation: "listAlerts", nth: 1 },
      { kind: "403", operation: "*", to: 2 },
      { kind: "400", operation: "listAlerts", nth: 3 },
    );
    expect(await statuses(client, 4)).to.deep.equal([409, 403, 400, 200]);
    expect(client.sandbox.faults.list().map(({ matched, injected }) => [matched, injected])).to.deep.equal([
      [4, 1],
      [4, 1],
      [4, 1],
    ]);
  });

  it("faults are listed, added and cleared while the sandbox runs", async () => {
    const { faults } = client.sandbox;
    const first = await faults.add({ kind: "409", operation: "listAlerts" });
    const second = await faults.add({ kind: "403", operation: "listDashboards", nth: 2 });
    expect(faults.list()).to.deep.equal([
      { id: first, fault: { kind: "409", operation: "listAlerts" }, matched: 0, injected: 0 },
      { id: second, fault: { kind: "403", operation: "listDashboards", nth: 2 }, matched: 0, injected: 0 },
    ]);
    await faults.clear(first);
    expect(faults.list().map(({ id }) => id)).to.deep.equal([second]);
    expect(await statuses(client, 1)).to.deep.equal([200]);
    await faults.clear();
    expect(faults.list()).to.deep.equal([]);
  });

  it("what was given may be changed afterwards: the fault stays as it was set", async () => {
    const fault: Fault = { kind: "409", operation: "listAlerts" };
    await set(fault);
    fault.kind = "403";
    expect(await statuses(client, 1)).to.deep.equal([409]);
  });

  it("reset leaves them set and counts from the start", async () => {
    await set({ kind: "409", operation: "listAlerts", nth: 2 });
    expect(await statuses(client, 2)).to.deep.equal([200, 409]);
    await client.sandbox.reset();
    expect(client.sandbox.faults.list()[0]).to.include({ matched: 0, injected: 0 });
    expect(await statuses(client, 2)).to.deep.equal([200, 409]);
  });

  it("can be given at the start", async () => {
    const other = Client.inProcess({ faults: [{ kind: "409", operation: "listAlerts" }] });
    expect(await statuses(other, 1)).to.deep.equal([409]);
    await other.sandbox.close();
  });
});
