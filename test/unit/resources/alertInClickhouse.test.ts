import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import { importObject } from "../../../provider/lifecycle/read";
import { alertResource } from "../../../provider/resources/alert/alert";
import type { PropertyMap } from "../../../provider/values/data";
import { Declared } from "../drift/fixture";
import { alert, inDays, inline, line, onTile, savedSearch, useAlerts } from "./clickhouseAlerts";
import { channel, secondChannel } from "./product";
import { onManagement, onObservability } from "./rules";

describe("Alerts in the dialect clickhouse", () => {
  const { product, opened, stored, updates, become, applied } = useAlerts(onManagement);

  it("an alert whose email channel has no recipients can be imported and updated, with a warning", async () => {
    const { id } = await applied({ ...alert, channel: { type: "email", emailRecipients: ["a@b.example"] } });
    Object.assign(stored({ id }), { channel: { type: "email" } });
    const imported = await importObject(alertResource, id, {}, opened().session);
    if (typeof imported === "string") throw new Error(imported);
    const toNobody = { type: "email", emailRecipients: [] };
    expect(imported.inputs).to.deep.include({ channel: toNobody });
    const { failures, warnings } = check(alertResource, imported.inputs, imported.inputs, opened().session);
    expect(failures).to.deep.equal([]);
    expect(warnings).to.deep.equal(["Alert: channel.emailRecipients is empty, so the alert notifies nobody"]);
    await become(Object.assign(new Declared("Alert", {}), imported), { ...imported.inputs, threshold: 7 });
    expect(updates().at(0)).to.deep.include({ threshold: 7, channel: toNobody });
  });

  it("an update of an alert keeps a channel that somebody has added behind the declared one", async () => {
    const declared = await applied(alert, onObservability);
    Object.assign(stored(declared), { channels: [secondChannel, channel], channel: secondChannel });
    await become(declared, { ...alert, threshold: 6 }, onObservability);
    expect(stored(declared)).to.deep.include({ threshold: 6, channel, channels: [channel, secondChannel] });
  });

  it("an update clears an alert's start time that somebody has set only if it declares an offset", async () => {
    const declared = await applied(alert);
    Object.assign(stored(declared), { scheduleStartAt: inDays(-1) });
    await become(declared, { ...alert, threshold: 6 });
    expect(stored(declared).scheduleStartAt).to.be.a("string");
    await become(declared, { ...alert, scheduleOffsetMinutes: 2 });
    expect(stored(declared)).to.include({ scheduleOffsetMinutes: 2, scheduleStartAt: null });
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
  });

  it("who silenced an alert and its execution errors are outputs without drift", async () => {
    const declared = await applied(alert);
    const silenced = { by: "u1", at: inDays(-1), until: inDays(1) };
    const executionErrors = [{ timestamp: inDays(-1), type: "QUERY_ERROR", message: "no such column" }];
    Object.assign(stored(declared), { silenced, executionErrors });
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
    expect(declared.state).to.deep.include({ silenced, executionErrors });
  });

  const range = { ...alert, thresholdType: "between", thresholdMax: 9 };
  const { savedSearch: _, ...search } = alert;
  const place = { dashboardId: "65f1c0a2b3d4e5f607182941", tileId: "65f1c0a2b3d4e5f607182942" };
  const changes: [string, PropertyMap, PropertyMap, PropertyMap][] = [
    ["a range", range, alert, { thresholdMax: 9 }],
    ["an alert on a tile", { ...onTile, ...place }, alert, place],
    ["an alert on a search", alert, { ...search, ...onTile, ...place }, { savedSearchId: savedSearch }],
  ];
  for (const [former, before, after, left] of changes)
    it(`the outputs of a changed alert lack what the service still shows of its former kind: ${former}`, async () => {
      const { sandbox } = product;
      const tile = { id: place.tileId, name: "Lines", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] };
      const board = { id: place.dashboardId, serviceId: sandbox.credentials.serviceId, name: "Board" };
      sandbox.store.dashboards.set(board.id, { ...board, tiles: [tile] } as never);
      const { declared } = await become(await applied(before), after);
      // Some servers keep properties of the former kind of alert although the update no longer sends them.
      Object.assign(stored(declared), left);
      expect(await declared.refresh(opened().session)).to.deep.equal([]);
      for (const name of Object.keys(left)) expect(declared.state).not.to.have.property(name);
    });

  for (const [what, settings] of [
    ["ClickHouse Cloud", onManagement],
    ["a HyperDX server", onObservability],
  ] as const) {
    it(`pulumi import from ${what} leaves out the name and tags that an alert inherits`, async () => {
      const tiles = [{ name: "Lines", x: 0, y: 0, w: 6, h: 4, config: line }];
      const board = new Declared("Dashboard", { name: "Board", tags: ["b", "a"], tiles });
      await board.up(opened(settings).session);
      const search = product.sandbox.store.savedSearches.get(savedSearch);
      Object.assign(search ?? {}, { name: "Slow queries", tags: ["web"] });
      const tileId = product.sandbox.store.dashboards.get(board.id)?.tiles[0]?.id;
      const watching = await applied(alert, settings);
      const onBoard = { ...onTile, dashboardId: board.id, tileId };
      const { id: onBoardId } = await applied(onBoard, settings);
      const labels = { displayName: "Mine", tags: ["own"] };
      const { id: labelled } = await applied({ ...alert, ...labels }, settings);
      const imported = async (id: string) => {
        const found = await importObject(alertResource, id, {}, opened(settings).session);
        if (typeof found === "string") throw new Error(found);
        return found.inputs;
      };
      for (const id of [watching.id, onBoardId])
        expect(await imported(id)).to.not.have.any.keys("displayName", "tags");
      expect(await imported(labelled)).to.deep.include(labels);
      Object.assign(stored(watching), { tags: ["web", "own"] });
      expect(await imported(watching.id))
        .to.deep.include({ tags: ["web", "own"] })
        .and.not.have.property("displayName");
    });
  }
});

