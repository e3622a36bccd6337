import { expect } from "chai";
import type { PropertyMap } from "../../../provider/values/data";
import { Declared } from "../drift/fixture";
import { setups, useLife } from "./life";

const seededWebhook = "65f1c0a2b3d4e5f607182921";
const seededSearch = "65f1c0a2b3d4e5f607182931";
const sourceId = "65f1c0a2b3d4e5f607182911";
const channelOf = ({ id }: { id: string }) => ({ type: "webhook", webhookId: id });

const boardOf = (name: string, source = sourceId) => ({
  name,
  tiles: [
    {
      ...{ name, x: 0, y: 0, w: 2, h: 2 },
      config: { displayType: "number", sourceId: source, select: [{ aggFn: "count" }] },
    },
  ],
});

const logs = (name: string, further: PropertyMap = {}) => ({
  ...{ name, kind: "log", defaultTableSelectExpression: "Timestamp", timestampValueExpression: "Timestamp" },
  ...{ connection: "65f1c0a2b3d4e5f607182900", from: { databaseName: "otel", tableName: "requests" } },
  ...further,
});

describe("The deletion of an object that others use", () => {
  const life = useLife(setups["an observability server alone"]);

  const webhook = (name: string) =>
    life.applied("Webhook", { name, service: "generic", url: "https://hooks.example.com/secret-of-the-url" });
  const search = (name: string) => life.applied("SavedSearch", { name, sourceId });
  const alert = (name: string, further: PropertyMap) =>
    life.applied("Alert", {
      ...{ name, source: "search", threshold: 1, thresholdType: "above", interval: "5m" },
      ...("channels" in further ? {} : { channel: channelOf({ id: seededWebhook }) }),
      ...further,
    });
  const asked = () => life.sandbox.requests.map(({ operation = "" }) => operation);
  /** Deletes the given objects one after the other in one Pulumi command, and returns the command's warnings. */
  async function warningsOf(...deleted: Declared[]): Promise<string[]> {
    const { session, warnings } = life.opened();
    life.sandbox.requests.length = 0;
    for (const one of deleted) await one.delete(session);
    return warnings;
  }

  it("the deletion of a saved search warns of the alerts that the service deletes with it", async () => {
    const one = await search("errors");
    const watching = [
      await alert("first", { savedSearch: one.id }),
      await alert("second", { savedSearch: one.id }),
    ];
    await alert("other", { savedSearch: "65f1c0a2b3d4e5f607182932" });
    const [first, second] = watching.map(({ id }) => id);
    expect(await warningsOf(one)).to.deep.equal([
      `with saved search ${one.id} the service deletes 2 alerts: "first" (${first}), "second" (${second})`,
    ]);
    const { alerts, savedSearches } = life.sandbox.store;
    expect([...alerts.values()].map(({ name }) => name)).to.deep.equal(["other"]);
    expect(savedSearches.has(one.id)).to.equal(false);
    expect(asked()).to.deep.equal(["listAlerts", "deleteSavedSearch"]);
  });

  it("the deletion of a dashboard warns of the alerts that the service deletes with it", async () => {
    const dashboard = await life.applied("Dashboard", boardOf("Errors"));
    const { Errors: tileId } = dashboard.state.tileIds as { Errors: string };
    const { id } = await alert("errors", { source: "tile", dashboardId: dashboard.id, tileId });
    expect(await warningsOf(dashboard)).to.deep.equal([
      `with dashboard ${dashboard.id} the service deletes 1 alert: "errors" (${id})`,
    ]);
    expect(life.sandbox.store.alerts.size).to.equal(0);
  });

  it("the deletion of a webhook waits for alerts that the same run deletes with a dashboard", async () => {
    const paging = await webhook("paging");
    const dashboard = await life.applied("Dashboard", boardOf("Errors"));
    const { Errors: tileId } = dashboard.state.tileIds as { Errors: string };
    const onTile = { source: "tile", dashboardId: dashboard.id, tileId };
    await alert("errors", { ...onTile, channel: channelOf(paging) });
    const { session, warnings } = life.opened();
    // If an alert has the option deletedWith, the engine leaves its deletion to the service, and deletes the webhook and the
    // dashboard at the same time, as the test does.
    await Promise.all([paging, dashboard].map((one) => one.delete(session)));
    expect(warnings.join()).to.not.include("still used by");
    expect(life.sandbox.store.webhooks.has(paging.id)).to.equal(false);
  });

  it("the deletion of a webhook names each alert that uses it", async () => {
    const [first, further] = [await webhook("first"), await webhook("further")];
    const channels = [first, further].map(channelOf);
    const { id } = await alert("errors", { savedSearch: seededSearch, channels });
    const { session, warnings } = life.opened();
    expect(await first.delete(session).catch(String)).to.include("1 alert(s) still reference it");
    await further.delete(session);
    const consequence =
      "The service keeps a webhook that is the first channel of an alert; an alert that has it as a further channel can then no longer be updated";
    expect(warnings).to.deep.equal(
      [first, further].map(
        (one) => `webhook ${one.id} is still used by 1 alert: "errors" (${id}). ${consequence}`,
      ),
    );
    expect([...life.sandbox.store.webhooks.keys()])
      .to.include(first.id)
      .and.not.include(further.id);
  });

  it("the deletion of a source names the dashboards, searches and sources that use it", async () => {
    const source = await life.applied("Source", logs("Requests"));
    const dashboard = await life.applied("Dashboard", boardOf("Requests", source.id));
    const slow = await life.applied("SavedSearch", { name: "Slow", sourceId: source.id });
    const other = await life.applied("Source", logs("Others", { metricSourceId: source.id }));
    const warnings = await warningsOf(source);
    expect(warnings.map((warning) => warning.split(". ")[0])).to.deep.equal([
      `source ${source.id} is still used by 1 source: "Others" (${other.id})`,
      `source ${source.id} is still used by 1 dashboard: "Requests" (${dashboard.id})`,
      `source ${source.id} is still used by 1 saved search: "Slow" (${slow.id})`,
    ]);
    expect(asked()).to.have.members(["listDashboards", "listSavedSearches", "listSources", "deleteSource"]);
    // The service keeps the dashboard and the search that use the deleted source, and refuses every update of them.
    const { dashboards, savedSearches } = life.sandbox.store;
    expect([dashboards.has(dashboard.id), savedSearches.has(slow.id)]).to.deep.equal([true, true]);
    for (const left of [dashboard, slow]) {
      const refusal = life.changed(left, { ...left.program, name: "Renamed" });
      expect(await refusal.catch(String)).to.match(/source.*answered 400/i);
    }
  });

  it("the deletion of an object does not name users that the same run has deleted", async () => {
    const searches = [await search("one"), await search("two")];
    const receiver = await webhook("receiver");
    const [one, two] = searches as [Declared, Declared];
    const watching = (name: string, { id }: Declared) =>
      alert(name, { savedSearch: id, channel: channelOf(receiver) });
    const [ofOne, ofTwo] = [await watching("one", one), await watching("two", two)];
    expect(await warningsOf(ofOne, one, ofTwo, two, receiver)).to.deep.equal([]);
    const ofEach = ["deleteAlert", "deleteSavedSearch"];
    expect(asked()).to.have.members([...ofEach, ...ofEach, "deleteWebhook", "listAlerts"]);
  });

  it("the deletion of an object warns of no alert that the same run has moved to another object", async () => {
    const [one, two] = [await search("one"), await search("two")];
    const moved = await alert("errors", { savedSearch: one.id });
    const { session, warnings } = life.opened();
    // The deletion of search two reads the list of alerts. An update then moves the alert from search one to the sandbox's own
    // search, so the list is outdated when search one is deleted.
    await two.delete(session);
    const program = { ...moved.program, savedSearch: seededSearch };
    const led = Object.assign(new Declared("Alert", program), { ...moved, program });
    await led.up(session);
    await one.delete(session);
    expect(warnings).to.deep.equal([]);
  });

  // The first of two missing routes may be a wrong address, and the second is not.
  for (const [kind, texts] of [
    ["403", 1],
    ["404-gateway", 2],
  ] as const)
    it(`deletions of objects succeed with a warning if the alerts cannot be listed: fault ${kind}`, async () => {
      const searches = [await search("one"), await search("two")];
      await life.sandbox.faults.set([{ kind, operation: "listAlerts" }]);
      const warnings = await warningsOf(...searches);
      expect(warnings).to.have.length(texts);
      for (const warning of warnings)
        expect(warning).to.match(
          /^cannot tell what still uses saved searches, and deletes them nevertheless: .*40[34]/,
        );
      expect([...life.sandbox.store.savedSearches.values()].map(({ name }) => name)).to.deep.equal([
        "Errors",
        "Warnings",
      ]);
      await life.sandbox.faults.clear();
    });
});
