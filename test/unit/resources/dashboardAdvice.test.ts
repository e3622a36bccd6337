import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { type Answer, enveloped, place, refused, useServer } from "../api/server";
import { sessionFor } from "../lifecycle/note";

const config = { displayType: "line", sourceId: "s", select: [{ aggFn: "count", whereLanguage: "lucene" }] };
const frame = { name: "Errors", x: 0, y: 0, w: 6, h: 4 };
const tile = { ...frame, config };
const board = { ...place, name: "Board", tiles: [tile] };
const valid = enveloped({ valid: true, errors: [], normalized: {} });
const noRoute: Answer = { status: 404, headers: { "content-type": "text/html" }, body: "Cannot POST" };
const neutral = { dialect: "neutral", observabilityVia: "both" } as const;

describe("The validation of a dashboard by the service", () => {
  const server = useServer();
  const open = (changed: Partial<Settings> = {}) =>
    sessionFor(
      { dialect: "clickhouse", observabilityVia: "management", maxRetries: 0, ...changed },
      server.current.url,
    );
  const checkOf = async (declared: PropertyMap, { session } = open(), olds: PropertyMap = {}) => {
    const { failures, warnings } = await resources.Dashboard.check(olds, declared, session);
    return { failures: failures.map(({ path, message }) => `${path} ${message}`.trim()), warnings };
  };
  const invalid = (path: string, message: string) => ({
    valid: false,
    errors: [{ path, message }],
    normalized: null,
  });

  const advice = 'getSourceOutput({ name: "…" }).id is the id of the source with a name';
  const inTile = 'tiles["Errors"].config';
  const refusals: [string, path: string, message: string, failure: string][] = [
    [
      "by the paths of the program",
      "tiles.0.config.select.0.level",
      "is too high",
      `${inTile}.select[0].level is too high`,
    ],
    [
      "with the way to the id of a source",
      "tiles.0.config.sourceId",
      "Invalid id",
      `${inTile}.sourceId Invalid id; ${advice}`,
    ],
  ];
  for (const [how, path, message, failure] of refusals)
    it(`if the service's validation refuses a dashboard, the check of the dashboard reports the reason ${how}`, async () => {
      server.current.answer(enveloped(invalid(path, message)));
      expect((await checkOf(board)).failures).to.deep.equal([failure]);
      const { method, path: asked, body } = server.current.onlyRequest;
      expect(`${method} ${asked}`).to.match(/^POST \/v1\/.*\/clickstack\/dashboards\/validate$/);
      expect(body).to.deep.equal({ name: "Board", tiles: [tile] });
    });

  for (const [what, telling, failures] of [
    ["that say what is wrong", [["tiles.0.w", "is too wide"]], ['tiles["Errors"].w is too wide']],
    [
      "of none of the forms, once",
      [],
      [
        `${inTile} has a structure that the service does not accept; compare its properties with the API document`,
      ],
    ],
  ] as const)
    it(`if the service refuses a dashboard with many schema errors, the check reports only those ${what}`, async () => {
      const words = ['must match "else" schema', "must match exactly one schema in oneOf"];
      const errors = [
        ...words.map((message) => ({ path: "tiles.0.config", message })),
        ...telling.map(([path, message]) => ({ path, message })),
      ];
      server.current.answer(enveloped({ valid: false, errors, normalized: null }));
      expect((await checkOf(board)).failures).to.deep.equal(failures);
    });

  it("the check of a dashboard reports a refusal by the observability API", async () => {
    server.current.answer({ body: invalid("name", "no") });
    const { failures } = await checkOf(board, open({ observabilityVia: "observability" }));
    expect(failures).to.deep.equal(["name no"]);
    expect(server.current.lines).to.deep.equal(["POST /api/v2/dashboards/validate"]);
  });

  it("with validateDashboards, the check in the neutral dialect reports the service's refusal", async () => {
    server.current.answer(enveloped(invalid("tiles.0.w", "is too wide")));
    const declared = { ...board, tiles: [{ ...frame, series: [{ type: "number" }] }] };
    const { failures } = await checkOf(declared, open({ ...neutral, validateDashboards: true }));
    expect(failures).to.deep.equal(['tiles["Errors"].w is too wide']);
    expect(server.current.lines.join()).to.match(/^POST \/v1\/\S+\/stack\/dashboards\/validate$/);
  });

  it("the validation of a dashboard leaves out only references to containers that the service lacks", async () => {
    server.current.alwaysAnswer(valid);
    const filter = { name: "Service", expression: "ServiceName", sourceId: "s" };
    const containers = [{ id: "a", title: "A" }];
    const tiles = [{ ...tile, containerId: "a" }];
    await checkOf({ ...board, filters: [filter], containers, tiles });
    await checkOf({ ...board, adoptId: "d", tiles: [{ ...tile, containerId: "a", tabId: "one" }] });
    const validations = server.current.requests.filter(({ method }) => method === "POST");
    expect(validations.map(({ body }) => body)).to.deep.equal([
      {
        ...{ name: "Board", tiles, filters: [{ type: "QUERY_EXPRESSION", ...filter }] },
        containers: [{ collapsed: false, ...containers[0] }],
      },
      { name: "Board", tiles: [tile] },
    ]);
  });

  it("the check lets the service validate dashboards with equal content only once in a run", async () => {
    server.current.alwaysAnswer(valid);
    const session = open();
    await Promise.all([checkOf(board, session), checkOf(board, session)]);
    await checkOf({ ...board, name: "Other" }, session);
    expect(server.current.requests).to.have.length(2);
  });

  const unasked: [string, PropertyMap, Partial<Settings>?, PropertyMap?][] = [
    ["in the neutral dialect", board, neutral],
    ["if the settings say no", board, { validateDashboards: false }],
    ["while a value is not known", { ...board, tiles: [{ ...tile, name: unknown }] }],
    ["while a series is not known", { ...board, tiles: [{ ...frame, series: [unknown] }] }],
    ["while a tile is not known", { ...board, tiles: [tile, unknown] }],
    [
      "while a container is not known",
      { ...board, containers: [unknown], tiles: [{ ...tile, containerId: "a" }] },
    ],
    ["about a dashboard that stays as it is", board, {}, board],
    ["about a dashboard that is wrong anyway", { ...board, tiles: [{ ...tile, x: 24 }] }],
  ];
  for (const [when, declared, changed, olds] of unasked)
    it(`the check does not let the service validate a dashboard if that is off, useless or impossible: ${when}`, async () => {
      await checkOf(declared, open(changed), olds);
      expect(server.current.requests).to.deep.equal([]);
    });

  it("the check lets the service validate no dashboard once the process has written", async () => {
    const opened = open();
    server.current.answer(enveloped({ id: "x" }));
    await opened.session.call("updateAlert", { ...place, id: "x" }, {});
    await checkOf(board, opened);
    expect(server.current.requests).to.have.length(1);
  });

  it("the check asks an older service that cannot validate dashboards only once", async () => {
    server.current.alwaysAnswer(noRoute);
    const opened = open();
    const results = await Promise.all([checkOf(board, opened), checkOf({ ...board, name: "Other" }, opened)]);
    for (const result of results) expect(result).to.deep.equal({ failures: [], warnings: [] });
    expect(server.current.requests).to.have.length(1);
    expect(opened.warnings).to.deep.equal([]);
  });

  const troubles: [string, Answer][] = [
    ["fails", refused(500, "INTERNAL: no")],
    ["refuses the request", refused(403, "FORBIDDEN: no")],
    ["answers nonsense", enveloped({ valid: "perhaps" })],
    ["breaks the connection", (request) => request.socket.resetAndDestroy()],
  ];
  for (const [what, answer] of troubles)
    it(`the check accepts a dashboard that the service cannot validate: the service ${what}`, async () => {
      server.current.alwaysAnswer(answer);
      expect(await checkOf(board)).to.deep.equal({ failures: [], warnings: [] });
      expect(server.current.requests).to.have.length(1);
    });
});
