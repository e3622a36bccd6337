import { expect } from "chai";
import {
  bodies,
  calls,
  expectNoSecrets,
  expectOneClearError,
  forget,
  requestId,
  useFixture,
} from "../fixture";
import type { Update } from "../workspace";

const channel = { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" };
const errors = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  asRatio: true,
  series: [{ type: "time", aggFn: "count", where: "level:error", groupBy: ["service"] }],
};
const rows = { name: "Rows", x: 12, y: 0, w: 6, h: 4, series: [{ type: "number" }] };
const load = { name: "Load", x: 0, y: 4, w: 6, h: 4, series: [{ type: "number", dataSource: "cpu" }] };

const dashboard = (name: string, args: object) =>
  `const ${name} = new Dashboard("${name}", ${JSON.stringify(args)});\n`;
const alertOn = (board: string, tile: string, name: string) =>
  `new Alert("${name}", { ...${JSON.stringify({ threshold: 1, thresholdType: "above", interval: "5m", channel })},
  source: "tile", dashboardId: ${board}.id, tileId: ${board}.tileIds[${JSON.stringify(tile)}] });\n`;

describe("Dashboard, applied by the engine", () => {
  const fixture = useFixture();
  const ids: Record<string, string> = {};
  let tileIds: Record<string, string> = {};
  let alertIds: string[] = [];
  let secondServiceId = "";

  const stored = (name: string) => fixture.sandbox.store.dashboards.get(ids[name] ?? "");

  describe("created", () => {
    const board = { name: "Board", tags: ["b", "a"], tiles: [errors, rows, load] };
    const overlapping = { name: "Overlapping", tiles: [rows, { ...load, x: 13, y: 1 }] };
    let update: Update;

    before(async () => {
      ({ secondServiceId } = fixture.sandbox.credentials);
      update = await fixture.apply(
        dashboard("board", board) +
          dashboard("empty", { name: "Empty", tiles: [] }) +
          dashboard("overlapping", overlapping) +
          ["Errors", "Rows", "Load"].map((name) => alertOn("board", name, `on ${name}`)).join(""),
      );
      for (const name of ["board", "empty", "overlapping"])
        ids[name] = (await fixture.resource(name)).id ?? "";
      tileIds = (await fixture.outputsOf("board")).tileIds as Record<string, string>;
      alertIds = [...fixture.sandbox.store.alerts.keys()];
    });

    it("sends what is declared and nothing else: no ids, and no tags where none are declared", () => {
      const empty = { name: "Empty", tiles: [] };
      expect(bodies(fixture.sandbox, "POST /stack/dashboards")).to.have.deep.members([
        board,
        empty,
        overlapping,
      ]);
      expect(calls(fixture.sandbox)).to.have.length(6);
    });

    it("is in the service as it is declared", () => {
      const { tiles, ...rest } = stored("board") ?? {};
      expect(rest).to.deep.include({ name: "Board", tags: ["b", "a"] });
      expect(tiles?.map(({ id, ...tile }) => tile)).to.deep.equal(board.tiles);
      expect(stored("empty")).to.deep.include({ tiles: [], tags: [] });
    });

    it("is in the state as it is declared, with the ids of its tiles by their names", async () => {
      const outputs = await fixture.outputsOf("board");
      expect(outputs).to.deep.include(board);
      const found = stored("board")?.tiles.map(({ name, id }) => [name, id]) ?? [];
      expect(outputs.tileIds).to.deep.equal(Object.fromEntries(found));
      expect(Object.keys(tileIds)).to.have.members(["Errors", "Rows", "Load"]);
      expect((await fixture.outputsOf("empty")).tileIds).to.deep.equal({});
    });

    it("warns of tiles that overlap, and names both", () => {
      expect(update.output).to.include('Dashboard "Overlapping": the tiles "Rows" and "Load" overlap');
      expect(update.output).to.not.include('Dashboard "Board"');
    });

    it("leaves no secret readable in state, output and journal", () => expectNoSecrets(fixture));

    it("shows no changes in the next preview", async () => {
      forget(fixture.sandbox);
      await fixture.preview({ args: ["--expect-no-changes"] });
      expect(calls(fixture.sandbox)).to.deep.equal([]);
    });

    it("shows no drift right after, for one list of all dashboards", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(calls(fixture.sandbox)).to.have.members(["GET /stack/dashboards", "GET /stack/alerts"]);
    });
  });

  describe("changed", () => {
    const renamed = { ...errors, name: "Failures" };
    const shifted = { ...rows, x: 6, y: 8, w: 10, series: [{ type: "number", aggFn: "sum" }] };
    let update: Update;

    before(async () => {
      forget(fixture.sandbox);
      update = await fixture.apply(
        dashboard("board", { name: "Board now", tiles: [renamed, shifted, load] }) +
          dashboard("empty", { name: "Empty", tiles: [], serviceId: secondServiceId }) +
          dashboard("overlapping", { name: "Apart", tiles: [load, rows] }) +
          alertOn("board", "Failures", "on Errors") +
          alertOn("board", "Rows", "on Rows") +
          alertOn("board", "Load", "on Load"),
      );
    });

    it("updates in place, and replaces what is on another service: the new one first", async () => {
      expect(update.summary).to.deep.equal({ same: 3, update: 2, replace: 1 });
      expect(update.steps.find(({ op }) => op === "replace")?.replaceKeys).to.deep.equal(["serviceId"]);
      const order = calls(fixture.sandbox).filter((call) => !call.startsWith("PUT"));
      expect(order).to.deep.equal(["POST /second/stack/dashboards", "DELETE /stack/dashboards/{id}"]);
      expect(stored("empty")).to.equal(undefined);
      ids.empty = (await fixture.resource("empty")).id ?? "";
      expect(stored("empty")).to.deep.include({ name: "Empty", serviceId: secondServiceId });
    });

    it("sends the known ids of tiles that are renamed or shifted, and clears tags that are taken out", () => {
      const { Errors, Rows, Load } = tileIds;
      const tiles = [
        { ...renamed, id: Errors },
        { ...shifted, id: Rows },
        { ...load, id: Load },
      ];
      expect(bodies(fixture.sandbox, "PUT /api/v2/dashboards/{id}")).to.deep.include({
        name: "Board now",
        tiles,
        tags: [],
      });
      expect(stored("board")).to.deep.include({ name: "Board now", tiles, tags: [] });
    });

    it("sends no tags where none were declared, before or now", () => {
      const sent = bodies(fixture.sandbox, "PUT /api/v2/dashboards/{id}") as { name: string }[];
      expect(sent.find(({ name }) => name === "Apart")).to.have.all.keys("name", "tiles");
    });

    it("keeps the alerts of tiles that are renamed, shifted or reordered, without a request for them", () => {
      expect([...fixture.sandbox.store.alerts.keys()]).to.deep.equal(alertIds);
      expect(calls(fixture.sandbox).filter((call) => call.includes("alerts"))).to.deep.equal([]);
    });

    it("shows no changes in the next preview, with a look at the service", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });
  });

  describe("rearranged", () => {
    const added = { ...rows, name: "Added" };
    let update: Update;

    before(async () => {
      forget(fixture.sandbox);
      const { Errors } = tileIds;
      update = await fixture.apply(
        dashboard("board", {
          name: "Board now",
          tiles: [added, { ...load, x: 10 }, { ...errors, id: Errors, name: "Faults" }],
        }) +
          dashboard("empty", { name: "Empty", tiles: [], serviceId: secondServiceId }) +
          dashboard("overlapping", { name: "Apart", tiles: [rows, load] }) +
          alertOn("board", "Faults", "on Errors") +
          alertOn("board", "Load", "on Load"),
      );
    });

    it("keeps the ids of tiles by their names, and by an id that is declared for them", async () => {
      const now = (await fixture.outputsOf("board")).tileIds as Record<string, string>;
      expect(now).to.include({ Load: tileIds.Load, Faults: tileIds.Errors });
      expect(stored("board")?.tiles.map(({ name }) => name)).to.deep.equal(["Added", "Load", "Faults"]);
      expect(Object.values(tileIds)).to.not.include(now.Added);
    });

    it("keeps their alerts, and takes the alert of a tile that went for deleted with it", () => {
      expect(update.summary).to.deep.equal({ same: 3, update: 2, delete: 1 });
      const left = [...fixture.sandbox.store.alerts.values()].map(({ tileId }) => tileId);
      expect(left).to.have.members([tileIds.Errors, tileIds.Load]);
      expect(calls(fixture.sandbox)).to.include("DELETE /stack/alerts/{id} 404");
    });

    it("shows no changes in the next preview, with a look at the service", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });
  });

  describe("destroyed", () => {
    before(async () => {
      fixture.sandbox.store.dashboards.delete(ids.overlapping ?? "");
      forget(fixture.sandbox);
      await fixture.destroy();
    });

    it("is gone from the service", () => {
      expect([...fixture.sandbox.store.dashboards.values()]).to.deep.equal([]);
    });

    it("takes a dashboard that somebody else has deleted for deleted", async () => {
      expect(calls(fixture.sandbox)).to.include("DELETE /stack/dashboards/{id} 404");
      expect((await fixture.exportState()).deployment.resources).to.equal(undefined);
    });
  });

  describe("that exists already", () => {
    const adoptedId = "65f1c0a2b3d4e5f607182931";
    const otherId = "65f1c0a2b3d4e5f607182932";
    const tileId = (digit: number) => `65f1c0a2b3d4e5f60718294${digit}`;
    const existing = (id: string, first: number) => ({
      id,
      serviceId: fixture.sandbox.credentials.serviceId,
      name: "by hand",
      tags: ["by hand"],
      tiles: [
        { ...rows, id: tileId(first) },
        { ...load, id: tileId(first + 1) },
      ],
    });
    const declared = { name: "Declared", tiles: [{ ...load, w: 8 }] };

    before(async () => {
      fixture.sandbox.store.dashboards.set(adoptedId, existing(adoptedId, 1));
      fixture.sandbox.store.dashboards.set(otherId, existing(otherId, 3));
      forget(fixture.sandbox);
      await fixture.apply(`${dashboard("adopted", { ...declared, adoptId: adoptedId })}
const { id, name, tags, tileIds } = Dashboard.get("other", "${otherId}");
exports.other = pulumi.all([id, name, tags, tileIds]);`);
    });

    it("is taken over with adoptId: changed to what is declared, with the tile's id, and not created", () => {
      expect(calls(fixture.sandbox)).to.not.include("POST /stack/dashboards");
      const tiles = [{ ...load, w: 8, id: tileId(2) }];
      expect(bodies(fixture.sandbox, "PUT /api/v2/dashboards/{id}")).to.deep.equal([{ ...declared, tiles }]);
      const expected = { name: "Declared", tiles, tags: ["by hand"] };
      expect(fixture.sandbox.store.dashboards.get(adoptedId)).to.deep.include(expected);
    });

    it("is read with get, and left as it is", async () => {
      const found = [otherId, "by hand", ["by hand"], { Rows: tileId(3), Load: tileId(4) }];
      expect((await fixture.outputs()).other).to.deep.equal(found);
      expect(fixture.sandbox.store.dashboards.get(otherId)).to.deep.equal(existing(otherId, 3));
    });

    it("stays as it is when adoptId is taken out of the program, and deletes nothing that it only read", async () => {
      const { summary } = await fixture.apply(dashboard("adopted", declared));
      expect(summary).to.deep.equal({ same: 1 });
      await fixture.destroy();
      expect([...fixture.sandbox.store.dashboards.keys()]).to.deep.equal([otherId]);
    });
  });

  describe("that cannot be", () => {
    const missing = "65f1c0a2b3d4e5f6071829ff";

    it("is one clear error when the API refuses it", async () => {
      const refused = { name: "Too wide", tiles: [{ ...rows, x: 30 }] };
      const { output } = await fixture.apply(dashboard("refused", refused), { expect: "failure" });
      const where = "createDashboard (POST /v1/";
      expectOneClearError(output, where, "answered 400", requestId, "tiles.0.x must be <= 23");
    });

    it("is one clear error when adoptId names no dashboard", async () => {
      const adopted = dashboard("adopted", { name: "None", tiles: [], adoptId: missing });
      const { output } = await fixture.apply(adopted, { expect: "failure" });
      expectOneClearError(output, "adoptId", `has no dashboard ${missing}`);
    });

    it("is one clear error when get finds nothing", async () => {
      const { output } = await fixture.apply(`Dashboard.get("missing", "${missing}");`, {
        expect: "failure",
      });
      expectOneClearError(output, `Dashboard ${missing} does not exist`);
    });
  });
});
