import { expect } from "chai";
import { send } from "../serviceContents";
import { calls, forget, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
const rule = { threshold: 5, thresholdType: "above", interval: "5m", channel };

/** A tile that counts the errors of a service, or shows its slowest request. */
const counted = (name: string, of: string, aggFn = "count") => ({
  ...{ name, x: 0, y: 0, w: 6, h: 4 },
  series: [{ type: "time", aggFn, where: `service:${of}`, groupBy: [] }],
});
const board = (...tiles: object[]) => `
const board = new Dashboard("board", ${JSON.stringify({ name: "Board", tiles })});`;
const alert = (name: string, tile: string, further = "", options = "{}") => `
new Alert("${name}", { ...${JSON.stringify(rule)}, source: "tile", dashboardId: board.id,
  tileId: board.tileIds[${JSON.stringify(tile)}], ${further} }, ${options});`;
const set = (entries: Readonly<Record<string, string>>) => `
new AlertSet("all", { alerts: {${Object.entries(entries).map(
  ([key, tile]) =>
    `"${key}": { ...${JSON.stringify(rule)}, source: "tile", dashboardId: board.id, tileId: board.tileIds[${JSON.stringify(tile)}] }`,
)}} });`;

const host = hostUnlessTold("plugin");

describe("Alerts of tiles that change", () => {
  const fixture = useFixture({ host, judged: true });
  const writes = () => calls(fixture.sandbox).filter((line) => !line.startsWith("GET"));
  /** The names of the tiles that alerts watch. */
  const watched = () => {
    const { alerts, dashboards } = fixture.sandbox.store;
    return [...alerts.values()]
      .map(({ dashboard = "", tileId }) => {
        const tiles = dashboards.get(dashboard)?.tiles ?? [];
        return tiles.find(({ id }) => id === tileId)?.name;
      })
      .sort();
  };
  /** Makes an alert as somebody else does. */
  const byHand = async (body: object): Promise<string> => {
    const { serviceId } = fixture.sandbox.credentials;
    const path = `/services/${serviceId}/stack/alerts`;
    return (await send<{ id: string }>(fixture.sandbox, "POST", path, body)).id;
  };
  const onFirstTile = async () => {
    const { id: dashboardId, outputs = {} } = await fixture.resource("board");
    const [tileId] = Object.values(outputs.tileIds as object);
    return { ...rule, source: "tile", dashboardId, tileId };
  };
  const become = async (program: string, args?: string[]) => {
    forget(fixture.sandbox);
    const applied = await fixture.apply(program, args && { args });
    await fixture.preview({ args: ["--expect-no-changes"] });
    return applied;
  };
  /** Alerts of the first stack are younger than reads may lag. */
  const begin = async (program: string) => {
    await fixture.destroy();
    await fixture.apply(program);
  };

  it("replaces an alert whose tile is renamed and shows something else", async () => {
    await begin(board(counted("Errors", "a")) + alert("errors", "Errors"));
    const changed = board(counted("Slowest", "a", "max")) + alert("errors", "Slowest");
    await fixture.write(changed);
    const { stdout } = await fixture.preview();
    expect(stdout).to.match(/\+- .*errors/);
    await become(changed);
    expect(watched()).to.deep.equal(["Slowest"]);
    expect(writes()).to.deep.equal([
      "PUT /api/v2/dashboards/{id}",
      "POST /stack/alerts",
      "DELETE /stack/alerts/{id} 404",
    ]);
  });

  it("updates an alert whose tile is only renamed, or moves to a tile that stays, in place", async () => {
    await begin(board(counted("Errors", "a"), counted("Rows", "b")) + alert("errors", "Errors"));
    await become(board(counted("Failures", "a"), counted("Rows", "b")) + alert("errors", "Failures"));
    expect(writes()).to.deep.equal(["PUT /api/v2/dashboards/{id}"]);
    await become(board(counted("Failures", "a"), counted("Rows", "b")) + alert("errors", "Rows"));
    expect(writes()).to.deep.equal(["PUT /api/v2/alerts/{id}"]);
    expect(watched()).to.deep.equal(["Rows"]);
  });

  it("keeps an alert on each tile of a loop whose first service leaves, by whatever names", async () => {
    const loop = (...services: string[]) =>
      board(...services.map((of) => counted(of, of))) +
      services.map((of, index) => alert(`alert${index}`, of)).join("");
    await begin(loop("a", "b", "c"));
    await become(loop("b", "c"));
    expect(watched()).to.deep.equal(["b", "c"]);
  });

  it("makes the entries of a set anew whose tiles go, under their keys", async () => {
    const loop = (...services: string[]) =>
      board(...services.map((of) => counted(of, of))) +
      set(Object.fromEntries(services.map((of, index) => [`entry${index}`, of])));
    await begin(loop("a", "b", "c"));
    await become(loop("b", "c"));
    expect(watched()).to.deep.equal(["b", "c"]);
    const { ids } = await fixture.outputsOf("all");
    expect(Object.keys(ids as object)).to.deep.equal(["entry0", "entry1"]);
    expect([...fixture.sandbox.store.alerts.keys()].sort()).to.deep.equal(
      Object.values(ids as object).sort(),
    );
  });

  it("removes a tile with its alert at once, however young both are", async () => {
    await begin(board(counted("a", "a"), counted("b", "b")) + alert("one", "a") + alert("two", "b"));
    await become(board(counted("b", "b")) + alert("two", "b"));
    expect(watched()).to.deep.equal(["b"]);
  });

  it("finishes in a later run what began with the removal of a tile, although the alerts are young", async () => {
    await begin(board(counted("a", "a"), counted("b", "b")) + alert("one", "a") + alert("two", "a"));
    await fixture.write(board(counted("b", "b")) + alert("one", "b"));
    await fixture.sandbox.faults.set([{ kind: "400", operation: "createAlert", nth: 1 }]);
    await fixture.up({ expect: "failure" });
    await fixture.sandbox.faults.clear();
    expect(watched()).to.deep.equal([]);
    await fixture.up();
    expect(watched()).to.deep.equal(["b"]);
    await fixture.preview({ args: ["--expect-no-changes"] });
  });

  it("an adopted alert gets a new one in its place, too, while adoptId is still declared", async () => {
    const first = board(counted("Errors", "a"));
    await begin(first);
    const body = await onFirstTile();
    const id = await byHand(body);
    await become(first + alert("errors", "Errors", `adoptId: "${id}"`));
    await become(board(counted("Slowest", "a", "max")) + alert("errors", "Slowest", `adoptId: "${id}"`));
    expect(watched()).to.deep.equal(["Slowest"]);
    expect((await fixture.resource("errors")).id).to.not.equal(id);
  });

  it("protect stops the preview before anything is written", async () => {
    const protect = "{ protect: true }";
    await begin(board(counted("Errors", "a")) + alert("errors", "Errors", "", protect));
    await fixture.write(board(counted("Slowest", "a", "max")) + alert("errors", "Slowest", "", protect));
    forget(fixture.sandbox);
    const { output } = await fixture.preview({ expect: "failure" });
    expect(output).to.include("protect");
    expect(writes()).to.deep.equal([]);
    await fixture.apply(board(counted("Errors", "a")) + alert("errors", "Errors"));
  });

  it("names the alert that somebody has on a tile which goes, and with onConflict fail stops for it alone", async () => {
    await begin(board(counted("Errors", "a")) + alert("errors", "Errors"));
    const id = await byHand(await onFirstTile());
    const changed = board(counted("Slowest", "a", "max")) + alert("errors", "Slowest");
    await fixture.write(changed);
    const loss = `with this update the service deletes the alert ${id} of the tile "Errors", which it removes`;
    expect((await fixture.preview()).output).to.include(loss);
    forget(fixture.sandbox);
    await fixture.config("pipestack:onConflict", "fail");
    const strict = { args: ["--refresh"], expect: "failure" as const };
    for (const { output } of [await fixture.preview(strict), await fixture.up(strict)]) {
      const said = output.replace(/\s+/g, " ");
      expect(said).to.include(`${loss}; nothing was written, since onConflict is "fail"`);
    }
    expect(writes()).to.deep.equal([]);
    fixture.sandbox.store.alerts.delete(id);
    await become(changed, ["--refresh"]);
    expect(watched()).to.deep.equal(["Slowest"]);
    await fixture.config("pipestack:onConflict", "warn");
  });

  it("destroys a dashboard, and the webhook of its alerts, that the engine leaves to the service", async () => {
    await begin(`const hook = new Webhook("hook", { name: "paging", service: "generic", url: "https://hooks.example.com/a" });
${board(counted("Errors", "a"))}${alert("errors", "Errors", `channel: { type: "webhook", webhookId: hook.id }`, "{ deletedWith: board }")}`);
    const { output } = await fixture.destroy();
    expect(output).to.not.include("still used by");
    expect(watched()).to.deep.equal([]);
    const names = [...fixture.sandbox.store.webhooks.values()].map(({ name }) => name);
    expect(names).to.deep.equal(["on-call"]);
  });
});
