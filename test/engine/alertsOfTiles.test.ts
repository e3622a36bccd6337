import { expect } from "chai";
import { send } from "../serviceContents";
import { forget, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
const rule = { threshold: 5, thresholdType: "above", interval: "5m", channel };

/** Makes a dashboard tile for one service that counts errors or shows the slowest request. */
const counted = (name: string, of: string, aggFn = "count") => ({
  ...{ name, x: 0, y: 0, w: 6, h: 4 },
  series: [{ type: "time", aggFn, where: `service:${of}`, groupBy: [] }],
});
const board = (...tiles: object[]) => boardAs("board", ...tiles);
const boardAs = (name: string, ...tiles: object[]) => `
const ${name} = new Dashboard("${name}", ${JSON.stringify({ name, tiles })});`;
const onTile = (tile: string, of = "board") =>
  `...${JSON.stringify(rule)}, source: "tile", dashboardId: ${of}.id, tileId: ${of}.tileIds[${JSON.stringify(tile)}]`;
const alert = (name: string, tile: string, further = "", options = "{}", of = "board") => `
new Alert("${name}", { ${onTile(tile, of)}, ${further} }, ${options});`;
const alertOf = (of: string, name: string, tile: string) => alert(name, tile, "", "{}", of);
const loop = (of: string, services: readonly string[]) =>
  boardAs(of, ...services.map((service) => counted(service, service)));
const set = (of: string, services: readonly string[]) => `
new AlertSet("all", { alerts: {${services.map((service, index) => `entry${index}: { ${onTile(service, of)} }`)}} });`;

/** Makes a program with six dashboards. Its update changes the tiles of each dashboard in a different manner. */
const program = (isChanged: boolean) => {
  const services = isChanged ? ["b", "c"] : ["a", "b", "c"];
  return [
    boardAs("replaced", isChanged ? counted("Slowest", "a", "max") : counted("Errors", "a")),
    alertOf("replaced", "slow", isChanged ? "Slowest" : "Errors"),
    boardAs("renamed", counted(isChanged ? "Failures" : "Errors", "a"), counted("Rows", "b")),
    alertOf("renamed", "failures", isChanged ? "Failures" : "Errors"),
    boardAs("kept", counted("Errors", "a"), counted("Rows", "b")),
    alertOf("kept", "moved", isChanged ? "Rows" : "Errors"),
    loop("looped", services),
    ...services.map((of, index) => alertOf("looped", `alert${index}`, of)),
    loop("entered", services),
    set("entered", services),
    boardAs("shrunk", ...(isChanged ? [] : [counted("a", "a")]), counted("b", "b")),
    ...(isChanged ? [] : [alertOf("shrunk", "one", "a")]),
    alertOf("shrunk", "two", "b"),
  ].join("");
};

const host = hostUnlessTold("plugin");

describe("Alerts on dashboard tiles that change", () => {
  const fixture = useFixture({ host, judged: true });
  const watched = (name?: string) => {
    const { alerts, dashboards } = fixture.sandbox.store;
    return [...alerts.values()]
      .flatMap(({ dashboard = "", tileId }) => {
        const found = dashboards.get(dashboard);
        if (name !== undefined && found?.name !== name) return [];
        return found?.tiles.find(({ id }) => id === tileId)?.name;
      })
      .sort();
  };
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
  /** Deploys a new stack. Its alerts are younger than three minutes, so the provider assumes that reads may lack them. */
  const begin = async (program: string) => {
    await fixture.destroy();
    await fixture.apply(program);
  };

  describe("Alerts after one update that changes the tiles of six dashboards", () => {
    let placed: { readonly [tile: string]: string };
    let preview = "";

    const alertIds = () => {
      const { alerts, dashboards } = fixture.sandbox.store;
      const placed = [...alerts.values()].map(({ id, dashboard = "", tileId }) => {
        const { name, tiles = [] } = dashboards.get(dashboard) ?? {};
        return [`${name} ${tiles.find((tile) => tile.id === tileId)?.name}`, id] as const;
      });
      return Object.fromEntries(placed);
    };
    const writesOf = (id = "") =>
      fixture.sandbox.requests.flatMap(({ method, path }) =>
        method !== "GET" && path.endsWith(`/${id}`) ? method : [],
      );

    before("the update", async () => {
      await fixture.apply(program(false));
      placed = alertIds();
      await fixture.write(program(true));
      preview = (await fixture.preview()).stdout;
      await become(program(true));
    });

    it("one update replaces an alert whose tile gets another name and another content", () => {
      expect(preview).to.match(/\+- .*slow/);
      const id = placed["replaced Errors"];
      expect(watched("replaced")).to.deep.equal(["Slowest"]);
      expect(alertIds()["replaced Slowest"]).to.not.equal(id);
      expect(writesOf(id)).to.deep.equal(["DELETE"]);
    });

    it("one update leaves an alert whose tile is only renamed", () => {
      expect(alertIds()["renamed Failures"]).to.equal(placed["renamed Errors"]);
      expect(writesOf(placed["renamed Errors"])).to.deep.equal([]);
    });

    it("one update moves an alert to another existing tile", () => {
      expect(alertIds()["kept Rows"]).to.equal(placed["kept Errors"]);
      expect(writesOf(placed["kept Errors"])).to.deep.equal(["PUT"]);
    });

    it("alerts that a loop declares for each tile stay on their tiles when the first tile is removed", () => {
      expect(watched("looped")).to.deep.equal(["b", "c"]);
    });

    it("an AlertSet keeps one alert on each remaining tile when the first tile is removed", async () => {
      expect(watched("entered")).to.deep.equal(["b", "c"]);
      const { ids } = await fixture.outputsOf("all");
      expect(Object.keys(ids as object)).to.deep.equal(["entry0", "entry1"]);
      const found = alertIds();
      expect(Object.values(ids as object)).to.have.members([found["entered b"], found["entered c"]]);
    });

    it("one update removes a tile with its alert", () => {
      expect(watched("shrunk")).to.deep.equal(["b"]);
    });
  });

  it("an update completes the removal of a tile that a failed update began", async () => {
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

  it("an update replaces an adopted alert whose tile is removed, although adoptId is still declared", async () => {
    const first = board(counted("Errors", "a"));
    await begin(first);
    const body = await onFirstTile();
    const id = await byHand(body);
    await become(first + alert("errors", "Errors", `adoptId: "${id}"`));
    await become(board(counted("Slowest", "a", "max")) + alert("errors", "Slowest", `adoptId: "${id}"`));
    expect(watched()).to.deep.equal(["Slowest"]);
    expect((await fixture.resource("errors")).id).to.not.equal(id);
  });

  it("an alert with the option deletedWith is on the new dashboard after a replacement", async () => {
    const declared = (name: string) =>
      `${board(counted("Errors", "a")).replace(");", `, { replacementTrigger: "${name}" });`)}${alert("errors", "Errors", "", "{ deletedWith: board }")}`;
    await begin(declared("first"));
    const [former] = fixture.sandbox.store.dashboards.keys();
    await fixture.apply(declared("second"));
    expect(fixture.sandbox.store.dashboards.has(former ?? "")).to.equal(false);
    expect(watched()).to.deep.equal(["Errors"]);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    await fixture.destroy();
  });
});
