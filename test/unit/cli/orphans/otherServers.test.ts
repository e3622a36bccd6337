import { expect } from "chai";
import { usersAmong } from "../../../../cli/orphans/findOrphans";
import type { ListedObject } from "../../../../cli/orphans/listObjects";
import { createSandbox, type Sandbox } from "../../../../sandbox/index";
import { send, settingsOf } from "../../../serviceContents";
import { addUdf } from "../../resources/udf.example";
import { deleting, resource, useOrphansFixture } from "./orphansFixture";

describe("pipestack orphans on servers that lack routes or have another dialect", () => {
  const fixture = useOrphansFixture();
  const { run, report, addDashboard, addAlert, addKey } = fixture;

  afterEach(() => fixture.sandbox.faults.clear());
  const lacking = (...operations: string[]) =>
    fixture.sandbox.faults.set(operations.map((operation) => ({ kind: "404-gateway", operation })));

  it("pipestack orphans says that the URL may be wrong if a server can list nothing", async () => {
    await lacking("*");
    for (const only of [undefined, ["Webhook"], ["QueryEndpoint"]] as const) {
      const { code, stderr, stdout } = await run([], only ? { only } : {});
      expect(stderr).to.match(
        /^error: .*check the settings baseUrl and dialect, or update the server: it may be too old for \w+ \(.* answered 404/m,
      );
      expect(stdout).to.equal("");
      expect(code).to.equal(1);
    }
  });

  it("pipestack orphans deletes no object that alerts may use if it cannot list the alerts", async () => {
    await addAlert();
    const { dashboards, webhooks, savedSearches } = fixture.sandbox.store;
    const stored = [dashboards.size, webhooks.size, savedSearches.size];
    const key = await addKey();
    const { serviceId } = fixture.sandbox.credentials;
    const inState = [resource("ApiKey", fixture.signingKey()), resource("Service", serviceId)];
    await lacking("listAlerts");
    const usedByAlerts = ["Dashboard", "Webhook", "SavedSearch"] as const;
    for (const only of [undefined, usedByAlerts]) {
      const { report: found } = await report(inState, {
        seeded: false,
        ...deleting,
        ...(only ? { only } : {}),
      });
      const used = found.orphans.filter(({ type }) => (usedByAlerts as readonly string[]).includes(type));
      expect(used).to.have.length(stored.reduce((sum, count) => sum + count));
      for (const { kept, deleted } of used) {
        expect(kept).to.equal("cannot tell which alerts use it: the server has no route for listAlerts");
        expect(deleted).to.equal(false);
      }
    }
    expect([dashboards.size, webhooks.size, savedSearches.size]).to.deep.equal(stored);
    expect(fixture.sandbox.store.keys.has(key.id)).to.equal(true);
  });

  it("pipestack orphans keeps the sources that a kept source refers to, in any order of the list", async () => {
    const [logs, traces, metrics] = fixture.sandbox.store.sources.values();
    Object.assign(logs ?? {}, { traceSourceId: traces?.id });
    Object.assign(traces ?? {}, { metricSourceId: metrics?.id });
    fixture.sandbox.store.savedSearches.clear();
    const { id } = await addDashboard();
    const [tile] = fixture.sandbox.store.dashboards.get(id)?.tiles ?? [];
    Object.assign(tile?.series?.[0] ?? {}, { sourceId: traces?.id });
    const { report: found } = await report([resource("Dashboard", id)], { only: ["Source"], seeded: false });
    expect(found.orphans.map(({ name, kept }) => [name, kept])).to.deep.equal([
      ["Logs", `source ${traces?.id} uses it and stays`],
      ["Traces", `dashboard ${id} uses it and stays`],
      ["Metrics", `source ${traces?.id} uses it and stays`],
    ]);
  });

  for (const member of ["savedSearch", "savedSearchId"]) {
    it(`pipestack orphans finds the alerts of a saved search by the member ${member}`, () => {
      const alert: ListedObject = { type: "Alert", id: "a1", answer: { [member]: "S1" } };
      expect(usersAmong([alert])("SavedSearch", "s1")).to.deep.equal([alert]);
      expect(usersAmong([alert])("SavedSearch", "s2")).to.deep.equal([]);
    });
  }

  it("pipestack orphans takes an object of another service for no sign of hidden objects", async () => {
    const cloud = await createSandbox({ dialect: "clickhouse" });
    try {
      const { serviceId, secondServiceId } = cloud.credentials;
      const held = [serviceId, secondServiceId].map(async (id) => {
        const path = `/services/${id}/clickstack/dashboards`;
        const made = await send<{ id: string }>(cloud, "POST", path, { name: "Overview", tiles: [] });
        return resource("Dashboard", made.id, { serviceId: id });
      });
      const settings = { ...settingsOf(cloud), requestsPerSecond: "1000", dialect: "clickhouse" };
      const { report: found } = await report(await Promise.all(held), { seeded: false }, settings);
      expect(found.orphans.filter(({ type }) => type === "Source")).to.have.length.above(0);
      for (const { kept } of found.orphans) expect(kept ?? "").to.not.include("does not show the object of");
    } finally {
      await cloud.close();
    }
  });

  it("pipestack orphans takes a function of another organization for no sign of the given states", async () => {
    const cloud = await createSandbox({ dialect: "clickhouse" });
    try {
      for (const functionName of ["echo", "shout"]) addUdf(cloud, { functionName });
      const { organizationId, serviceId } = cloud.credentials;
      const settings = { ...settingsOf(cloud), requestsPerSecond: "1000", dialect: "clickhouse" };
      const only = { ...deleting, only: ["Udf"] as const, seeded: false };
      const heldIn = (place: object) => run([resource("Udf", "echo", place)], only, settings);
      expect((await heldIn({ organizationId: serviceId })).stderr).to.include("nothing was deleted");
      expect([...cloud.store.udfs.keys()]).to.deep.equal(["echo", "shout"]);
      for (const place of [{}, { organizationId }]) {
        const { code, stderr } = await heldIn(place);
        expect(code, stderr).to.equal(0);
        expect([...cloud.store.udfs.keys()]).to.deep.equal(["echo"]);
      }
    } finally {
      await cloud.close();
    }
  });

  it("pipestack orphans keeps what alerts may use that a server without services hides", async () => {
    const own = await createSandbox({ dialect: "clickhouse", apis: "observability" });
    try {
      const { accessToken } = own.credentials;
      const settings = { ...settingsOf(own), accessToken, requestsPerSecond: "1000", dialect: "clickhouse" };
      const none = { keyId: "", keySecret: "", organizationId: "" };
      const hidden = resource("Alert", "65f1c0a2b3d4e5f607182999", { name: "Hidden" });
      const { report: found } = await report([hidden], { seeded: false }, { ...settings, ...none });
      const webhooks = found.orphans.filter(({ type }) => type === "Webhook");
      expect(webhooks).to.have.length.above(0);
      for (const { kept } of webhooks)
        expect(kept).to.match(/^cannot tell which alerts use it: the service does not show the object of /);
    } finally {
      await own.close();
    }
  });

  it("pipestack orphans takes a service in the cloud for no sign of the objects on another server", async () => {
    const own = await createSandbox({ dialect: "clickhouse" });
    try {
      const via = { dialect: "clickhouse", observabilityVia: "observability", requestsPerSecond: "1000" };
      const ids = [addDirectly(own, "Held"), addDirectly(own, "Orphan")];
      const service = resource("Service", own.credentials.serviceId);
      const removing = { ...deleting, only: ["Dashboard"] as const, seeded: false };
      const remove = (held: object[]) => run([service, ...held], removing, { ...settingsOf(own), ...via });
      expect((await remove([])).stderr).to.include("nothing was deleted");
      expect([...own.store.dashboards.keys()]).to.deep.equal(ids);
      const { code, stderr } = await remove([resource("Dashboard", String(ids[0]))]);
      expect(code, stderr).to.equal(0);
      expect([...own.store.dashboards.keys()]).to.deep.equal(ids.slice(0, 1));
    } finally {
      await own.close();
    }
  });

  for (const dialect of ["neutral", "clickhouse"] as const) {
    for (const apis of ["both", "management", "observability"] as const) {
      it(`pipestack orphans finds and deletes orphans in the dialect ${dialect}, with ${apis} of the APIs`, async () => {
        const other = await createSandbox({ dialect, apis });
        try {
          const missing = {
            ...{ both: {}, management: { accessToken: "" } },
            observability: { keyId: "", keySecret: "", organizationId: "", serviceId: "" },
          };
          const settings = { ...settingsOf(other), requestsPerSecond: "1000", dialect, ...missing[apis] };
          const held = addDirectly(other, "Held");
          const orphan = addDirectly(other, "Orphan");
          const inState = [resource("Dashboard", held)];
          const { code, stderr, report: found } = await report(inState, {}, settings);
          expect(stderr).to.equal("");
          expect(code).to.equal(7);
          expect(found.orphans.map(({ type, id }) => [type, id])).to.deep.equal([["Dashboard", orphan]]);
          const after = await run(inState, deleting, settings);
          expect(after.code, after.stderr).to.equal(0);
          expect([...other.store.dashboards.keys()]).to.deep.equal([held]);
        } finally {
          await other.close();
        }
      });
    }
  }

  function addDirectly({ store, credentials }: Sandbox, name: string): string {
    const id = Buffer.from(name.padEnd(12)).toString("hex");
    store.dashboards.set(id, { id, serviceId: credentials.serviceId, name, tiles: [], tags: [] });
    return id;
  }
});
