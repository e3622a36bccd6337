import { expect } from "chai";
import { calls, forget, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const board = `const board = new Dashboard("board", { name: "Board", tiles: [
  { name: "One", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] },
] });
`;
const onTile = `{ source: "tile", dashboardId: board.id, threshold: 1, thresholdType: "above", interval: "5m",
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" } }`;
const alert = `new Alert("alert", { ...${onTile}, tileId: board.tileIds.One });
`;
const key = `const key = new ApiKey("key", { roles: ["query_endpoints"] });
`;
const endpoint = (roles: string[], keys: string) =>
  `new QueryEndpoint("endpoint", { roles: ${JSON.stringify(roles)}, openApiKeys: [${keys}] });\n`;

const host = hostUnlessTold("plugin");

describe("a preview with values that are not known yet", () => {
  const fixture = useFixture({ host });

  const preview = async (program: string, expected: number | "failure" = 0) => {
    forget(fixture.sandbox);
    await fixture.write(program);
    const result = await fixture.preview({ expect: expected });
    expect(calls(fixture.sandbox), "a preview of creations asks for nothing").to.deep.equal([]);
    return result;
  };

  it("fails for a tile that the dashboard does not have, and for one that is given without a value", async () => {
    // In a generated SDK, no value is no property; the classes of the dynamic provider say more.
    const required = 'is required when source is "tile"; a mistyped name of a tile in tileIds gives none';
    const [unknownTile, noValue] =
      host === "plugin"
        ? [required, required]
        : [
            'dashboard board has no tile "Onne"; it has: One',
            'Alert "none": tileId is given, but without a value',
          ];
    const typo = `${board}new Alert("typo", { ...${onTile}, tileId: board.tileIds.Onne });\n`;
    expect((await preview(typo, "failure")).output).to.include(unknownTile);
    const none = `${board}new Alert("none", { ...${onTile}, tileId: pulumi.output(undefined) });\n`;
    expect((await preview(none, "failure")).output).to.include(noValue);
  });

  it("refuses a wrong entry of a list, and nothing of what is unknown", async () => {
    const { output } = await preview(key + endpoint(["sql_console_admin"], `key.id, ""`), "failure");
    expect(output).to.match(/has a problem: openApiKeys\[1\] must/);
    expect(output).to.not.match(/problem: openApiKeys(\[0\])? must/);
  });

  it("passes for unknown values anywhere: a whole list, an entry of a union, a place on the grid", async () => {
    const program = `const keys = key.id.apply((id) => [id]);
new QueryEndpoint("other", {
  serviceId: "${fixture.sandbox.credentials.secondServiceId}", roles: ["sql_console_admin"], openApiKeys: keys,
  allowedOrigins: key.keySuffix,
});
const series = [{ type: key.keySuffix, where: key.keySuffix }];
const tile = { name: key.keySuffix, x: key.keySuffix.apply(Number), y: 0, w: 1, h: 1, series };
new Dashboard("unknown", { name: key.name, tags: [key.keySuffix, key.createdAt], tiles: [tile, { ...tile, y: 1 }] });
new ApiKey("late", { roles: key.roles, expireAt: key.createdAt, ipAccessList: [{ source: key.keySuffix }] });`;
    const { summary } = await preview(
      board + alert + key + endpoint(["sql_console_admin"], "key.id") + program,
    );
    expect(summary).to.deep.equal({ create: 7 });
  });

  it("is followed by an update that applies what has become known", async () => {
    await fixture.apply(board + alert + key + endpoint(["sql_console_admin"], "key.id"));
    const { alerts, dashboards, queryEndpoints, keys } = fixture.sandbox.store;
    const [dashboard] = dashboards.values();
    expect([...alerts.values()][0]).to.include({ dashboard: dashboard?.id, tileId: dashboard?.tiles[0]?.id });
    const made = [...keys.values()].find(({ name }) => name === "key");
    expect([...queryEndpoints.values()][0]?.openApiKeys).to.deep.equal([made?.id]);
    await fixture.preview({ args: ["--expect-no-changes"] });
  });
});