describe("An inline alert in the dialect clickhouse", () => {
  const { product, opened, stored, updates, become, applied } = useAlerts(onObservability);
  const asked = () => product.sandbox.requests.map(({ operation }) => operation);

  it("after one list of all alerts, a refresh reads only inline alerts by their ids", async () => {
    const others = [await applied(alert), await applied({ ...alert, threshold: 6 })];
    const own = await applied(inline);
    product.sandbox.requests.length = 0;
    const { session } = opened();
    for (const each of [...others, own]) expect(await each.refresh(session)).to.deep.equal([]);
    expect(asked()).to.deep.equal(["listAlerts", "getAlert"]);
    stored(own).chartConfig = { ...stored(own).chartConfig, groupBy: "host", seriesLimit: 3 };
    expect(await own.refresh(opened().session)).to.deep.equal([]);
    stored(own).chartConfig = { ...stored(own).chartConfig, displayType: "stacked_bar" };
    expect(await own.refresh(opened().session)).to.deep.equal(["chartConfig.displayType"]);
  });

  it("an inline chart that the API cannot return is no drift until an update replaces it", async () => {
    const declared = await applied(inline);
    stored(declared).chartConfig = { ...stored(declared).chartConfig, having: "count() > 1" };
    const { session, warnings } = opened();
    expect(await declared.refresh(session)).to.deep.equal([]);
    expect(declared.state).to.deep.include({ chartConfig: line });
    const unsaid = `alert ${declared.id}: somebody edited its chart in the console, and the API no longer shows the chart; this is no drift, and the next update replaces the chart`;
    expect(warnings).to.deep.equal([unsaid]);
    const { warnings: told } = await become(declared, { ...inline, threshold: 7 });
    expect(told).to.deep.equal([unsaid]);
    expect(stored(declared)).to.deep.include({ threshold: 7 });
    expect(stored(declared).chartConfig).to.include({ displayType: "line" }).and.not.have.property("having");
    const { session: later, warnings: none } = opened();
    expect(await declared.refresh(later)).to.deep.equal([]);
    expect(none).to.deep.equal([]);
  });

  it("an update changes an alert from a search to an inline chart and back without replacing it", async () => {
    const declared = await applied({ ...alert, groupBy: "host" });
    const { id } = declared;
    await become(declared, inline);
    expect(updates().at(-1)).to.not.have.any.keys("savedSearchId", "groupBy");
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
    await become(declared, alert);
    expect(updates().at(-1)).to.not.have.property("chartConfig");
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
    expect(declared.id).to.equal(id);
    Object.assign(stored(declared), { source: "inline", chartConfig: line, savedSearch: undefined });
    await become(declared, { ...alert, threshold: 8 });
    expect(stored(declared)).to.include({ source: "search", threshold: 8 });
  });

  it("an alert sends its name and tags only if the program declares or drops them", async () => {
    const declared = await applied({ ...inline, chartConfig: { ...line, name: "Errors" } });
    // The outputs of an alert have no inherited name and tags, since these can repeat text that the program keeps secret.
    expect(declared.state).to.not.have.any.keys("displayName", "tags");
    await become(declared, { ...inline, threshold: 6 });
    expect(updates().at(-1)).to.not.have.any.keys("displayName", "tags");
    await become(declared, { ...inline, displayName: "Mine", tags: ["a"] });
    await become(declared, inline);
    expect(updates().at(-1)).to.include({ displayName: null, tags: null });
    expect(declared.state).to.not.have.any.keys("displayName", "tags");
  });
});
