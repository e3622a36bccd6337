import { expect } from "chai";
import { resolveSettings } from "../../../../provider/api/settings";
import { asCode } from "../../../../provider/cli/drift/asCode";
import { findDrift } from "../../../../provider/cli/drift/findDrift";
import type { RefreshStep, StateResource } from "../../../../provider/cli/engine/stack";
import { Session } from "../../../../provider/lifecycle/session";

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
const session = new Session(() => resolveSettings([]), { warn: () => undefined, info: () => undefined });

/** The code for one resource whose inputs are found to be others. */
function codeFor(
  resource: StateResource,
  declared: object,
  found: object | undefined,
  outputs: object = {},
): string {
  const step: RefreshStep = {
    op: found ? "update" : "delete",
    urn: resource.urn,
    old: { inputs: { ...declared } },
    new: found && { inputs: { ...declared, ...found }, outputs: { ...declared, ...found, ...outputs } },
  };
  const { drift } = findDrift([resource], [step]);
  return asCode(drift, [step], [dashboard, resource], session);
}
const codeForBoard = (found: object | undefined) => codeFor(dashboard, board, found);
const tilesWith = (change: object) => ({ tiles: [{ ...tile, ...change }, text] });

describe("the code of pipestack drift --as-code", () => {
  it("is the changed property of the resource", () => {
    expect(codeForBoard({ tags: ["b"] })).to.equal('// Dashboard ingestion-board\ntags: ["b"],');
  });

  it("is the changed member alone at any depth", () => {
    const config = { displayType: "markdown", markdown: "after" };
    expect(codeForBoard({ tiles: [tile, { ...text, config }] })).to.equal(
      '// Dashboard ingestion-board, tiles["Read me"].config\nmarkdown: "after",',
    );
  });

  it("groups the members of one place", () => {
    expect(codeForBoard(tilesWith({ x: 4, w: 6 }))).to.equal(
      '// Dashboard ingestion-board, tiles["Errors"]\nx: 4,\nw: 6,',
    );
  });

  it("shows a list of plain values whole", () => {
    const series = [{ type: "time", aggFn: "count", where: "", groupBy: ["service"] }];
    expect(codeForBoard(tilesWith({ series }))).to.equal(
      '// Dashboard ingestion-board, tiles["Errors"].series[0]\ngroupBy: ["service"],',
    );
  });

  it("names the entries that a list has lost and shows those that it has gained", () => {
    const extra = { name: "Extra", ...place, series: [] };
    expect(codeForBoard({ tiles: [{ ...text, w: 3 }, extra, tile].slice(0, 2) })).to.equal(
      [
        '// Dashboard ingestion-board, tiles["Errors"]: remove it.',
        '// Dashboard ingestion-board, tiles["Read me"]\nw: 3,',
        '// Dashboard ingestion-board, tiles: add an entry at position 1.\n{\n  name: "Extra",\n  x: 0,\n  y: 0,\n  w: 12,\n  h: 4,\n  series: [],\n},',
      ].join("\n\n"),
    );
  });

  it("names the members and resources to remove", () => {
    expect(codeForBoard({ tags: undefined })).to.equal("// Dashboard ingestion-board\n// Remove tags.");
    expect(codeForBoard(undefined)).to.equal(
      "// Dashboard ingestion-board\n// It is gone: remove it from the program.",
    );
  });

  it("shows no secret", () => {
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "[secret]",
    };
    const declared = { ...board, name: secret };
    expect(codeFor(dashboard, declared, { name: secret })).to.equal(
      "// Dashboard ingestion-board\n// name: a secret has changed, and is not shown.",
    );
    expect(codeFor(dashboard, declared, { name: secret, tags: ["b"] })).to.equal(
      '// Dashboard ingestion-board\ntags: ["b"],',
    );
  });

  const onSearch = {
    ...{ name: "Errors", source: "search", threshold: 5, thresholdType: "above", interval: "5m" },
    ...{ savedSearch: "66f0c2d8a1b2c3d4e5f60733", channel: { type: "webhook", webhookId: "w1" } },
  };
  const alert = held("Alert", "errors", "66f0c2d8a1b2c3d4e5f60744");

  it("has all properties that the program then needs, with references in place of ids", () => {
    const found = { source: "tile", savedSearch: null };
    expect(codeFor(alert, onSearch, found, { dashboardId, tileId })).to.equal(
      [
        "// Alert errors",
        'source: "tile",',
        "// Remove savedSearch.",
        "dashboardId: ingestionBoard.id,",
        "tileId: ingestionBoard.tileIds.Errors,",
      ].join("\n"),
    );
  });

  it("shows no secret that the program then needs", () => {
    const webhook = held("Webhook", "team", "66f0c2d8a1b2c3d4e5f60777");
    const declared = { name: "Team", service: "slack" };
    const code = codeFor(webhook, declared, { service: "generic" }, { url: "[secret]" });
    expect(code).to.equal('// Webhook team\nservice: "generic",\n// url: a secret, and not shown.');
  });

  it("keeps the id of an object that the stack does not hold", () => {
    const channel = { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60766" };
    expect(codeFor(alert, onSearch, { channel })).to.equal(
      '// Alert errors, channel\nwebhookId: "66f0c2d8a1b2c3d4e5f60766",',
    );
  });
});
