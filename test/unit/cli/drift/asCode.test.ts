import { expect } from "chai";
import { asCode } from "../../../../cli/drift/asCode";
import { findDrift } from "../../../../cli/drift/findDrift";
import type { RefreshStep, StateResource } from "../../../../cli/engine/stack";

const place = { x: 0, y: 0, w: 12, h: 4 };
const tile = {
  name: "Errors",
  ...place,
  series: [{ type: "time", aggFn: "count", where: "", groupBy: ["host"] }],
};
const text = { name: "Read me", ...place, config: { displayType: "markdown", markdown: "before" } };
const board = { name: "Board", tags: ["a"], tiles: [tile, text] };
const dashboardId = "66f0c2d8a1b2c3d4e5f60719";
const tileId = "66f0c2d8a1b2c3d4e5f60720";

const tokenOf = (type: string) => `pulumi-nodejs:dynamic/pipestack:${type}`;
const urnOf = (type: string, name: string) => `urn:pulumi:dev::test::${tokenOf(type)}::${name}`;
const held = (type: string, name: string, id: string, outputs: object = {}): StateResource => ({
  ...{ urn: urnOf(type, name), type: tokenOf(type), id, outputs: outputs as never },
});
const dashboard = held("Dashboard", "ingestion-board", dashboardId, {
  name: "Board",
  tileIds: { Errors: tileId, "Read me": "66f0c2d8a1b2c3d4e5f60721" },
});
/** Returns the code that `pipestack drift` generates for one resource whose inputs a refresh has found changed. */
function codeFor(resource: StateResource, declared: object, found: object | undefined): string {
  const step: RefreshStep = {
    op: found ? "update" : "delete",
    urn: resource.urn,
    old: { inputs: { ...declared } },
    new: found && { inputs: { ...declared, ...found }, outputs: { ...declared, ...found } },
    ...(found && { diffs: Object.keys(found) }),
  };
  const { drift } = findDrift([resource], [step]);
  return asCode(drift, [step], [dashboard, resource]);
}

const tilesWith = (change: object) => ({ tiles: [{ ...tile, ...change }, text] });
const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "[secret]",
};
const onSearch = {
  ...{ name: "Errors", source: "search", threshold: 5, thresholdType: "above", interval: "5m" },
  ...{ savedSearch: "66f0c2d8a1b2c3d4e5f60733", channel: { type: "webhook", webhookId: "w1" } },
};
const alert = held("Alert", "errors", "66f0c2d8a1b2c3d4e5f60744");
const udf = held("Udf", "parse", "parse");
const [one, other] = [
  { name: "id", type: "UInt8" },
  { name: "text", type: "String" },
];
const webhook = held("Webhook", "team", "66f0c2d8a1b2c3d4e5f60777");

type Case = readonly [resource: StateResource, declared: object, found: object | undefined];
const onBoard = (found: object | undefined): Case => [dashboard, board, found];

const cases: { readonly [title: string]: readonly [Case, ...lines: string[]] } = {
  "consists of the changed member alone at any depth": [
    onBoard({ tiles: [tile, { ...text, config: { displayType: "markdown", markdown: "after" } }] }),
    ...['// Dashboard ingestion-board, tiles["Read me"].config', 'markdown: "after",'],
  ],
  "has a list with names as a whole where its order alone has changed": [
    [udf, { arguments: [one, other] }, { arguments: [other, one] }],
    "// Udf parse",
    "arguments: [",
    ...["  {", '    name: "text",', '    type: "String",', "  },"],
    ...["  {", '    name: "id",', '    type: "UInt8",', "  },"],
    "],",
  ],
  "groups the members of one place": [
    onBoard(tilesWith({ x: 4, w: 6 })),
    ...['// Dashboard ingestion-board, tiles["Errors"]', "x: 4,", "w: 6,"],
  ],
  "shows a list of plain values whole": [
    onBoard(tilesWith({ series: [{ type: "time", aggFn: "count", where: "", groupBy: ["service"] }] })),
    ...['// Dashboard ingestion-board, tiles["Errors"].series[0]', 'groupBy: ["service"],'],
  ],
  "names the entries that a list has lost and shows those that it has gained": [
    onBoard({
      tiles: [
        { ...text, w: 3 },
        { name: "Extra", ...place, series: [] },
      ],
    }),
    ...['// Dashboard ingestion-board, tiles["Errors"]: remove it.', ""],
    ...['// Dashboard ingestion-board, tiles["Read me"]', "w: 3,", ""],
    ...["// Dashboard ingestion-board, tiles: add an entry at position 1.", "{", '  name: "Extra",'],
    ...["  x: 0,", "  y: 0,", "  w: 12,", "  h: 4,", "  series: [],", "},"],
  ],
  "names the members to remove": [
    onBoard({ tags: undefined }),
    ...["// Dashboard ingestion-board", "// Remove tags."],
  ],
  "quotes names of members that are no identifiers": [
    [
      held("PostgresService", "orders", "p1"),
      { pgConfig: { "pg_stat_statements.track": "top", "x\nprocess.exit()": "1" } },
      { pgConfig: { "pg_stat_statements.track": "all" } },
    ],
    "// PostgresService orders, pgConfig",
    ...['"pg_stat_statements.track": "all",', '// Remove "x\\nprocess.exit()".'],
  ],
  "names the resources to remove": [
    onBoard(undefined),
    ...["// Dashboard ingestion-board", "// It is gone: remove it from the program."],
  ],
  "passes over a secret beside a property that has changed": [
    [dashboard, { ...board, name: secret }, { tags: ["b"] }],
    ...["// Dashboard ingestion-board", 'tags: ["b"],'],
  ],
  "names a secret that has changed beside a property that has changed": [
    [dashboard, { ...board, name: secret }, { name: secret, tags: ["b"] }],
    ...["// Dashboard ingestion-board", "// name: a secret has changed, and is not shown.", 'tags: ["b"],'],
  ],
  "has references in place of ids": [
    [alert, onSearch, { source: "tile", savedSearch: null, dashboardId, tileId }],
    ...["// Alert errors", 'source: "tile",', "// Remove savedSearch."],
    ...["dashboardId: ingestionBoard.id,", "tileId: ingestionBoard.tileIds.Errors,"],
  ],
  "shows no secret beside what the program then needs": [
    [webhook, { name: "Team", service: "slack" }, { service: "generic", url: "[secret]" }],
    ...["// Webhook team", "// url: a secret has changed, and is not shown.", 'service: "generic",'],
  ],
  "keeps the id of an object that the stack does not hold": [
    [alert, onSearch, { channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60766" } }],
    ...["// Alert errors, channel", 'webhookId: "66f0c2d8a1b2c3d4e5f60766",'],
  ],
};

describe("The code that pipestack drift --as-code prints", () => {
  for (const [title, [change, ...lines]] of Object.entries(cases))
    it(`pipestack drift --as-code prints the changes that the program needs: the code ${title}`, () => {
      expect(codeFor(...change).split("\n")).to.deep.equal(lines);
    });
});
