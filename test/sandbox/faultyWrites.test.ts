import { expect } from "chai";
import type { Fault } from "../../sandbox/index";
import { Client, dashboard } from "./requests";

describe("sandbox: faults of which only writes and later reads know", () => {
  let client: ReturnType<typeof Client.inProcess>;
  let id: string;
  before(async () => {
    client = Client.inProcess();
  });
  beforeEach(async () => {
    await client.sandbox.faults.clear();
    await client.sandbox.reset();
    id = (await client.service("POST", "/stack/dashboards", dashboard)).body.result.id;
  });
  after(() => client.sandbox.close());

  const set = (fault: Fault) => client.sandbox.faults.set([fault]);
  const create = () => client.service("POST", "/stack/dashboards", { ...dashboard, name: "Second" });
  const rename = (name = "Renamed") =>
    client.service("PUT", `/stack/dashboards/${id}`, { ...dashboard, name });
  const remove = () => client.service("DELETE", `/stack/dashboards/${id}`);
  const shown = async () => (await client.service("GET", `/stack/dashboards/${id}`)).body.result?.name;
  const listed = async () =>
    (await client.service("GET", "/stack/dashboards")).body.result.map(({ name }: { name: string }) => name);
  const stored = () => [...client.sandbox.store.dashboards.values()].map(({ name }) => name);

  it("ignored: an update is answered with the old object, a creation with the new one, a deletion with its receipt", async () => {
    await set({ kind: "ignored", operation: "*" });
    const updated = await rename();
    expect([updated.status, updated.body.result.name]).to.deep.equal([200, "Overview"]);
    const created = await create();
    expect([created.status, created.body.result.name]).to.deep.equal([200, "Second"]);
    const deleted = await remove();
    expect([deleted.status, deleted.body.status]).to.deep.equal([200, 200]);
    expect(await listed()).to.deep.equal(["Overview"]);
    const faults = client.sandbox.requests.map(({ fault }) => fault);
    expect(faults).to.deep.equal([undefined, "ignored", "ignored", "ignored", undefined]);
  });

  it("ignored: what is refused is refused", async () => {
    await set({ kind: "ignored", operation: "updateDashboard" });
    expect((await client.service("PUT", `/stack/dashboards/${id}`, { name: 1 })).status).to.equal(400);
    expect((await client.service("PUT", `/stack/dashboards/${"0".repeat(24)}`, dashboard)).status).to.equal(
      404,
    );
  });

  it("ignored: the scaling, and what does not exist yet, is answered as a read would show it", async () => {
    await set({ kind: "ignored", operation: "*" });
    const scaled = await client.service("PATCH", "/scaling", { numReplicas: 7 });
    const { numReplicas } = (await client.service("GET", "")).body.result;
    expect(scaled.body.result).to.include({ numReplicas }).and.not.include({ numReplicas: 7 });
    const endpoint = { roles: ["sql_console_admin"], openApiKeys: [], allowedOrigins: "" };
    const configured = await client.service("POST", "/serviceQueryEndpoint", endpoint);
    expect(configured.body.result).to.deep.include(endpoint);
    expect((await client.service("GET", "/serviceQueryEndpoint")).status).to.equal(404);
  });

  it("stale: the answer, and further ones, show the object as it was, though the service has the new one", async () => {
    await set({ kind: "stale", operation: "updateDashboard", requests: 3, nth: 1 });
    expect((await rename()).body.result.name).to.equal("Overview");
    expect(stored()).to.deep.equal(["Renamed"]);
    expect([await shown(), await listed(), await shown()]).to.deep.equal([
      "Overview",
      ["Overview"],
      "Overview",
    ]);
    expect([await shown(), await listed()]).to.deep.equal(["Renamed", ["Renamed"]]);
  });

  it("stale: on both APIs, and of several versions the oldest", async () => {
    await set({ kind: "stale", operation: "updateDashboard" });
    await rename();
    expect((await rename("Again")).body.result.name).to.equal("Overview");
    expect((await client.observability("GET", `/dashboards/${id}`)).body.data.name).to.equal("Overview");
    await client.sandbox.faults.clear();
    expect(await shown()).to.equal("Again");
  });

  it("stale-list: the answer and the object are right, and a list lacks it, has it still, or shows what it was", async () => {
    await set({ kind: "stale-list", operation: "*", requests: 2 });
    expect((await rename()).body.result.name).to.equal("Renamed");
    expect([await shown(), await listed()]).to.deep.equal(["Renamed", ["Overview"]]);
    expect(await listed()).to.deep.equal(["Renamed"]);
    const made = (await create()).body.result;
    expect(await listed()).to.deep.equal(["Renamed"]);
    expect((await client.service("GET", `/stack/dashboards/${made.id}`)).status).to.equal(200);
    expect(await listed()).to.deep.equal(["Renamed", "Second"]);
    await remove();
    expect(await shown()).to.equal(undefined);
    expect(await listed()).to.have.members(["Renamed", "Second"]);
    expect(await listed()).to.deep.equal(["Second"]);
  });

  it("stale-reads: the answer is right, and lists and single reads show the object as it was", async () => {
    await set({ kind: "stale-reads", operation: "*", requests: 3 });
    expect((await rename()).body.result.name).to.equal("Renamed");
    expect([await shown(), await listed(), await shown()]).to.deep.equal([
      "Overview",
      ["Overview"],
      "Overview",
    ]);
    expect([await shown(), await listed()]).to.deep.equal(["Renamed", ["Renamed"]]);
    const made = await create();
    const single = () => client.service("GET", `/stack/dashboards/${made.body.result.id}`);
    expect([(await single()).status, await listed()]).to.deep.equal([404, ["Renamed"]]);
    await client.sandbox.faults.clear();
    expect([(await single()).status, await listed()]).to.deep.equal([200, ["Renamed", "Second"]]);
  });

  it("stale-get: the answer and lists are right, and single reads show the object as it was", async () => {
    await set({ kind: "stale-get", operation: "*", requests: 3 });
    expect((await rename()).body.result.name).to.equal("Renamed");
    expect([await shown(), await listed(), await shown()]).to.deep.equal([
      "Overview",
      ["Renamed"],
      "Overview",
    ]);
    expect(await shown()).to.equal("Renamed");
    await remove();
    expect([await shown(), await listed()]).to.deep.equal(["Renamed", []]);
  });

  it("stale answers end after some milliseconds, too", async () => {
    await set({ kind: "stale", operation: "updateDashboard", milliseconds: 1 });
    await rename();
    client.sandbox.pass(1);
    expect(await shown()).to.equal("Renamed");
  });

  it("later: the request fails at once, and is carried out when so many further ones have come", async () => {
    await set({ kind: "503", when: "later", operation: "createDashboard", requests: 1 });
    expect((await create()).status).to.equal(503);
    expect(await listed()).to.deep.equal(["Overview"]);
    expect(await listed()).to.deep.equal(["Overview", "Second"]);
    expect(client.sandbox.requests.at(-3)).to.deep.include({ status: 503, fault: "503" });
  });

  it("later: a create that a gateway refused at once is carried out seconds afterwards", async () => {
    await set({ kind: "502", when: "later", operation: "createDashboard", milliseconds: 20 });
    expect((await create()).status).to.equal(502);
    expect(stored()).to.deep.equal(["Overview"]);
    client.sandbox.pass(20);
    expect(stored()).to.deep.equal(["Overview", "Second"]);
  });

  it("later: or after some milliseconds, if it would have been carried out at all", async () => {
    await set({ kind: "reset", when: "later", operation: "*", milliseconds: 1 });
    await rename().catch(() => undefined);
    await client.service("PUT", `/stack/dashboards/${id}`, { name: 1 }).catch(() => undefined);
    client.sandbox.pass(1);
    expect(stored()).to.deep.equal(["Renamed"]);
  });

  it("later: at the latest when the fault is cleared, and never after a reset", async () => {
    const later: Fault = { kind: "accepted", when: "later", operation: "deleteDashboard", requests: 9 };
    await set(later);
    expect((await remove()).status).to.equal(202);
    expect(stored()).to.deep.equal(["Overview"]);
    await client.sandbox.faults.clear();
    expect(stored()).to.deep.equal([]);
    await create();
    id = [...client.sandbox.store.dashboards.keys()][0] ?? "";
    await set(later);
    await remove();
    await client.sandbox.reset();
    client.sandbox.store.dashboards.set(id, { id, serviceId: "", ...dashboard, tiles: [] });
    await client.sandbox.faults.clear();
    expect(stored()).to.deep.equal(["Overview"]);
  });

  it("count and affect writes alone", async () => {
    await set({ kind: "stale", operation: "*", nth: 1 });
    await listed();
    await rename();
    expect(client.sandbox.faults.list()[0]).to.include({ matched: 1, injected: 1 });
  });
});
