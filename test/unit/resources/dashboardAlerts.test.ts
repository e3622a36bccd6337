import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { resources } from "../../../provider/resources/registry";
import { asVerdict, tileToComeFailures } from "../../../provider/resources/tiles/alertTiles";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { failureOf } from "../api/failure";
import { place, refused, useServer } from "../api/server";
import { sessionFor } from "../lifecycle/note";

const config = { displayType: "line", sourceId: "s", select: [{ aggFn: "count", whereLanguage: "lucene" }] };
const frame = { name: "Errors", x: 0, y: 0, w: 6, h: 4 };
const tile = { ...frame, config };
const board = { ...place, name: "Board", tiles: [tile] };
const neutral = { dialect: "neutral", observabilityVia: "both" } as const;

describe("The preview of a dashboard with alerts", () => {
  const server = useServer();
  const clickhouse = { dialect: "clickhouse", observabilityVia: "management", maxRetries: 0 } as const;
  const open = (settings: Partial<Settings> = clickhouse) => sessionFor(settings, server.current.url);
  /** Returns the warnings of an update's preview: the check gets the inputs of the last update, the diff gets its state. */
  const previewOf = async (declared: PropertyMap, opened: ReturnType<typeof open>, state: PropertyMap) => {
    const { tileIds: _, ...inputs } = state;
    const { warnings } = await resources.Dashboard.check(inputs, declared, opened.session);
    const before = opened.warnings.length;
    await resources.Dashboard.diff("d", state, declared, opened.session);
    return [...warnings, ...opened.warnings.slice(before)];
  };
  const rows = { ...tile, name: "Rows", x: 6 };
  const table = { ...tile, config: { ...config, displayType: "table" } };
  const ids = { Errors: "t1", Rows: "t2" };
  const lines = { ...board, tiles: [tile, rows], tileIds: ids };
  const tables = { ...board, tiles: [table, rows], tileIds: ids };
  const alerts = [
    { id: "a1", name: "Too many", tileId: "t1" },
    { id: "a2", name: null, tileId: "t2" },
    { id: "a3", name: "Elsewhere", tileId: "t3" },
    { id: "a4", name: "On a copy", tileId: "t1", dashboardId: "copy" },
    { id: "a5", name: "On another", tileId: "t2", dashboard: "other" },
  ];
  const lists = () => server.current.lines.filter((line) => line.endsWith("/alerts"));
  const deletes = 'Dashboard "Board": with this update the service deletes the alert';
  const ofErrors = `${deletes} "Too many" (a1) of the tile "Errors", a table, which carries no alerts`;
  const ofRows = `${deletes} a2 of the tile "Rows", which it removes`;
  const becomes =
    'Dashboard "Board": the tile "Errors" becomes a table, whose alerts the service deletes: "Too many" (a1); keep it a line, stacked_bar or number, or remove the alert in an update before this one';

  beforeEach(() => {
    server.current.alwaysAnswer((request, response) => {
      const result = request.url?.endsWith("/validate") ? { errors: [] } : alerts;
      response.end(JSON.stringify({ status: 200, requestId: "r", result }));
    });
  });

  const renamed = { ...tile, name: "Failures" };
  const unwatched = { ...lines, tileIds: { ...ids, Errors: "t9" } };
  const others = { ...neutral, validateDashboards: false };
  const series = [{ type: "table", groupBy: [] }];
  type Case = [
    string,
    state: PropertyMap,
    tiles: unknown,
    warnings: string[],
    lists: number,
    Partial<Settings>?,
  ];
  const cases: readonly Case[] = [
    ["names the alerts of tiles that go or carry none", tables, [{ ...table, h: 6 }], [ofRows, ofErrors], 1],
    ["allows turning a tile without alerts", unwatched, [table, rows], [], 1],
    ["warns of a turned tile on other servers", lines, [{ ...frame, series }, rows], [ofErrors], 1, others],
    ["lists no alerts if all tiles stay", lines, [renamed, rows], [], 0],
    ["lists no alerts if a tile is not known", lines, [unknown, rows], [], 0],
    ["lists no alerts if a name is not known", lines, [{ ...renamed, name: unknown }], [], 0],
    ["lists no alerts if no tiles are known", lines, unknown, [], 0],
    ["lists no alerts without a change", tables, [table, rows], [], 0],
  ];
  for (const [what, state, tiles, warnings, count, settings] of cases)
    it(`the preview of a dashboard warns of the alerts that the service deletes with changed tiles: it ${what}`, async () => {
      expect(await previewOf({ ...board, tiles }, open(settings), state)).to.deep.equal(warnings);
      expect(lists()).to.have.length(count);
    });

  it("the preview refuses to turn a tile with alerts into a kind of tile that can have none", async () => {
    const opened = open();
    const refusal = () =>
      previewOf({ ...board, tiles: [table, rows] }, opened, lines).catch(({ message }) => message);
    expect(await refusal()).to.equal(becomes);
    await opened.session.call("updateAlert", { ...place, id: "x" }, {}).catch(() => undefined);
    expect(await refusal()).to.equal(becomes);
  });

  it("an update that has written something still warns of the alerts that go with a tile", async () => {
    const opened = open();
    await opened.session.call("updateAlert", { ...place, id: "x" }, {}).catch(() => undefined);
    expect(await previewOf({ ...board, tiles: [tile] }, opened, lines)).to.deep.equal([ofRows]);
  });

  it("updates that take alerts along share a list of them, until one is written", async () => {
    const opened = open();
    const write = (name: "updateDashboard" | "updateAlert") =>
      opened.session.call(name, { ...place, id: "x" }, {}).catch(() => undefined);
    for (let updates = 0; updates < 3; updates++) {
      await write("updateDashboard");
      await previewOf({ ...board, tiles: [tile] }, opened, lines);
    }
    expect(lists()).to.have.length(1);
    await write("updateAlert");
    opened.session.lists.noteWrite("listAlerts", place, "x");
    await previewOf({ ...board, tiles: [tile] }, opened, lines);
    expect(lists()).to.have.length(2);
  });

  it("the diff of a dashboard requests no alerts in a refresh", async () => {
    const { session, warnings } = open();
    await resources.Dashboard.diff("d", lines, { ...board, tiles: [table] }, session);
    expect(warnings).to.deep.equal([]);
    expect(lists()).to.deep.equal([]);
  });

  describe("that the service cannot list", () => {
    const preview = (settings: Partial<Settings> = {}) => {
      server.current.alwaysAnswer(refused(500, "INTERNAL: no"));
      return previewOf({ ...board, tiles: [table] }, open({ ...clickhouse, ...settings }), lines);
    };
    const unlisted =
      'Dashboard "Board": cannot tell which alerts the service deletes with its tiles: INTERNAL: no';

    it("a preview warns that the service cannot list the alerts", async () => {
      const warnings = await preview();
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include(unlisted);
    });

    it("with onConflict fail, a preview fails if the service cannot list the alerts", async () => {
      const { message } = await failureOf(preview({ onConflict: "fail" }));
      expect(message).to.include(unlisted).and.include('nothing was written, since onConflict is "fail"');
    });
  });
});

