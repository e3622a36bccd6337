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

const webhookId = "65f1c0a2b3d4e5f607182921";
const secondWebhookId = "65f1c0a2b3d4e5f607182922";
const channel = { type: "webhook", webhookId };

const search = { source: "search", threshold: 1, thresholdType: "below", interval: "1h", channel };
const onTile = { source: "tile", threshold: 500.5, thresholdType: "above", interval: "5m", channel };
const worded = { ...onTile, name: "Slow", message: "Queries are slow" };
const silent = { ...search, name: "Silent", message: "Nothing comes in", threshold: 2 };
const moved = { ...search, name: "Moved", threshold: 3 };

const board = `const board = new Dashboard("board", { name: "Board", tiles: [
  { name: "Time", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] },
  { name: "Rows", x: 6, y: 0, w: 6, h: 4, series: [{ type: "number" }] },
] });
`;
const tileAlert = (args: object, tile: string) =>
  `new Alert("worded", { ...${JSON.stringify(args)}, dashboardId: board.id, tileId: board.tileIds.${tile} });\n`;
const alert = (name: string, args: object) => `new Alert("${name}", ${JSON.stringify(args)});\n`;

describe("Alert, applied by the engine", () => {
  const fixture = useFixture();
  const ids: Record<string, string> = {};
  let secondServiceId = "";

  before(() => {
    const { store, credentials } = fixture.sandbox;
    secondServiceId = credentials.secondServiceId;
    const webhook = store.webhooks.get(webhookId);
    if (!webhook) throw new Error("the sandbox has no webhook");
    store.webhooks.set(secondWebhookId, { ...webhook, id: secondWebhookId, serviceId: secondServiceId });
  });

  const stored = (name: string) => fixture.sandbox.store.alerts.get(ids[name] ?? "");

  describe("created", () => {
    before(async () => {
      await fixture.apply(
        board +
          tileAlert(worded, "Time") +
          alert("silent", silent) +
          alert("moved", moved) +
          alert("plain", search),
      );
      for (const name of ["board", "worded", "silent", "moved", "plain"])
        ids[name] = (await fixture.resource(name)).id ?? "";
    });

    it("sends what is declared and nothing else, once for each alert", () => {
      const [dashboardId, tileId] = [ids.board, stored("worded")?.tileId];
      const sent = bodies(fixture.sandbox, "POST /stack/alerts");
      expect(sent).to.have.deep.members([{ ...worded, dashboardId, tileId }, silent, moved, search]);
      expect(calls(fixture.sandbox)).to.have.length(5);
    });

    it("is in the service as it is declared, on the tile that it names", () => {
      const time = fixture.sandbox.store.dashboards
        .get(ids.board ?? "")
        ?.tiles.find((tile) => tile.name === "Time");
      expect(stored("worded")).to.deep.include({ ...worded, dashboard: ids.board, tileId: time?.id });
      expect(stored("plain")).to.deep.include({ ...search, name: null, message: null });
    });

    it("is in the state with what the service says of it", async () => {
      const outputs = await fixture.outputsOf("worded");
      expect(outputs).to.deep.include({
        ...worded,
        dashboardId: ids.board,
        serviceId: fixture.sandbox.credentials.serviceId,
        organizationId: fixture.sandbox.credentials.organizationId,
        state: "inactive",
        createdAt: stored("worded")?.createdAt,
      });
      expect(await fixture.outputsOf("plain")).to.not.have.any.keys(
        "name",
        "message",
        "dashboardId",
        "tileId",
      );
    });

    it("leaves no secret readable in state, output and journal", () => expectNoSecrets(fixture));

    it("shows no changes in the next preview", async () => {
      forget(fixture.sandbox);
      await fixture.preview({ args: ["--expect-no-changes"] });
      expect(calls(fixture.sandbox)).to.deep.equal([]);
    });

    it("shows no drift right after, for one list of all alerts", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(calls(fixture.sandbox).filter((call) => call.includes("alerts"))).to.deep.equal([
        "GET /stack/alerts",
      ]);
    });
  });

  describe("changed", () => {
    const wordedNow = { ...worded, name: "Slower", threshold: 600, interval: "15m" };
    const { message, ...silentNow } = silent;
    const movedNow = { ...moved, channel: { type: "webhook", webhookId: secondWebhookId } };
    let update: Update;
    let replaced = "";

    before(async () => {
      replaced = ids.moved ?? "";
      forget(fixture.sandbox);
      update = await fixture.apply(
        board +
          tileAlert(wordedNow, "Rows") +
          alert("silent", silentNow) +
          alert("moved", { ...movedNow, serviceId: secondServiceId }) +
          alert("plain", search),
      );
      ids.moved = (await fixture.resource("moved")).id ?? "";
    });

    it("updates in place whatever the API can change, and replaces what is on another service", () => {
      expect(update.summary).to.deep.equal({ same: 2, update: 2, replace: 1 });
      expect(ids.moved).to.not.equal(replaced);
    });

    it("sends everything that is declared through the observability API", () => {
      const rows = fixture.sandbox.store.dashboards
        .get(ids.board ?? "")
        ?.tiles.find((tile) => tile.name === "Rows");
      const sent = bodies(fixture.sandbox, "PUT /api/v2/alerts/{id}");
      const expected = { ...wordedNow, dashboardId: ids.board, tileId: rows?.id };
      expect(sent).to.have.deep.members([expected, silentNow]);
      expect(stored("worded")).to.deep.include({ ...wordedNow, tileId: rows?.id });
    });

    it("clears a message that is taken out of the program", async () => {
      expect(stored("silent")).to.deep.include({ name: "Silent", message: null });
      expect(await fixture.outputsOf("silent")).to.not.have.property("message");
    });

    it("creates the alert on the other service before it deletes the old one", () => {
      expect(update.steps.find(({ op }) => op === "replace")?.replaceKeys).to.include("serviceId");
      const [created, ...further] = calls(fixture.sandbox).filter((call) => !call.startsWith("PUT"));
      expect([created, ...further]).to.deep.equal(["POST /second/stack/alerts", "DELETE /stack/alerts/{id}"]);
      expect(bodies(fixture.sandbox, "POST /second/stack/alerts")).to.deep.equal([movedNow]);
      expect(stored("moved")?.serviceId).to.equal(secondServiceId);
      expect(fixture.sandbox.store.alerts.has(replaced)).to.equal(false);
    });

    it("shows no changes in the next preview, with and without a look at the service", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });
  });

  describe("destroyed", () => {
    before(async () => {
      fixture.sandbox.store.alerts.delete(ids.plain ?? "");
      forget(fixture.sandbox);
      await fixture.destroy();
    });

    it("is gone from the service", () => {
      expect([...fixture.sandbox.store.alerts.values()]).to.deep.equal([]);
    });

    it("takes an alert that somebody else has deleted for deleted", async () => {
      expect(calls(fixture.sandbox)).to.include("DELETE /stack/alerts/{id} 404");
      expect((await fixture.exportState()).deployment.resources).to.equal(undefined);
    });
  });

  describe("that exists already", () => {
    const adoptedId = "65f1c0a2b3d4e5f607182931";
    const otherId = "65f1c0a2b3d4e5f607182932";
    const existing = (id: string) => {
      const dates = { createdAt: "2025-01-15T09:00:00.000Z", updatedAt: "2025-01-15T09:00:00.000Z" };
      const record = {
        id,
        serviceId: fixture.sandbox.credentials.serviceId,
        state: "OK",
        team: "team",
        ...dates,
      };
      return { ...record, ...worded, source: "search", name: "by hand", thresholdType: "above" } as const;
    };

    before(async () => {
      for (const id of [adoptedId, otherId]) fixture.sandbox.store.alerts.set(id, existing(id));
      forget(fixture.sandbox);
      await fixture.apply(`${alert("adopted", { ...silent, adoptId: adoptedId })}
const other = Alert.get("other", "${otherId}");
exports.other = pulumi.all([other.id, other.name, other.threshold]);`);
    });

    it("is taken over with adoptId: changed to what is declared, and not created", () => {
      expect(calls(fixture.sandbox)).to.not.include("POST /stack/alerts");
      expect(bodies(fixture.sandbox, "PUT /api/v2/alerts/{id}")).to.deep.equal([silent]);
      expect(fixture.sandbox.store.alerts.get(adoptedId)).to.deep.include(silent);
    });

    it("is read with get, and left as it is", async () => {
      expect((await fixture.outputs()).other).to.deep.equal([otherId, "by hand", 500.5]);
      expect(fixture.sandbox.store.alerts.get(otherId)).to.deep.equal(existing(otherId));
    });

    it("stays as it is when adoptId is taken out of the program, and deletes nothing that it only read", async () => {
      const { summary } = await fixture.apply(alert("adopted", silent));
      expect(summary).to.deep.equal({ same: 1 });
      await fixture.destroy();
      expect([...fixture.sandbox.store.alerts.keys()]).to.deep.equal([otherId]);
    });
  });

  describe("that cannot be", () => {
    const missing = "65f1c0a2b3d4e5f6071829ff";

    it("is one clear error when the API refuses it", async () => {
      const refused = { ...search, channel: { type: "webhook", webhookId: missing } };
      const { output } = await fixture.apply(alert("refused", refused), { expect: "failure" });
      expectOneClearError(output, "createAlert (POST /v1/", "answered 400", requestId, "Webhook not found");
    });

    it("is one clear error when adoptId names no alert", async () => {
      const { output } = await fixture.apply(alert("adopted", { ...search, adoptId: missing }), {
        expect: "failure",
      });
      expectOneClearError(output, "adoptId", `has no alert ${missing}`);
    });

    it("is one clear error when get finds nothing", async () => {
      const { output } = await fixture.apply(`Alert.get("missing", "${missing}");`, { expect: "failure" });
      expectOneClearError(output, `Alert ${missing} does not exist`);
    });
  });
});
