import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { type Answer, enveloped, place, refused, useServer } from "../api/server";
import { sessionFor } from "../lifecycle/note";

const config = { displayType: "line", sourceId: "s", select: [{ aggFn: "count", whereLanguage: "lucene" }] };
const frame = { name: "Errors", x: 0, y: 0, w: 6, h: 4 };
const tile = { ...frame, config };
const board = { ...place, name: "Board", tiles: [tile] };
const validation = "/clickstack/dashboards/validate";
const valid = enveloped({ valid: true, errors: [], normalized: {} });
const noRoute: Answer = { status: 404, headers: { "content-type": "text/html" }, body: "Cannot POST" };

describe("The check of a dashboard asks the service", () => {
  const server = useServer();
  const open = (changed: Partial<Settings> = {}) =>
    sessionFor(
      { dialect: "clickhouse", observabilityVia: "management", maxRetries: 0, ...changed },
      server.current.url,
    );
  const checkOf = async (declared: Data, { session } = open(), olds: Data = {}) => {
    const { failures, warnings } = await resources.Dashboard.check(olds, declared, session);
    return { failures: failures.map(({ path, message }) => `${path} ${message}`.trim()), warnings };
  };
  /** What the preview of an update warns of: the check sees the inputs of the last one, the diff the state. */
  const previewOf = async (declared: Data, opened: ReturnType<typeof open>, state: Data) => {
    const { tileIds: _, ...inputs } = state;
    const { warnings } = await checkOf(declared, opened, inputs);
    const before = opened.warnings.length;
    await resources.Dashboard.diff("d", state, declared, opened.session);
    return [...warnings, ...opened.warnings.slice(before)];
  };
  const invalid = (path: string, message: string) =>
    enveloped({ valid: false, errors: [{ path, message }], normalized: null });

  it("what it would refuse, and fails by the paths of the program", async () => {
    server.current.answer(invalid("tiles.0.config.select.0.level", "Level can only be used with quantile"));
    expect((await checkOf(board)).failures).to.deep.equal([
      'tiles["Errors"].config.select[0].level Level can only be used with quantile',
    ]);
    const { method, path, body } = server.current.onlyRequest;
    expect(`${method} ${path}`).to.match(/^POST \/v1\/.*\/clickstack\/dashboards\/validate$/);
    expect(body).to.deep.equal({ name: "Board", tiles: [tile] });
  });

  it("without a path where the service names none", async () => {
    server.current.answer(invalid("", "Could not find the following source IDs: s"));
    expect((await checkOf(board)).failures).to.deep.equal([
      'Could not find the following source IDs: s; getSourceOutput({ name: "…" }).id is the id of the source with a name',
    ]);
  });

  it("and says how to get the id of a source, where a name stands in its place", async () => {
    server.current.answer(invalid("tiles.0.config.sourceId", "Invalid id"));
    expect((await checkOf(board)).failures).to.deep.equal([
      'tiles["Errors"].config.sourceId Invalid id; getSourceOutput({ name: "…" }).id is the id of the source with a name',
    ]);
  });

  it("through the observability API, which answers without an envelope", async () => {
    server.current.answer({
      body: { valid: false, errors: [{ path: "name", message: "no" }], normalized: null },
    });
    const result = await checkOf(board, open({ observabilityVia: "observability" }));
    expect(result.failures).to.deep.equal(["name no"]);
    expect(server.current.lines).to.deep.equal(["POST /api/v2/dashboards/validate"]);
  });

  it("with what a create needs, and without places that only the service knows", async () => {
    server.current.alwaysAnswer(valid);
    const filter = { name: "Service", expression: "ServiceName", sourceId: "s" };
    const containers = [{ id: "a", title: "A" }];
    const inside = { ...tile, containerId: "a", tabId: "one" };
    await checkOf({ ...board, filters: [filter], containers, tiles: [{ ...tile, containerId: "a" }] });
    await checkOf({ ...board, adoptId: "d", tiles: [inside] });
    const [declared, adopted] = server.current.requests.map(({ body }) => body);
    expect(declared).to.deep.equal({
      name: "Board",
      filters: [{ type: "QUERY_EXPRESSION", ...filter }],
      containers: [{ collapsed: false, ...containers[0] }],
      tiles: [{ ...tile, containerId: "a" }],
    });
    expect(adopted).to.deep.equal({ name: "Board", tiles: [tile] });
  });

  it("once for all dashboards with the same content in a run", async () => {
    server.current.alwaysAnswer(valid);
    const session = open();
    await Promise.all([checkOf(board, session), checkOf(board, session), checkOf(board, session)]);
    expect(server.current.requests).to.have.length(1);
    await checkOf({ ...board, name: "Other" }, session);
    expect(server.current.requests).to.have.length(2);
  });

  const neutral = { dialect: "neutral", observabilityVia: "both" } as const;

  it("in the neutral dialect where the settings say so", async () => {
    server.current.answer(invalid("tiles.0.w", "is too wide"));
    const { config, ...rest } = tile;
    const declared = { ...board, tiles: [{ ...rest, series: [{ type: "number" }] }] };
    const { failures } = await checkOf(declared, open({ ...neutral, validateDashboards: true }));
    expect(failures).to.deep.equal(['tiles["Errors"].w is too wide']);
    expect(server.current.lines.join()).to.match(/^POST \/v1\/\S+\/stack\/dashboards\/validate$/);
  });

  const unasked: [string, Data, Partial<Settings>, Data?][] = [
    ["in the neutral dialect", board, neutral],
    ["where the settings say no", board, { validateDashboards: false }],
    ["while a value is not known", { ...board, tiles: [{ ...tile, name: unknown }] }, {}],
    ["while a series is not known", { ...board, tiles: [{ ...frame, series: [unknown] }] }, {}],
    ["while a tile is not known", { ...board, tiles: [tile, unknown] }, {}],
    [
      "while a container is not known",
      { ...board, containers: [unknown], tiles: [{ ...tile, containerId: "a" }] },
      {},
    ],
    ["about a dashboard that stays as it is", board, {}, board],
    ["about a dashboard that is wrong anyway", { ...board, tiles: [{ ...tile, x: 24 }] }, {}],
  ];
  for (const [when, declared, changed, olds] of unasked) {
    it(`not ${when}`, async () => {
      await checkOf(declared, open(changed), olds);
      expect(server.current.requests).to.deep.equal([]);
    });
  }

  it("not once this process has written something, since no preview does", async () => {
    const opened = open();
    server.current.answer(enveloped({ id: "x" }));
    await opened.session.call("updateAlert", { ...place, id: "x" }, {});
    await checkOf(board, opened);
    expect(server.current.requests).to.have.length(1);
  });

  it("no second time if it is older than that, and says nothing", async () => {
    server.current.alwaysAnswer(noRoute);
    const opened = open();
    const results = await Promise.all([checkOf(board, opened), checkOf({ ...board, name: "Other" }, opened)]);
    for (const result of results) expect(result).to.deep.equal({ failures: [], warnings: [] });
    expect(server.current.requests).to.have.length(1);
    expect(opened.warnings).to.deep.equal([]);
  });

  const troubles: [string, Answer][] = [
    ["fails", refused(500, "INTERNAL: no")],
    ["refuses", refused(403, "FORBIDDEN: no")],
    ["answers nonsense", enveloped({ valid: "perhaps" })],
    ["breaks the connection", (request) => request.socket.resetAndDestroy()],
  ];
  for (const [what, answer] of troubles) {
    it(`and passes if it ${what}`, async () => {
      server.current.alwaysAnswer(answer);
      expect(await checkOf(board)).to.deep.equal({ failures: [], warnings: [] });
      expect(server.current.requests).to.have.length(1);
    });
  }

  describe("for the alerts that it deletes with an update", () => {
    const tileIds = { Errors: "t1", Rows: "t2" };
    const rows = { ...tile, name: "Rows", x: 6 };
    const state = { ...board, tiles: [tile, rows], tileIds };
    const table = { ...tile, config: { ...config, displayType: "table" } };
    const alerts = [
      { id: "a1", name: "Too many", tileId: "t1" },
      { id: "a2", name: null, tileId: "t2" },
      { id: "a3", name: "Elsewhere", tileId: "t3" },
    ];
    const answerAll = () =>
      server.current.alwaysAnswer((request, response) => {
        const answer = request.url?.endsWith(validation) ? { errors: [] } : alerts;
        response.end(JSON.stringify({ status: 200, requestId: "r", result: answer }));
      });
    const lists = () => server.current.lines.filter((line) => line.endsWith("/clickstack/alerts"));
    const deletes = 'Dashboard "Board": with this update the service deletes the alert';

    const becomes =
      'Dashboard "Board": the tile "Errors" becomes a table, whose alerts the service deletes: "Too many" (a1); keep it a line, stacked_bar or number, or remove the alert in an update before this one';

    it("as their tile goes, or is one that carries none, with one list", async () => {
      answerAll();
      const opened = open();
      const former = { ...state, tiles: [table, rows] };
      expect(await previewOf({ ...board, tiles: [{ ...table, h: 6 }] }, opened, former)).to.deep.equal([
        `${deletes} a2 of the tile "Rows", which it removes`,
        `${deletes} "Too many" (a1) of the tile "Errors", a table, which carries no alerts`,
      ]);
      await previewOf({ ...board, tiles: [{ ...table, h: 5 }] }, opened, former);
      expect(lists()).to.have.length(1);
    });

    it("and is refused one that turns their tile into one that carries none", async () => {
      answerAll();
      const refusal = await previewOf({ ...board, tiles: [table, rows] }, open(), state).catch(
        ({ message }) => message,
      );
      expect(refusal).to.equal(becomes);
    });

    it("and is refused it in an update, too, where there may have been no preview", async () => {
      answerAll();
      const opened = open();
      await opened.session.call("updateAlert", { ...place, id: "x" }, {}).catch(() => undefined);
      const refusal = await previewOf({ ...board, tiles: [table, rows] }, opened, state).catch(
        ({ message }) => message,
      );
      expect(refusal).to.equal(becomes);
      expect(await previewOf({ ...board, tiles: [tile] }, opened, state)).to.deep.equal([]);
    });

    it("and may turn a tile that has none", async () => {
      answerAll();
      const other = { ...state, tileIds: { Errors: "t9", Rows: "t2" } };
      expect(await previewOf({ ...board, tiles: [table, rows] }, open(), other)).to.deep.equal([]);
      expect(lists()).to.have.length(1);
    });

    it("and is only warned of it where the servers may be others", async () => {
      answerAll();
      const series = [{ type: "table", groupBy: [] }];
      const opened = open({ dialect: "neutral", observabilityVia: "both", validateDashboards: false });
      expect(await previewOf({ ...board, tiles: [{ ...frame, series }, rows] }, opened, state)).to.deep.equal(
        [`${deletes} "Too many" (a1) of the tile "Errors", a table, which carries no alerts`],
      );
    });

    it("but not where all tiles stay what they are, or one may be any of them", async () => {
      answerAll();
      const renamed = { ...tile, name: "Failures" };
      const declared = [[renamed, rows], [unknown, rows], [{ ...renamed, name: unknown }], unknown];
      for (const tiles of declared)
        expect(await previewOf({ ...board, tiles }, open(), state)).to.deep.equal([]);
      expect(lists()).to.deep.equal([]);
    });

    it("but not where there is nothing to update", async () => {
      answerAll();
      const unchanged = { ...state, tiles: [table, rows] };
      const opened = open();
      const { tileIds: _, ...declared } = unchanged;
      expect(await previewOf(declared, opened, unchanged)).to.deep.equal([]);
      expect(server.current.lines).to.deep.equal([]);
    });

    it("but not in a refresh, which compares with what the last update declared", async () => {
      answerAll();
      const { session, warnings } = open();
      await resources.Dashboard.diff("d", state, { ...board, tiles: [table] }, session);
      expect(warnings).to.deep.equal([]);
      expect(lists()).to.deep.equal([]);
    });

    it("and passes if the alerts cannot be listed", async () => {
      server.current.alwaysAnswer(refused(500, "INTERNAL: no"));
      expect(await previewOf({ ...board, tiles: [table] }, open(), state)).to.deep.equal([]);
    });
  });
});

