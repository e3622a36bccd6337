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

  it("a fault of kind ignored answers a change of scaling with the old values", async () => {
    await set({ kind: "ignored", operation: "*" });
    const { payload } = await client.service("PATCH", "/scaling", { numReplicas: 7 });
    expect(payload).to.include({ numReplicas: 3 });
    expect((await client.service("GET", "")).payload).to.include({ numReplicas: 3 });
  });

  it("a fault of kind ignored answers the create of a query endpoint without storing it", async () => {
    await set({ kind: "ignored", operation: "*" });
    const endpoint = { roles: ["sql_console_admin"], openApiKeys: [], allowedOrigins: "" };
    const configured = await client.service("POST", "/serviceQueryEndpoint", endpoint);
    expect(configured.payload).to.deep.include(endpoint);
    expect((await client.service("GET", "/serviceQueryEndpoint")).status).to.equal(404);
  });

  const lags: readonly [title: string, kind: Fault["kind"], answer: string, single: string, list: string][] =
    [
      ["stale shows the old object in answers, reads and lists", "stale", "Overview", "Overview", "Overview"],
      [
        "stale-reads shows the old object in reads and lists",
        "stale-reads",
        "Renamed",
        "Overview",
        "Overview",
      ],
      ["stale-list shows the old object in lists", "stale-list", "Renamed", "Renamed", "Overview"],
      ["stale-get shows the old object in single reads", "stale-get", "Renamed", "Overview", "Renamed"],
    ];
  for (const [title, kind, answer, single, list] of lags)
    it(`a fault of kind ${title} for 4 requests`, async () => {
      await set({ kind, operation: "updateDashboard", requests: 4, nth: 1 });
      expect((await rename()).payload.name).to.equal(answer);
      expect(stored()).to.deep.equal(["Renamed"]);
      for (const expected of [
        [single, [list]],
        [single, [list]],
        ["Renamed", ["Renamed"]],
      ])
        expect([await shown(), await listed()]).to.deep.equal(expected);
    });

  it("a fault of kind stale shows an object's oldest version on both APIs until it is cleared", async () => {
    await set({ kind: "stale", operation: "updateDashboard" });
    await rename();
    expect((await rename("Again")).payload.name).to.equal("Overview");
    expect((await client.observability("GET", `/dashboards/${id}`)).payload.name).to.equal("Overview");
    await faults.clear();
    expect(await shown()).to.equal("Again");
  });

  it("a fault of kind stale-list hides a new object from lists, and keeps a deleted one in them", async () => {
    await set({ kind: "stale-list", operation: "*", requests: 2 });
    const made = (await create()).payload;
    expect(await listed()).to.deep.equal(["Overview"]);
    expect((await ask("GET", `/${made.id}`)).status).to.equal(200);
    expect(await listed()).to.deep.equal(["Overview", "Second"]);
    await remove();
    expect(await shown()).to.equal(undefined);
    expect(await listed()).to.have.members(["Overview", "Second"]);
    expect(await listed()).to.deep.equal(["Second"]);
  });

  it("a fault of kind stale-reads hides a new object from all reads until it is cleared", async () => {
    await set({ kind: "stale-reads", operation: "*", requests: 3 });
    const { payload } = await create();
    const seen = async () => [(await ask("GET", `/${payload.id}`)).status, await listed()];
    expect(await seen()).to.deep.equal([404, ["Overview"]]);
    await faults.clear();
    expect(await seen()).to.deep.equal([200, ["Overview", "Second"]]);
  });

  it("a fault of kind stale-get still shows a deleted object in single reads", async () => {
    await set({ kind: "stale-get", operation: "*", requests: 3 });
    await remove();
    expect([await shown(), await listed()]).to.deep.equal(["Overview", []]);
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

  it("a fault with when: later and milliseconds: 20 lets its request be carried out after 20 ms", async () => {
    await set({ kind: "502", when: "later", operation: "createDashboard", milliseconds: 20 });
    expect((await create()).status).to.equal(502);
    expect(stored()).to.deep.equal(["Overview"]);
    client.sandbox.pass(20);
    expect(stored()).to.deep.equal(["Overview", "Second"]);
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
