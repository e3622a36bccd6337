import { expect } from "chai";
import { alert, apis, createTileAlert, dashboard, unknownId, useSandbox } from "./requests";

describe("Alerts of the sandbox in the dialect neutral", () => {
  const client = useSandbox();

  it("POST accepts an alert whose source is a search, and which has no dashboardId", async () => {
    expect((await client.service("POST", "/stack/alerts", alert)).status).to.equal(200);
  });

  const required = ["threshold", "interval", "source", "thresholdType", "channel", "dashboardId", "tileId"];
  const refused: { readonly [change: string]: object } = {
    ...Object.fromEntries(required.map((name) => [`without ${name}`, { [name]: undefined }])),
    'with threshold "5"': { threshold: "5" },
    "with interval 5": { interval: 5 },
    "with interval 5 minutes": { interval: "5 minutes" },
    "with interval 0m": { interval: "0m" },
    "with thresholdType equal": { thresholdType: "equal" },
    "with source metric": { source: "metric" },
    "with an email channel": { channel: { ...alert.channel, type: "email" } },
    "with a channel without a webhook": { channel: { type: "webhook" } },
    "with an unknown webhook": { channel: { type: "webhook", webhookId: unknownId } },
    "with an unknown dashboard": { dashboardId: unknownId },
    "with a malformed dashboardId": { dashboardId: "overview" },
    "with a tile that the dashboard does not have": { tileId: unknownId },
  };
  for (const [title, change] of Object.entries(refused)) {
    it(`both APIs refuse an alert ${title}`, async () => {
      const { body } = await createTileAlert(client);
      for (const api of apis) {
        const answer = await client.stack(api, "POST", "/alerts", { ...body, ...change });
        const members = api === "management" ? ["status", "error", "requestId"] : ["message"];
        expect([answer.status, Object.keys(answer.body)]).to.deep.equal([400, members]);
      }
      expect(client.sandbox.store.alerts.size).to.equal(1);
    });
  }

  it("PUT of an alert validates its body together with the properties that the alert keeps", async () => {
    const { alert: made } = await createTileAlert(client);
    const put = (body: object) => client.observability("PUT", `/alerts/${made.id}`, body);
    const { payload: other } = await client.observability("POST", "/dashboards", dashboard);
    expect((await put({ dashboardId: other.id })).body).to.deep.equal({ message: "Tile not found" });
    expect((await put({ dashboardId: other.id, tileId: other.tiles[0].id })).status).to.equal(200);
    const { body } = await put({ channel: { type: "webhook", webhookId: "x" } });
    expect(body).to.deep.equal({ message: "Webhook not found" });
    expect((await put({ interval: "soon" })).status).to.equal(400);
  });
});