describe("The check of an alert on a tile", () => {
  const channel = { type: "webhook", webhookId: "w" };
  const alert = {
    ...place,
    source: "tile",
    dashboardId: "d",
    threshold: 1,
    thresholdType: "above",
    interval: "5m",
    channel,
  };
  const series = (type: string) => [
    { type, groupBy: [], sourceId: "s", where: "", whereLanguage: "lucene", aggFn: "count" },
  ];
  const found = async (
    content: Data,
    dialect: Settings["dialect"],
    tileId: unknown = "t1",
    olds: Data = {},
  ) => {
    const { session } = sessionFor({ dialect, validateDashboards: false, observabilityVia: "management" });
    const { config: _, ...rest } = tile;
    const declared = { ...board, tiles: [{ ...rest, ...content }] };
    const dashboard = await resources.Dashboard.check(declared, declared, session);
    expect(dashboard.failures).to.deep.equal([]);
    const state = { ...declared, tileIds: { Errors: "t1" } };
    await resources.Dashboard.diff("d", state, declared, session);
    const { failures, warnings } = await resources.Alert.check(olds, { ...alert, tileId }, session);
    return { failures: failures.map(({ path, message }) => `${path} ${message}`), warnings };
  };
  const reason =
    'tileId is the tile "Errors" of the dashboard "Board", a table, whose alerts the service deletes; only line, stacked_bar and number carry alerts';

  it("refuses a tile that this run declares as one without alerts", async () => {
    const table = { config: { ...config, displayType: "table" } };
    expect((await found(table, "clickhouse")).failures).to.deep.equal([reason]);
    expect((await found({ series: series("table") }, "clickhouse")).failures).to.deep.equal([reason]);
  });

  it("refuses it, too, where the id of the tile is unknown as in the preview of an update", async () => {
    const table = { config: { ...config, displayType: "table" } };
    const was =
      'tileId was that of the tile "Errors" of the dashboard "Board", now a table, whose alerts the service deletes; only line, stacked_bar and number carry alerts';
    const olds = { ...alert, tileId: "t1" };
    expect((await found(table, "clickhouse", unknown, olds)).failures).to.deep.equal([was]);
    expect((await found({ config }, "clickhouse", unknown, olds)).failures).to.deep.equal([]);
    expect((await found(table, "clickhouse", "t9", olds)).failures).to.deep.equal([]);
  });

  it("warns of it where the servers may be others", async () => {
    const { failures, warnings } = await found({ series: [{ type: "table", groupBy: [] }] }, "neutral");
    expect(failures).to.deep.equal([]);
    expect(warnings).to.deep.equal([`Alert: ${reason}`]);
  });

  it("accepts lines, bars, numbers, tiles of other dashboards, and what is not known yet", async () => {
    const nothing = { failures: [], warnings: [] };
    for (const displayType of ["line", "stacked_bar", "number"])
      expect(await found({ config: { ...config, displayType } }, "clickhouse")).to.deep.equal(nothing);
    const table = { config: { ...config, displayType: "table" } };
    for (const tileId of ["t9", unknown])
      expect(await found(table, "clickhouse", tileId)).to.deep.equal(nothing);
  });
});
