import { expect } from "chai";
import { refusalOf } from "./operations";
import { type Setup, sourceId, webhookId } from "./setups";
import { auxiliary, type ResourceTests, type SuiteOf } from "./suite";

const channel = { type: "webhook", webhookId };
const errors = {
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  asRatio: true,
  series: [{ type: "time", sourceId, aggFn: "count", where: "level:error", groupBy: ["service"] }],
};
const rows = {
  name: "Rows",
  x: 12,
  y: 0,
  w: 6,
  h: 4,
  series: [{ type: "number", sourceId, aggFn: "count" }],
};
const renamed = { ...errors, name: "Failures" };
const shifted = { ...rows, x: 6, y: 8, w: 10, series: [{ type: "number", sourceId, aggFn: "sum" }] };
const added = { ...rows, name: "Added" };

const dashboard = (name: string, args: object) =>
  `const ${name} = new Dashboard("${name}", ${JSON.stringify(args)});\n`;
const threshold = { threshold: 1, thresholdType: "above", interval: "5m" };
const alertOn = (tile: string, name: string) =>
  `new Alert("${name}", { ...${JSON.stringify({ name: auxiliary + name, ...threshold, channel })},
  source: "tile", dashboardId: board.id, tileId: board.tileIds[${JSON.stringify(tile)}] });\n`;

