import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import type { State } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { Declared, sessionOf } from "../drift/fixture";
import { setups, useLife } from "./life";

const sourceId = "65f1c0a2b3d4e5f607182911";
const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
const rule = { threshold: 5, thresholdType: "above", interval: "5m", channel };
const count = [{ aggFn: "count", where: "level:error" }];
const slowest = [{ aggFn: "max", valueExpression: "Duration" }];
const tile = (name: string, select: readonly PropertyMap[] = count, further: PropertyMap = {}) => ({
  ...{ name, x: 0, y: 0, w: 6, h: 4 },
  config: { displayType: "line", sourceId, select, ...further },
});
const board = (...tiles: PropertyMap[]) => ({ name: "Board", tiles });

describe("Alerts on dashboard tiles", () => {
  const life = useLife(setups["an observability server alone"]);
  const alerts = () => [...life.sandbox.store.alerts.keys()];
  const idOf = ({ state }: Declared, name: string) => (state.tileIds as Record<string, string>)[name];
  const on = (dashboard: Declared, name: string, further: PropertyMap = {}) => ({
    ...{ ...rule, source: "tile", dashboardId: dashboard.id, tileId: idOf(dashboard, name) },
    ...further,
  });

  const started = async (...tiles: PropertyMap[]) => {
    const dashboard = await life.applied("Dashboard", board(...tiles));
    const alert = await life.applied("Alert", on(dashboard, String(tiles[0]?.name)));
    return { dashboard, alert };
  };

  type Opened = ReturnType<typeof life.opened>;
  const { Dashboard, Alert } = resources;

  /** Runs the check and the diff of a dashboard, as the engine does before an update, and returns the checked inputs. */
  const compared = async (dashboard: Declared, program: PropertyMap, { session }: Opened) => {
    const { inputs, failures } = await Dashboard.check(dashboard.inputs, program, session);
    expect(failures).to.deep.equal([]);
    await Dashboard.diff(dashboard.id, dashboard.state, inputs, session);
    return inputs;
  };
  const updated = async (dashboard: Declared, program: PropertyMap, opened: Opened) => {
    const inputs = await compared(dashboard, program, opened);
    const state = await Dashboard.update(dashboard.id, dashboard.state, inputs, opened.session);
    return Object.assign(new Declared("Dashboard", program), { id: dashboard.id, state, inputs });
  };
  const replacesOf = async ({ id, state }: Declared, inputs: PropertyMap, { session }: Opened) => {
    const changes = await Alert.diff(id, state, inputs, session);
    return changes.filter(({ replaces }) => replaces).map(({ path }) => path);
  };
  const deleted = ({ id, state }: { id: string; state: State }, { session }: Opened) =>
    deleteUnlessDeclared(Alert, id, state, session, false);

  it("a preview replaces an alert whose tile the update removes while the id of its new tile is unknown", async () => {
    const { dashboard, alert } = await started(tile("Errors"));
    const opened = life.opened();
    await compared(dashboard, board(tile("Slowest", slowest)), opened);
    expect(await replacesOf(alert, { ...alert.inputs, tileId: unknown }, opened)).to.deep.equal(["tileId"]);
  });

  const inPlace: [title: string, tiles: unknown][] = [
    ["is only renamed", [tile("Failures")]],
    ["shows something else under its name", [tile("Errors", slowest)]],
    ["may be one whose name is not known", [{ ...tile("Slowest", slowest), name: unknown }]],
    ["may be one whose content is not known", [tile("Slowest", [{ aggFn: "count", where: unknown }])]],
    ["is among tiles that are not known", unknown],
  ];
  for (const [title, tiles] of inPlace)
    it(`a preview does not replace an alert whose tile may stay on the dashboard: the tile ${title}`, async () => {
      const { dashboard, alert } = await started(tile("Errors"));
      const opened = life.opened();
      await compared(dashboard, { name: "Board", tiles }, opened);
      expect(await replacesOf(alert, { ...alert.inputs, tileId: unknown }, opened)).to.deep.equal([]);
    });

  it("the deletion of an alert succeeds after the same run removed its tile, even if the alert is new", async () => {
    const { dashboard, alert } = await started(tile("Errors"), tile("Rows"));
    const opened = life.opened();
    await updated(dashboard, board(tile("Rows")), opened);
    expect(alerts()).to.deep.equal([]);
    await deleted(alert, opened);
  });

  it("the deletion of a new alert succeeds in a later run once an update has removed the alert's tile", async () => {
    const { dashboard, alert } = await started(tile("Errors"), tile("Rows"));
    await updated(dashboard, board(tile("Rows")), life.opened());
    await deleted(alert, life.opened());
  });

  it("a refresh finds a new alert gone once the state of its dashboard no longer has the alert's tile", async () => {
    const { dashboard, alert } = await started(tile("Errors"), tile("Rows"));
    const later = await updated(dashboard, board(tile("Rows")), life.opened());
    const { session } = life.opened();
    const [, read] = await Promise.all([
      Dashboard.read(later.id, later.state, session),
      Alert.read(alert.id, alert.state, session),
    ]);
    expect(read).to.equal("gone");
  });

  it("a new alert that a list does not show is not taken for gone while its tile stays", async () => {
    const { dashboard, alert } = await started(tile("Errors"));
    life.sandbox.store.alerts.delete(alert.id);
    const { session } = life.opened();
    await Dashboard.read(dashboard.id, dashboard.state, session);
    expect(await Alert.read(alert.id, alert.state, session)).to.equal("unseen");
    expect(await deleted(alert, life.opened()).catch(String)).to.include("less than 3 minutes ago");
  });

  it("a new alert is not taken for gone because a lagging list shows neither the alert nor its tile", async () => {
    const { dashboard, alert } = await started(tile("Errors"), tile("Rows"));
    const { alerts: all, dashboards } = life.sandbox.store;
    const stored = dashboards.get(dashboard.id);
    Object.assign(stored ?? {}, { tiles: stored?.tiles.filter(({ name }) => name === "Rows") });
    all.delete(alert.id);
    const { session } = life.opened();
    const lagging = (await Dashboard.read(dashboard.id, dashboard.state, session)) as { state: State };
    await Dashboard.diff(dashboard.id, lagging.state, dashboard.inputs, session);
    expect(await Alert.read(alert.id, alert.state, session)).to.equal("unseen");
  });

  it("an alert whose tile another run has removed is replaced if the service shows neither alert nor tile", async () => {
    const { dashboard, alert } = await started(tile("Errors"), tile("Rows"));
    const later = await updated(dashboard, board(tile("Rows")), life.opened());
    expect(await replacesOf(alert, on(later, "Rows"), life.opened())).to.deep.equal(["tileId"]);
  });

  it("a new alert is replaced if the same run has deleted its dashboard", async () => {
    const { dashboard, alert } = await started(tile("Errors"));
    const opened = life.opened();
    await deleteUnlessDeclared(Dashboard, dashboard.id, dashboard.state, opened.session, false);
    const next = await life.applied("Dashboard", board(tile("Errors")));
    expect(await replacesOf(alert, on(next, "Errors"), opened)).to.include("dashboardId");
  });

  it("an alert is replaced if its dashboard is deleted first, although the program keeps the tile", async () => {
    const { dashboard, alert } = await started(tile("Errors"));
    const opened = life.opened();
    await compared(dashboard, board(tile("Errors")), opened);
    await deleteUnlessDeclared(Dashboard, dashboard.id, dashboard.state, opened.session, false);
    const next = await life.applied("Dashboard", board(tile("Errors")));
    expect(await replacesOf(alert, on(next, "Errors"), opened)).to.include("dashboardId");
  });

  it("an alert is replaced if its tile was gone, and the update makes that anew with another id", async () => {
    const { dashboard, alert } = await started(tile("Errors"), tile("Rows"));
    await updated(dashboard, board(tile("Rows")), life.opened());
    const opened = life.opened();
    const later = await updated(dashboard, board(tile("Errors"), tile("Rows")), opened);
    expect(await replacesOf(alert, on(later, "Errors"), opened)).to.deep.equal(["tileId"]);
  });

  it("a preview moves an alert to another tile in place if the update keeps the alert's former tile", async () => {
    const { dashboard, alert } = await started(tile("Errors"), tile("Rows"));
    expect(await replacesOf(alert, on(dashboard, "Rows"), life.opened())).to.deep.equal([]);
  });

  it("an alert that changes from a removed tile to a search is replaced", async () => {
    const { dashboard, alert } = await started(tile("Errors"), tile("Rows"));
    const opened = life.opened();
    await compared(dashboard, board(tile("Rows")), opened);
    const search = { ...rule, source: "search", savedSearch: "65f1c0a2b3d4e5f607182931" };
    expect(await replacesOf(alert, search, opened)).to.deep.equal(["dashboardId", "source", "tileId"]);
  });

  it("the preview refuses an alert on a tile that the same update removes", async () => {
    const { dashboard, alert } = await started(tile("Errors"), tile("Rows"));
    const opened = life.opened();
    await compared(dashboard, board(tile("Rows")), opened);
    const { failures } = await Alert.check(alert.inputs, alert.program, opened.session);
    expect(failures).to.deep.equal([
      {
        path: "tileId",
        message: "names a tile that this update removes from its dashboard; name a tile that stays",
      },
    ]);
  });

  describe("and what others have set of the tiles that an update removes", () => {
    const filter = { name: "Service", expression: "ServiceName", sourceId };
    const filters = [filter, { ...filter, name: "Host", expression: "HostName" }];
    const changed = {
      ...board(tile("Slowest", slowest), tile("Rows")),
      filters: [{ ...filter, name: "Pod", expression: "Pod" }, filters[1]],
    };
    const edited = async () => {
      const dashboard = await life.applied("Dashboard", { ...board(tile("Errors"), tile("Rows")), filters });
      const { id } = await life.applied("Alert", on(dashboard, "Errors"));
      const record = life.sandbox.store.dashboards.get(dashboard.id) as unknown as Record<
        string,
        PropertyMap[]
      >;
      Object.assign(record.tiles?.[0]?.config as PropertyMap, { numberFormat: { output: "percent" } });
      Object.assign(record.filters?.[0] as PropertyMap, { where: "by:hand" });
      const losses = [
        `with this update the service deletes the alert ${id} of the tile "Errors", which it removes`,
        'the tile "Slowest" takes the place of "Errors", with which goes what somebody has set of it: config.numberFormat',
        'the filter "Pod" takes the place of "Service", with which goes what somebody has set of it: where',
      ];
      return { dashboard, losses };
    };
    const strict = () => sessionOf(life.sandbox, { dialect: "clickhouse", onConflict: "fail" });

    it("a preview warns of everything of others that an update removes with a tile or a filter", async () => {
      const { dashboard, losses } = await edited();
      const opened = life.opened();
      await compared(dashboard, changed, opened);
      expect(opened.warnings).to.deep.equal(losses.map((loss) => `Dashboard "Board": ${loss}`));
    });

    it("with onConflict fail, a preview refuses to remove what others have set of a tile or a filter", async () => {
      const { dashboard, losses } = await edited();
      const failure = await compared(dashboard, changed, strict()).catch(({ message }) => message);
      expect(failure).to.match(/^Dashboard "Board": with this update .*; nothing was written, .*"--refresh"/);
      expect(failure).to.include(losses.join("; "));
    });

    it("with onConflict fail, a preview accepts a new name of a tile", async () => {
      const { dashboard } = await edited();
      await compared(dashboard, { ...changed, tiles: [tile("Failures"), tile("Rows")], filters }, strict());
    });
  });

  it("the removal of a tile warns of no alert that the same run has read as one of the stack's", async () => {
    const { dashboard, alert } = await started(tile("Errors"));
    const opened = sessionOf(life.sandbox, { dialect: "clickhouse", onConflict: "fail" });
    await Dashboard.read(dashboard.id, dashboard.state, opened.session);
    await Alert.read(alert.id, alert.state, opened.session);
    await compared(dashboard, board(tile("Slowest", slowest)), opened);
    expect(opened.warnings).to.deep.equal([]);
  });
});