describe("The check of an alert on a tile", () => {
  const alert = {
    ...{ ...place, source: "tile", dashboardId: "d", threshold: 1, thresholdType: "above", interval: "5m" },
    channel: { type: "webhook", webhookId: "w" },
  };
  const ofTable = { config: { ...config, displayType: "table" } };
  const ungrouped = { series: [{ type: "table", groupBy: [] }] };
  const ofSource = { sourceId: "s", where: "", whereLanguage: "lucene", aggFn: "count" };
  const queried = { series: [{ ...ungrouped.series[0], ...ofSource }] };
  const only = "whose alerts the service deletes; only line, stacked_bar and number carry alerts";
  const is = `tileId is the tile "Errors" of the dashboard "Board", a table, ${only}`;
  const was = `tileId was that of the tile "Errors" of the dashboard "Board", now a table, ${only}`;

  const found = async (
    content: PropertyMap,
    place: PropertyMap,
    olds: PropertyMap,
    dialect: Settings["dialect"],
  ) => {
    const { session } = sessionFor({ dialect, validateDashboards: false, observabilityVia: "management" });
    const declared = { ...board, tiles: [{ ...frame, ...content }] };
    const dashboard = await resources.Dashboard.check(declared, declared, session);
    expect(dashboard.failures).to.deep.equal([]);
    await resources.Dashboard.diff("d", { ...declared, tileIds: { Errors: "t1" } }, declared, session);
    const { failures, warnings } = await resources.Alert.check(olds, { ...alert, ...place }, session);
    return [...failures.map(({ path, message }) => `${path} ${message}`), ...warnings];
  };

  const before = { ...alert, tileId: "t1" };
  const cases: readonly [
    string,
    content: PropertyMap,
    tileId: unknown,
    olds: PropertyMap,
    said: string[],
    Settings["dialect"]?,
    dashboardId?: string,
  ][] = [
    ["refuses a tile that this run declares as a table", ofTable, "t1", {}, [is]],
    ["refuses a tile of a dashboard whose id has capitals", ofTable, "t1", {}, [is], "clickhouse", "D"],
    ["refuses a tile whose series this run declares as a table", queried, "t1", {}, [is]],
    ["refuses a tile that becomes a table while its id is unknown", ofTable, unknown, before, [was]],
    ["accepts a tile that stays a line while its id is unknown", { config }, unknown, before, []],
    ["accepts another tile than the one that becomes a table", ofTable, "t9", before, []],
    ["accepts a tile of another dashboard", ofTable, "t9", {}, []],
    ["accepts a tile of another dashboard with the same id", ofTable, "t1", {}, [], "clickhouse", "copy"],
    ["accepts a tile that is not known yet", ofTable, unknown, {}, []],
    ["warns of a table on other servers", ungrouped, "t1", {}, [`Alert: ${is}`], "neutral"],
    ["accepts a line", { config }, "t1", {}, []],
    ["accepts bars", { config: { ...config, displayType: "stacked_bar" } }, "t1", {}, []],
    ["accepts a number", { config: { ...config, displayType: "number" } }, "t1", {}, []],
  ];
  for (const [what, content, tileId, olds, said, dialect = "clickhouse", dashboardId = "d"] of cases)
    it(`the check of an alert refuses only tiles that carry no alerts, such as a table: it ${what}`, async () => {
      expect(await found(content, { dashboardId, tileId }, olds, dialect)).to.deep.equal(said);
    });

  describe("in the dynamic host", () => {
    const mark = { name: "Errors", dashboard: "board", kind: "table" };
    const verdict = (dialect: Settings["dialect"], tileId: unknown) =>
      asVerdict(
        tileToComeFailures(mark, { ...alert, tileId }),
        sessionFor({ dialect, observabilityVia: "management" }).session,
      );
    const said = is.replace('"Board"', '"board"').replace(/^tileId /, "");

    it("the check of the dynamic host refuses an alert on a table only while the tile's id is unknown", () => {
      expect(verdict("clickhouse", unknown)).to.deep.equal({
        ...{ failures: [{ path: "tileId", message: said }], warnings: [] },
      });
      expect(verdict("clickhouse", "t1").failures).to.deep.equal([]);
    });

    it("in the neutral dialect, the check of the dynamic host only warns of an alert on a table", () => {
      expect(verdict("neutral", unknown)).to.deep.equal({
        failures: [],
        warnings: [`Alert: tileId ${said}`],
      });
    });
  });
});
