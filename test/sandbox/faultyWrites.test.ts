import { expect } from "chai";
import type { Fault } from "../../sandbox/index";
import { dashboard, unknownId, useSandbox } from "./requests";

describe("Faults of the sandbox that affect writes, and the reads that follow them", () => {
  const client = useSandbox();
  const { faults, store } = client.sandbox;
  let id: string;
  beforeEach(async () => {
    id = (await client.service("POST", "/stack/dashboards", dashboard)).payload.id;
  });

  const set = (fault: Fault) => faults.set([fault]);
  const ask = (method: string, path = `/${id}`, body?: object) =>
    client.service(method, `/stack/dashboards${path}`, body);
  const create = () => ask("POST", "", { ...dashboard, name: "Second" });
  const rename = (name = "Renamed") => ask("PUT", `/${id}`, { ...dashboard, name });
  const remove = () => ask("DELETE");
  const shown = async () => (await ask("GET")).payload?.name;
  const listed = async () => (await ask("GET", "")).payload.map(({ name }: { name: string }) => name);
  const stored = () => [...store.dashboards.values()].map(({ name }) => name);

  it("a write that a fault of kind ignored affects succeeds without any effect", async () => {
    await set({ kind: "ignored", operation: "*" });
    expect(await rename())
      .to.deep.include({ status: 200 })
      .and.have.nested.property("payload.name", "Overview");
    expect(await create())
      .to.deep.include({ status: 200 })
      .and.have.nested.property("payload.name", "Second");
    expect((await remove()).body).to.include({ status: 200 });
    expect(await listed()).to.deep.equal(["Overview"]);
    const injected = client.sandbox.requests.map(({ fault }) => fault);
    expect(injected).to.deep.equal([undefined, "ignored", "ignored", "ignored", undefined]);
  });

  it("an invalid request is refused as usual, even with a fault of kind ignored", async () => {
    await set({ kind: "ignored", operation: "updateDashboard" });
    expect((await ask("PUT", `/${id}`, { name: 1 })).status).to.equal(400);
    expect((await ask("PUT", `/${unknownId}`, dashboard)).status).to.equal(404);
  });

  const [before, after] = ["Overview", "Renamed"];
  const lags: readonly [kind: Fault["kind"], what: string, answer: string, single: string, list: string][] = [
    ["stale", "in answers, reads and lists", before, before, before],
    ["stale-reads", "in reads and lists", after, before, before],
    ["stale-list", "in lists", after, after, before],
    ["stale-get", "in single reads", after, before, after],
  ];
  for (const [kind, what, answer, single, list] of lags)
    it(`a fault of kind ${kind} shows the old object ${what} for 4 requests`, async () => {
      await set({ kind, operation: "updateDashboard", requests: 4, nth: 1 });
      expect((await rename()).payload.name).to.equal(answer);
      expect(stored()).to.deep.equal([after]);
      const seen = [];
      while (seen.length < 3) seen.push([await shown(), ...(await listed())]);
      expect(seen).to.deep.equal([
        [single, list],
        [single, list],
        [after, after],
      ]);
    });

  it("a fault of kind stale shows an object's oldest version on both APIs until it is cleared", async () => {
    await set({ kind: "stale", operation: "updateDashboard" });
    await rename();
    expect((await rename("Again")).payload.name).to.equal("Overview");
    expect((await client.observability("GET", `/dashboards/${id}`)).payload.name).to.equal("Overview");
    await faults.clear();
    expect(await shown()).to.equal("Again");
  });

  it("a fault of kind stale ends after the time in its property milliseconds", async () => {
    await set({ kind: "stale", operation: "updateDashboard", milliseconds: 1 });
    await rename();
    client.sandbox.pass(1);
    expect(await shown()).to.equal("Renamed");
  });

  it("a fault with when: later and requests: 1 lets its request be carried out after one further request", async () => {
    await set({ kind: "503", when: "later", operation: "createDashboard", requests: 1 });
    expect((await create()).status).to.equal(503);
    expect(await listed()).to.deep.equal(["Overview"]);
    expect(await listed()).to.deep.equal(["Overview", "Second"]);
    expect(client.sandbox.requests.at(-3)).to.deep.include({ status: 503, fault: "503" });
  });

  it("the sandbox never carries out an invalid request, even if a fault with when: later affects it", async () => {
    await set({ kind: "reset", when: "later", operation: "*", milliseconds: 1 });
    await rename().catch(() => undefined);
    await ask("PUT", `/${id}`, { name: 1 }).catch(() => undefined);
    client.sandbox.pass(1);
    expect(stored()).to.deep.equal(["Renamed"]);
  });

  const later: Fault = { kind: "accepted", when: "later", operation: "deleteDashboard", requests: 9 };

  it("when a fault with when: later is cleared, the sandbox carries out the requests that it delayed", async () => {
    await set(later);
    expect((await remove()).status).to.equal(202);
    expect(stored()).to.deep.equal(["Overview"]);
    await faults.clear();
    expect(stored()).to.deep.equal([]);
  });

  it("a reset of the sandbox drops requests that were to be carried out later", async () => {
    await set(later);
    await remove();
    await client.sandbox.reset();
    store.dashboards.set(id, { id, serviceId: "", ...dashboard, tiles: [] });
    await faults.clear();
    expect(stored()).to.deep.equal(["Overview"]);
  });

  it("a fault whose kind concerns only writes neither counts reads nor affects them", async () => {
    await set({ kind: "stale", operation: "*", nth: 1 });
    await listed();
    await rename();
    expect(faults.list()[0]).to.include({ matched: 1, injected: 1 });
  });
});