export function dashboardTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("Dashboard");
  const { first, second } = setup.scopes;
  const load = { name: "Load", x: 0, y: 4, w: 6, h: 4, ...setup.shown };
  const board = { name: "Board", tags: ["b", "a"], tiles: [errors, rows, load] };
  const empty = { name: "Empty", tiles: [] };
  const whole = setup.wholeDashboard === undefined ? [] : [setup.wholeDashboard];
  const wholeProgram = () => whole.map((args) => dashboard("whole", args)).join("");
  const overlapping = { name: "Overlapping", tiles: [rows, { ...load, x: 13, y: 1 }] };
  const apart = { name: "Apart", tiles: [load, rows] };
  const declared = { name: "Declared", tiles: [{ ...load, w: 8 }] };
  const [adoptedId, otherId] = ["65f1c0a2b3d4e5f607182931", "65f1c0a2b3d4e5f607182932"];
  const missing = "65f1c0a2b3d4e5f6071829ff";
  let tileIds: Record<string, string> = {};
  let alertIds: string[] = [];
  let replaced = "";

  const stored = (name: string) => suite.sandbox.store.dashboards.get(suite.id(name));
  const alertsOfBoard = () =>
    [...suite.sandbox.store.alerts.values()].filter((alert) => alert.dashboard === suite.id("board"));
  const tileId = (digit: number) => `65f1c0a2b3d4e5f60718294${digit}`;
  const existing = (id: string, digit: number) => ({
    id,
    serviceId: suite.sandbox.credentials.serviceId,
    name: "by hand",
    tags: ["by hand"],
    tiles: [
      { ...rows, id: tileId(digit) },
      { ...load, id: tileId(digit + 1) },
    ],
  });

  return {
    type: "Dashboard",
    looks: ["listDashboards"],

    prepare() {
      const { dashboards } = suite.sandbox.store;
      dashboards.set(adoptedId, existing(adoptedId, 1));
      dashboards.set(otherId, existing(otherId, 3));
    },

    created: {
      program: () =>
        wholeProgram() +
        dashboard("board", board) +
        dashboard("empty", { ...empty, ...first.declared }) +
        dashboard("overlapping", overlapping) +
        dashboard("adopted", { ...declared, adoptId: adoptedId }) +
        ["Errors", "Rows", "Load"].map((name) => alertOn(name, `on ${name}`)).join(""),
      tests() {
        before(async () => {
          tileIds = (await suite.outputsOf("board")).tileIds as Record<string, string>;
          alertIds = alertsOfBoard().map(({ id }) => id);
        });

        it("sends what is declared and nothing else: no ids, and no tags where none are declared", () => {
          suite.expectSent("createDashboard", board, empty, overlapping, ...whole);
          expect([...new Set(suite.changes())]).to.have.members(["createDashboard", "updateDashboard"]);
        });

        it("is in the service as it is declared", () => {
          const { tiles, ...rest } = stored("board") ?? {};
          expect(rest).to.deep.include({ name: "Board", tags: ["b", "a"] });
          expect(tiles?.map(({ id, ...tile }) => tile)).to.deep.equal(setup.stored(board).tiles);
          expect(stored("empty")).to.deep.include({ tiles: [], tags: [] });
        });

        it("is in the state as it is declared, with the ids of its tiles by their names", async () => {
          expect(await suite.outputsOf("board")).to.deep.include(board);
          const found = stored("board")?.tiles.map(({ name, id }) => [name, id]) ?? [];
          expect(tileIds)
            .to.deep.equal(Object.fromEntries(found))
            .and.have.all.keys("Errors", "Rows", "Load");
          expect((await suite.outputsOf("empty")).tileIds).to.deep.equal({});
        });

        for (const declared of whole) {
          it("has filters, containers and a query", async () => {
            expect(await suite.outputsOf("whole")).to.deep.include(declared);
          });
        }

        it("is adopted with adoptId: changed to what is declared, with the tile's id, keeping the rest, and not created", () => {
          const tiles = [{ ...setup.carried(load), w: 8, id: tileId(2) }];
          suite.expectSent("updateDashboard", { ...declared, tiles, tags: ["by hand"] });
          expect(suite.id("adopted")).to.equal(adoptedId);
          expect(stored("adopted")).to.deep.include(
            setup.stored({ name: "Declared", tiles, tags: ["by hand"] }),
          );
        });

        it("warns of tiles that overlap, and names both", () => {
          expect(suite.last.output).to.include(
            'Dashboard "Overlapping": the tiles "Rows" and "Load" overlap',
          );
          expect(suite.last.output).to.not.include('Dashboard "Board": the tiles');
        });
      },
    },

    changed: {
      program() {
        replaced = suite.id("empty");
        return (
          wholeProgram() +
          dashboard("board", { name: "Board now", tiles: [renamed, shifted, load] }) +
          dashboard("empty", { ...empty, ...second.declared }) +
          dashboard("overlapping", apart) +
          dashboard("adopted", declared) +
          alertOn("Failures", "on Errors") +
          alertOn("Rows", "on Rows") +
          alertOn("Load", "on Load")
        );
      },
      tests() {
        it("updates in place, and replaces what is on another service: the new one first", () => {
          expect(suite.done()).to.deep.include({ board: "update", overlapping: "update", empty: "replace" });
          expect(suite.replaceKeys("empty")).to.deep.equal(["serviceId"]);
          const order = suite.changes().filter((operation) => operation !== "updateDashboard");
          expect(order).to.deep.equal([suite.onSecond("createDashboard"), "deleteDashboard"]);
          expect(suite.sandbox.store.dashboards.has(replaced)).to.equal(false);
          const serviceId = suite.sandbox.credentials[second.service];
          expect(stored("empty")).to.deep.include({ name: "Empty", serviceId });
        });

        it("sends the known ids of tiles that are renamed or shifted, and clears tags that are taken out", () => {
          const tiles = [
            { ...renamed, id: tileIds.Errors },
            { ...shifted, id: tileIds.Rows },
            { ...setup.carried(load), id: tileIds.Load },
          ];
          const sent = [setup.carried(load), rows];
          const ids = stored("overlapping")?.tiles.map(({ id }) => ({ id })) ?? [];
          suite.expectSent(
            "updateDashboard",
            { name: "Board now", tiles, tags: [] },
            // Tags that were never declared stay as they are.
            { ...apart, tiles: sent.map((tile, index) => ({ ...tile, ...ids[index] })), tags: [] },
          );
          expect(stored("board")).to.deep.include(setup.stored({ name: "Board now", tiles, tags: [] }));
        });

        it("keeps the alerts of tiles that are renamed, shifted or reordered, without a request for them", () => {
          expect(alertIds).to.have.length(3);
          expect(alertsOfBoard().map(({ id }) => id)).to.deep.equal(alertIds);
          const lines = suite.requests().map(({ method, path }) => `${method} ${path}`);
          expect(lines.filter((line) => alertIds.some((id) => line.includes(id)))).to.deep.equal([]);
        });

        it("stays as it is when adoptId is taken out of the program", () => {
          expect(suite.done().adopted).to.equal("same");
        });

        it("shows no changes of filters and containers that stay, and asks nobody about them", () => {
          expect(suite.done().whole).to.equal(whole.length > 0 ? "same" : undefined);
          const asked = suite.requests().filter(({ path }) => path.endsWith("/validate"));
          expect(asked.map(({ requestBody }) => (requestBody as { name: string }).name)).not.to.include(
            "Whole",
          );
        });
      },
    },

    changedAgain: {
      program() {
        const faults = { ...errors, id: tileIds.Errors, name: "Faults" };
        return (
          wholeProgram() +
          dashboard("board", { name: "Board now", tiles: [added, { ...load, x: 10 }, faults] }) +
          dashboard("empty", { ...empty, ...second.declared }) +
          dashboard("overlapping", { name: "Apart", tiles: [rows, load] }) +
          dashboard("adopted", declared) +
          alertOn("Faults", "on Errors") +
          alertOn("Load", "on Load") +
          `const { id, name, tags, tileIds } = Dashboard.get("other", "${otherId}");
exports.Dashboard = pulumi.all([id, name, tags, tileIds]);
`
        );
      },
      tests() {
        it("keeps the ids of tiles by their names, and by an id that is declared for them", async () => {
          const now = (await suite.outputsOf("board")).tileIds as Record<string, string>;
          expect(now).to.include({ Load: tileIds.Load, Faults: tileIds.Errors });
          expect(stored("board")?.tiles.map(({ name }) => name)).to.deep.equal(["Added", "Load", "Faults"]);
          expect(Object.values(tileIds)).to.not.include(now.Added);
        });

        it("keeps their alerts, and takes the alert of a tile that went for deleted with it", () => {
          expect(suite.done()).to.deep.include({
            board: "update",
            overlapping: "update",
            empty: "same",
            adopted: "same",
            other: "read",
          });
          const onTiles = { "on Errors": "same", "on Load": "same", "on Rows": "delete" };
          expect(suiteOf("Alert").done()).to.deep.include(onTiles);
          const left = alertsOfBoard().map((alert) => alert.tileId);
          expect(left).to.have.members([tileIds.Errors, tileIds.Load]);
          expect(suiteOf("Alert").asked()).to.include("deleteAlert 404");
        });

        it("is read with get, and left as it is", async () => {
          const found = [otherId, "by hand", ["by hand"], { Rows: tileId(3), Load: tileId(4) }];
          expect(await suite.exported()).to.deep.equal(found);
          expect(suite.sandbox.store.dashboards.get(otherId)).to.deep.equal(existing(otherId, 3));
        });
      },
    },

    beforeDestroy: () => void suite.sandbox.store.dashboards.delete(suite.id("overlapping")),

    destroyed() {
      it("is gone from the service, which keeps the one that was only read", () => {
        expect([...suite.sandbox.store.dashboards.keys()]).to.deep.equal([otherId]);
      });

      it("takes a dashboard that somebody else has deleted for deleted", () => {
        const asked = suite.requests().filter(({ path }) => path.endsWith(`/${suite.id("overlapping")}`));
        expect(asked.map(({ method, status }) => `${method} ${status}`)).to.deep.equal(setup.goneDashboard);
      });
    },

    refused: "createDashboard",
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: dashboard("refused", setup.refusedDashboard.inputs),
        message: [refusalOf(setup, "createDashboard"), setup.refusedDashboard.message],
      },
      {
        when: "adoptId names no dashboard",
        name: "adopted",
        declaration: dashboard("adopted", { ...empty, adoptId: missing }),
        message: ["error: adoptId: ", `has no dashboard ${missing}`],
      },
      {
        when: "get finds nothing",
        name: "missing",
        declaration: `Dashboard.get("missing", "${missing}");`,
        message: [`error: Dashboard ${missing} does not exist`],
      },
    ],
  };
}
