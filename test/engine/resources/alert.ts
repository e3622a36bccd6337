import { expect } from "chai";
import { refusalOf } from "./operations";
import { type Setup, sourceId, webhookId } from "./setups";
import { auxiliary, type ResourceTests, type SuiteOf } from "./suite";

const secondWebhookId = "65f1c0a2b3d4e5f607182922";
const secondSearchId = "65f1c0a2b3d4e5f607182939";
const channel = { type: "webhook", webhookId };
const onTile = { source: "tile", threshold: 500.5, thresholdType: "above", interval: "5m", channel };
const worded = { ...onTile, name: "Slow", message: "Queries are slow" };

const board = `const board = new Dashboard("alerted", { name: "${auxiliary}Board", tiles: [
  { name: "Time", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number", sourceId: "${sourceId}", aggFn: "count" }] },
  { name: "Rows", x: 6, y: 0, w: 6, h: 4, series: [{ type: "number", sourceId: "${sourceId}", aggFn: "count" }] },
] });
`;
const tileAlert = (args: object, tile: string) =>
  `new Alert("worded", { ...${JSON.stringify(args)}, dashboardId: board.id, tileId: board.tileIds.${tile} });\n`;
const alert = (name: string, args: object) => `new Alert("${name}", ${JSON.stringify(args)});\n`;
const searchOf = (setup: Setup) => ({
  ...setup.search,
  threshold: 1,
  thresholdType: "below",
  interval: "1h",
  channel,
});

/** An alert that other servers take, and these do not. */
export const unsupportedAlertProgram = (setup: Setup) =>
  alert("unsupported", { ...searchOf(setup), ...setup.unsupportedAlert.inputs });

