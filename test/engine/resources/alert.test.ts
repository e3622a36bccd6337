import { expect } from "chai";
import { expectNoSecrets, expectOneClearError } from "../fixture";
import type { Update } from "../workspace";
import { describeImpossible } from "./impossible";
import { refusalOf } from "./operations";
import { setups, webhookId } from "./setups";
import { inEach } from "./suite";

const secondWebhookId = "65f1c0a2b3d4e5f607182922";
const channel = { type: "webhook", webhookId };
const onTile = { source: "tile", threshold: 500.5, thresholdType: "above", interval: "5m", channel };
const worded = { ...onTile, name: "Slow", message: "Queries are slow" };

const board = `const board = new Dashboard("board", { name: "Board", tiles: [
  { name: "Time", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] },
  { name: "Rows", x: 6, y: 0, w: 6, h: 4, series: [{ type: "number" }] },
] });
`;
const tileAlert = (args: object, tile: string) =>
  `new Alert("worded", { ...${JSON.stringify(args)}, dashboardId: board.id, tileId: board.tileIds.${tile} });\n`;
const alert = (name: string, args: object) => `new Alert("${name}", ${JSON.stringify(args)});\n`;

inEach(setups, "Alert", (suite, setup) => {
  const { first, second } = setup.places;
  const search = { ...setup.search, threshold: 1, thresholdType: "below", interval: "1h", channel };
  const silent = { ...search, name: "Silent", message: "Nothing comes in", threshold: 2 };
  const moved = { ...search, name: "Moved", threshold: 3 };
  const full = { ...setup.fullSearch, threshold: 4, interval: setup.interval };
  const [adoptedId, otherId] = ["65f1c0a2b3d4e5f607182931", "65f1c0a2b3d4e5f607182932"];
  let ids: Record<string, string> = {};

  const stored = (name: string) => suite.sandbox.store.alerts.get(ids[name] ?? "");
  const tileNamed = (name: string) =>
    suite.sandbox.store.dashboards.get(ids.board ?? "")?.tiles.find((tile) => tile.name === name);
  const existing = (id: string) => {
    const dates = { createdAt: "2025-01-15T09:00:00.000Z", updatedAt: "2025-01-15T09:00:00.000Z" };
    const { serviceId } = suite.sandbox.credentials;
    const record = { id, serviceId, state: "OK", team: "team", message: null, ...dates };
    return { ...record, ...search, name: "by hand", threshold: 7 } as const;
  };

  before(() => {
    const { store, credentials } = suite.sandbox;
    const webhook = store.webhooks.get(webhookId);
    if (!webhook) throw new Error("the sandbox has no webhook");
    store.webhooks.set(secondWebhookId, {
      ...webhook,
      id: secondWebhookId,
      serviceId: credentials[second.service],
    });
    for (const id of [adoptedId, otherId]) store.alerts.set(id, existing(id));
  });

  describe("created", () => {
    before(async () => {
      await suite.apply(
        board +
          tileAlert(worded, "Time") +
          alert("silent", silent) +
          alert("moved", { ...moved, ...first.declared }) +
          alert("full", full) +
          alert("adopted", { ...search, adoptId: adoptedId }),
      );
      ids = await suite.ids();
    });

    it("sends what is declared and nothing else, once for each alert", () => {
      const onTime = { ...worded, dashboardId: ids.board, tileId: tileNamed("Time")?.id };
      suite.expectSent("createAlert", onTime, silent, moved, full);
      expect(suite.changes()).to.have.length(1 + 4 + 1);
    });

    it("is in the service as it is declared, on the tile that it names", () => {
      const tileId = tileNamed("Time")?.id;
      expect(stored("worded")).to.deep.include({ ...worded, dashboard: ids.board, tileId });
      expect(stored("full")).to.deep.include({ ...full, name: null, message: null });
    });

    it("is taken over with adoptId: changed to what is declared, and not created", () => {
      suite.expectSent("updateAlert", search);
      expect(ids.adopted).to.equal(adoptedId);
      expect(stored("adopted")).to.deep.include({ ...search, name: null });
    });

    it("is in the state with what the service says of it", async () => {
      const outputs = await suite.outputsOf("worded");
      const { createdAt } = stored("worded") ?? {};
      expect(outputs).to.deep.include({ ...worded, ...suite.place(), dashboardId: ids.board, createdAt });
      expect(outputs.state).to.be.oneOf(["inactive", "OK", "ALERT", "INSUFFICIENT_DATA"]);
      const unnamed = await suite.outputsOf("full");
      expect(unnamed).to.deep.include(full);
      expect(unnamed).to.not.have.any.keys("name", "message", "dashboardId", "tileId");
    });

    it("leaves no secret readable in state, output and journal", () => expectNoSecrets(suite));

    it("shows no changes in the next preview", async () => {
      suite.forget();
      await suite.preview({ args: ["--expect-no-changes"] });
      expect(suite.asked()).to.deep.equal([]);
    });

    it("shows no drift right after, for one list of all alerts", async () => {
      await suite.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(suite.asked()).to.have.members(["listAlerts", "listDashboards"]);
    });
  });

  describe("changed", () => {
    const wordedNow = { ...worded, name: "Slower", threshold: 600, interval: setup.interval };
    const { message, ...silentNow } = silent;
    const movedNow = { ...moved, channel: { type: "webhook", webhookId: secondWebhookId } };
    let update: Update;
    let replaced = "";

    before(async () => {
      replaced = ids.moved ?? "";
      suite.forget();
      update = await suite.apply(
        board +
          tileAlert(wordedNow, "Rows") +
          alert("silent", silentNow) +
          alert("moved", { ...movedNow, ...second.declared }) +
          alert("full", full) +
          alert("adopted", search) +
          `const other = Alert.get("other", "${otherId}");
exports.other = pulumi.all([other.id, other.name, other.threshold]);`,
      );
      ids = await suite.ids();
    });

    it("updates in place whatever the API can change, and replaces what is on another service", () => {
      expect(update.summary).to.deep.equal({ same: 3, update: 2, replace: 1, read: 1 });
      expect(update.steps.find(({ op }) => op === "replace")?.replaceKeys).to.include("serviceId");
      expect(ids.moved).to.not.equal(replaced);
    });

    it("sends everything that is declared", () => {
      const tileId = tileNamed("Rows")?.id;
      suite.expectSent("updateAlert", { ...wordedNow, dashboardId: ids.board, tileId }, silentNow);
      expect(stored("worded")).to.deep.include({ ...wordedNow, tileId });
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
      expect(update.steps.find(({ name }) => name === "adopted")?.op).to.equal("same");
    });

    it("is read with get, and left as it is", async () => {
      expect((await suite.outputs()).other).to.deep.equal([otherId, "by hand", 7]);
      expect(suite.sandbox.store.alerts.get(otherId)).to.deep.equal(existing(otherId));
    });

    it("shows no changes in the next preview, with a look at the service", async () => {
      await suite.preview({ args: ["--refresh", "--expect-no-changes"] });
    });
  });

  describe("destroyed", () => {
    before(async () => {
      suite.sandbox.store.alerts.delete(ids.full ?? "");
      suite.forget();
      await suite.destroy();
    });

    it("is gone from the service, which keeps the one that was only read", () => {
      expect([...suite.sandbox.store.alerts.keys()]).to.deep.equal([otherId]);
    });

    it("takes an alert that somebody else has deleted for deleted", async () => {
      expect(suite.asked()).to.include("deleteAlert 404");
      expect((await suite.exportState()).deployment.resources).to.equal(undefined);
    });
  });

  describe("in the words of other servers", () => {
    it("is refused before anything is sent", async () => {
      const { inputs, problem } = setup.foreignAlert;
      suite.forget();
      await suite.write(alert("foreign", { ...search, ...inputs }));
      expectOneClearError((await suite.preview({ expect: "failure" })).output, problem);
      expect(suite.asked()).to.deep.equal([]);
    });
  });

  const missing = "65f1c0a2b3d4e5f6071829ff";
  describeImpossible(suite, "createAlert", [
    {
      when: "the API refuses it",
      name: "refused",
      declaration: alert("refused", { ...search, channel: { type: "webhook", webhookId: missing } }),
      problem: [refusalOf(setup, "createAlert"), "Webhook not found"],
    },
    {
      when: "adoptId names no alert",
      name: "adopted",
      declaration: alert("adopted", { ...search, adoptId: missing }),
      problem: ["error: adoptId: ", `has no alert ${missing}`],
    },
    {
      when: "get finds nothing",
      name: "missing",
      declaration: `Alert.get("missing", "${missing}");`,
      problem: [`error: Alert ${missing} does not exist`],
    },
  ]);
});
