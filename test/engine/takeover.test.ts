import { expect } from "chai";
import { send } from "../serviceContents";
import { calls, forget, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const series = [{ type: "number", aggFn: "count" }];
const tile = (name: string, y = 0) => ({ name, x: 0, y, w: 6, h: 4, series });
const night = { name: "Nights", weekdays: [1, 2], startHourUtc: 19, endHourUtc: 7, numReplicas: 2 };
const weekend = { name: "Weekend", weekdays: [0, 6], startHourUtc: 0, endHourUtc: 24, numReplicas: 1 };

const host = hostUnlessTold("dynamic");

describe("Resources that take over existing objects of others", () => {
  const fixture = useFixture({ host });
  const ids = { key: "", board: "", alert: "" };
  const writes = () => calls(fixture.sandbox).filter((line) => /^(PUT|POST|PATCH|DELETE)/.test(line));
  const service = () => `/services/${fixture.sandbox.credentials.serviceId}`;
  const endpoint = () => fixture.sandbox.store.queryEndpointOf(fixture.sandbox.credentials.serviceId);
  const entries = () => [...fixture.sandbox.store.scalingSchedules.values()].map((each) => each.entries);

  /**
   * Returns a program that declares a query endpoint, a scaling schedule and a dashboard, all of which others have created.
   * Destroying it keeps or restores the query endpoint and the schedule, as `onDestroy` says.
   */
  const program = (onDestroy: string) => `
new QueryEndpoint("endpoint", { roles: ["sql_console_read_only"], openApiKeys: [], onDestroy: "${onDestroy}" });
new ServiceScalingSchedule("schedule", { entries: ${JSON.stringify([night])}, onDestroy: "${onDestroy}" });
new Dashboard("board", { adoptId: "${ids.board}", name: "Ours", tiles: ${JSON.stringify([tile("Errors")])} });`;

  const named = [
    /query endpoint of service \S+ is there already, and taking it over (would replace|replaces) [^;]*roles/,
    /openApiKeys \([0-9a-f-]{36}\)/,
    /scaling schedule of service \S+ is there already, and taking it over (would replace|replaces) [^;]*"Weekend"/,
    /dashboard \S+ is there already, and taking it over (would replace|replaces) name, tiles\["Rows"\]/,
    /with this update the service deletes the alert "Too many" \([0-9a-f]{24}\) of the tile "Rows"/,
  ];
  const expectNamed = (output: string) => {
    const said = output.replaceAll(/\s+/g, " ");
    for (const words of named) expect(said, output).to.match(words);
  };

  beforeEach(async () => {
    const { key } = await send<{ key: { id: string } }>(fixture.sandbox, "POST", "/keys", {
      name: "theirs",
      roles: ["developer"],
    });
    await send(fixture.sandbox, "POST", `${service()}/serviceQueryEndpoint`, {
      ...{ roles: ["sql_console_admin"], openApiKeys: [key.id], allowedOrigins: "" },
    });
    await send(fixture.sandbox, "POST", `${service()}/scalingSchedule`, { entries: [weekend] });
    const board = await send<{ id: string; tiles: { id: string }[] }>(
      fixture.sandbox,
      "POST",
      `${service()}/stack/dashboards`,
      { name: "Theirs", tiles: [tile("Errors"), tile("Rows", 4)] },
    );
    const alert = await send<{ id: string }>(fixture.sandbox, "POST", `${service()}/stack/alerts`, {
      ...{ name: "Too many", threshold: 5, thresholdType: "above", interval: "5m", source: "tile" },
      ...{ dashboardId: board.id, tileId: board.tiles[1]?.id },
      channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
    });
    Object.assign(ids, { key: key.id, board: board.id, alert: alert.id });
    forget(fixture.sandbox);
  });
  afterEach(async () => {
    await fixture.destroy();
    fixture.sandbox.store.dashboards.clear();
    fixture.sandbox.store.alerts.clear();
  });

  it("preview and update name the values that a takeover replaces, and destroy keeps singletons that existed before", async () => {
    await fixture.write(program("keep"));
    expectNamed((await fixture.preview()).output);
    expect(writes()).to.deep.equal([]);
    const { output, summary } = await fixture.up();
    expectNamed(output);
    expect(summary).to.include({ create: 3 });
    expect(endpoint()).to.deep.include({ roles: ["sql_console_read_only"], openApiKeys: [] });
    expect([...fixture.sandbox.store.alerts.keys()]).to.not.include(ids.alert);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    const destroyed = await fixture.destroy();
    expect(destroyed.output)
      .to.match(/keeps its query endpoint/)
      .and.match(/keeps its scaling schedule/);
    expect(endpoint()).to.deep.include({ roles: ["sql_console_read_only"] });
    expect(entries()[0]).to.have.length(1);
    expect([...fixture.sandbox.store.dashboards.keys()]).to.not.include(ids.board);
  });

  it("with onDestroy restore, destroy restores the values from before the takeover", async () => {
    await fixture.apply(program("restore"));
    await fixture.destroy();
    expect(endpoint()).to.deep.include({ roles: ["sql_console_admin"], openApiKeys: [ids.key] });
    expect(entries().map((each) => each.map(({ name }) => name))).to.deep.equal([["Weekend"]]);
  });

  it("with onConflict fail, preview and update fail before they replace a value of others", async () => {
    await fixture.write(program("keep"));
    const environment = { PIPESTACK_ON_CONFLICT: "fail" };
    for (const { output } of [
      await fixture.preview({ environment, expect: "failure" }),
      await fixture.up({ environment, expect: "failure", args: ["--continue-on-error"] }),
      await fixture.up({ environment, expect: "failure", args: ["--skip-preview"] }),
    ])
      expect(output).to.include("onConflict is fail, so declare these as they are");
    expect(writes()).to.deep.equal([]);
  });

  it("taking over an object that already equals the program gives no warning", async () => {
    const { output } = await fixture.apply(
      `
new QueryEndpoint("endpoint", { roles: ["sql_console_admin"], openApiKeys: ["${ids.key}"] });
new ServiceScalingSchedule("schedule", { entries: ${JSON.stringify([weekend])} });
new Dashboard("board", { adoptId: "${ids.board}", name: "Theirs", tiles: ${JSON.stringify([tile("Errors"), tile("Rows", 4)])} });`,
      { environment: { PIPESTACK_ON_CONFLICT: "fail" } },
    );
    expect(output).to.not.include("there already");
    expect([...fixture.sandbox.store.alerts.keys()]).to.include(ids.alert);
  });

  const search = (name: string, adoptId = "") => `
const ${name} = new SavedSearch("${name}", { name: "Search", ${adoptId && `adoptId: ${adoptId},`}
  sourceId: "65f1c0a2b3d4e5f607182911" });`;
  const isHeld = /which another resource of the program has already/;

  it("the preview refuses to adopt an object that another resource of the program already manages", async () => {
    await fixture.apply(search("one"));
    const { id } = await fixture.resource("one");
    forget(fixture.sandbox);
    for (const adoptId of [JSON.stringify(id), "one.id"]) {
      await fixture.write(search("one") + search("two", adoptId));
      expect((await fixture.preview({ expect: "failure" })).output).to.match(isHeld);
      expect((await fixture.up({ expect: "failure" })).output).to.match(isHeld);
    }
    expect(writes()).to.deep.equal([]);
    await fixture.apply(search("one"));
    await fixture.preview({ args: ["--expect-no-changes"] });
  });

  it("an update refuses to adopt an object that another resource of the program has just created", async () => {
    await fixture.write(search("one") + search("two", "one.id"));
    expect((await fixture.up({ expect: "failure" })).output).to.match(isHeld);
    expect(writes()).to.have.length(1);
  });
});