export function alertTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("Alert");
  const { first, second } = setup.scopes;
  const search = searchOf(setup);
  const silent = { ...search, name: "Silent", message: "Nothing comes in", threshold: 2 };
  const moved = { ...search, name: "Moved", threshold: 3 };
  const full = { ...setup.fullSearch, threshold: 4, interval: setup.interval };
  const wordedNow = { ...worded, name: "Slower", threshold: 600, interval: setup.interval };
  const { message, ...silentNow } = silent;
  const movedNow = {
    ...moved,
    ...(setup.search.savedSearch === undefined ? {} : { savedSearch: secondSearchId }),
    channel: { type: "webhook", webhookId: secondWebhookId },
  };
  const [adoptedId, otherId] = ["65f1c0a2b3d4e5f607182931", "65f1c0a2b3d4e5f607182932"];
  const missing = "65f1c0a2b3d4e5f6071829ff";
  let replaced = "";

  const stored = (name: string) => suite.sandbox.store.alerts.get(suite.id(name));
  const dashboardId = () => suite.id("alerted", "Dashboard");
  const tileId = (name: string) =>
    suite.sandbox.store.dashboards.get(dashboardId())?.tiles.find((tile) => tile.name === name)?.id;
  const existing = (id: string) => {
    const dates = { createdAt: "2025-01-15T09:00:00.000Z", updatedAt: "2025-01-15T09:00:00.000Z" };
    const { serviceId } = suite.sandbox.credentials;
    const record = { id, serviceId, state: "OK", team: "team", message: null, ...dates };
    return { ...record, ...search, name: "by hand", threshold: 7 } as const;
  };

  const changedProgram = () =>
    board +
    tileAlert(wordedNow, "Rows") +
    alert("silent", silentNow) +
    alert("moved", { ...movedNow, ...second.declared }) +
    alert("full", full) +
    alert("adopted", search) +
    `const other = Alert.get("other", "${otherId}");
exports.Alert = pulumi.all([other.id, other.name, other.threshold]);
`;

  return {
    type: "Alert",
    looks: ["listAlerts"],

    prepare() {
      const { store, credentials } = suite.sandbox;
      const webhook = store.webhooks.get(webhookId);
      if (!webhook) throw new Error("the sandbox has no webhook");
      store.webhooks.set(secondWebhookId, {
        ...webhook,
        id: secondWebhookId,
        serviceId: credentials[second.service],
      });
      const search = store.savedSearches.get(setup.search.savedSearch ?? "");
      if (search)
        store.savedSearches.set(secondSearchId, {
          ...search,
          id: secondSearchId,
          serviceId: credentials[second.service],
        });
      for (const id of [adoptedId, otherId]) store.alerts.set(id, existing(id));
    },

    created: {
      program: () =>
        board +
        tileAlert(worded, "Time") +
        alert("silent", silent) +
        alert("moved", { ...moved, ...first.declared }) +
        alert("full", full) +
        alert("adopted", { ...search, adoptId: adoptedId }),
      tests() {
        it("sends what is declared and nothing else, once for each alert", () => {
          const onTime = { ...worded, dashboardId: dashboardId(), tileId: tileId("Time") };
          suite.expectSent("createAlert", onTime, silent, moved, full);
          expect([...new Set(suite.changes())]).to.have.members(["createAlert", "updateAlert"]);
        });

        it("is in the service as it is declared, on the tile that it names", () => {
          const place = { dashboard: dashboardId(), tileId: tileId("Time") };
          expect(stored("worded")).to.deep.include({ ...worded, ...place });
          expect(stored("full")).to.deep.include({ ...full, name: null, message: null });
        });

        it("is adopted with adoptId: changed to what is declared, keeping the rest, and not created", () => {
          suite.expectSent("updateAlert", { ...search, name: "by hand" });
          expect(suite.id("adopted")).to.equal(adoptedId);
          expect(stored("adopted")).to.deep.include({ ...search, name: "by hand" });
        });

        it("is in the state with what the service says of it", async () => {
          const outputs = await suite.outputsOf("worded");
          const { createdAt } = stored("worded") ?? {};
          const place = { ...suite.scope(), dashboardId: dashboardId() };
          expect(outputs).to.deep.include({ ...worded, ...place, createdAt });
          expect(outputs.state).to.be.oneOf(["inactive", "OK", "ALERT", "INSUFFICIENT_DATA", "PENDING"]);
          const unnamed = await suite.outputsOf("full");
          expect(unnamed).to.deep.include(full);
          expect(unnamed).to.not.have.any.keys("name", "message", "dashboardId", "tileId");
        });
      },
    },

    changed: {
      program() {
        replaced = suite.id("moved");
        return changedProgram();
      },
      tests() {
        it("updates in place whatever the API can change, and replaces what is on another service", () => {
          expect(suite.done()).to.deep.include({
            worded: "update",
            silent: "update",
            moved: "replace",
            full: "same",
            other: "read",
          });
          expect(suite.replaceKeys("moved")).to.include("serviceId");
          expect(suite.id("moved")).to.not.equal(replaced);
        });

        it("sends everything that is declared", () => {
          const place = { dashboardId: dashboardId(), tileId: tileId("Rows") };
          suite.expectSent("updateAlert", { ...wordedNow, ...place }, silentNow);
          expect(stored("worded")).to.deep.include({ ...wordedNow, tileId: tileId("Rows") });
        });

        it("clears a message that is taken out of the program", async () => {
          expect(stored("silent")).to.deep.include({ name: "Silent", message: null });
          expect(await suite.outputsOf("silent")).to.not.have.property("message");
        });

        it("creates the alert on the other service before it deletes the old one", () => {
          const order = suite.asked().filter((operation) => /^(create|delete)/.test(operation));
          expect(order).to.deep.equal([suite.onSecond("createAlert"), "deleteAlert"]);
          suite.expectSent(suite.onSecond("createAlert"), movedNow);
          expect(stored("moved")?.serviceId).to.equal(suite.sandbox.credentials[second.service]);
          expect(suite.sandbox.store.alerts.has(replaced)).to.equal(false);
        });

        it("stays as it is when adoptId is taken out of the program", () => {
          expect(suite.done().adopted).to.equal("same");
        });

        it("is read with get, and left as it is", async () => {
          expect(await suite.exported()).to.deep.equal([otherId, "by hand", 7]);
          expect(suite.sandbox.store.alerts.get(otherId)).to.deep.equal(existing(otherId));
        });
      },
    },

    changedAgain: {
      program: changedProgram,
      tests() {
        it("stays as it is", () => {
          const { worded, silent, moved, full, adopted } = suite.done();
          expect([worded, silent, moved, full, adopted]).to.deep.equal(Array(5).fill("same"));
        });
      },
    },

    beforeDestroy: () => void suite.sandbox.store.alerts.delete(suite.id("full")),

    destroyed() {
      it("is gone from the service, which keeps the one that was only read", () => {
        expect([...suite.sandbox.store.alerts.keys()]).to.deep.equal([otherId]);
      });

      it("takes an alert that somebody else has deleted for deleted", () => {
        expect(suite.asked()).to.include("deleteAlert 404");
      });
    },

    refused: "createAlert",
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: alert("refused", { ...search, channel: { type: "webhook", webhookId: missing } }),
        message: [refusalOf(setup, "createAlert"), "Webhook not found"],
      },
      {
        when: "adoptId names no alert",
        name: "adopted",
        declaration: alert("adopted", { ...search, adoptId: missing }),
        message: ["error: adoptId: ", `has no alert ${missing}`],
      },
      {
        when: "get finds nothing",
        name: "missing",
        declaration: `Alert.get("missing", "${missing}");`,
        message: [`error: Alert ${missing} does not exist`],
      },
    ],
  };
}
