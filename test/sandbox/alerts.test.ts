import { expect } from "chai";
import { Client, dashboard } from "./requests";

describe("sandbox: alerts", () => {
  let client: Client;
  let board: { id: string; tiles: { id: string }[] };
  before(async () => {
    client = Client.inProcess();
  });
  beforeEach(async () => {
    await client.sandbox.reset();
    board = (await client.observability("POST", "/dashboards", dashboard)).body.data;
  });
  after(() => client.sandbox.close());

  const alert = (position = 0) => ({
    dashboardId: board.id,
    tileId: board.tiles[position]?.id,
    threshold: 5,
    interval: "5m",
    source: "tile",
    thresholdType: "above",
    channel: { type: "webhook", webhookId: client.webhookId },
    name: "Too many",
    message: "Look at it",
  });
  const create = async (position?: number) =>
    (await client.service("POST", "/stack/alerts", alert(position))).body.result;

  it("POST …/stack/alerts answers the alert, with dashboard for dashboardId", async () => {
    const { status, body } = await client.service("POST", "/stack/alerts", alert());
    expect(status).to.equal(200);
    const { dashboardId, ...members } = alert();
    expect(body.result).to.deep.include({ ...members, dashboard: dashboardId, state: "inactive" });
    expect(body.result).to.not.have.any.keys("dashboardId", "serviceId");
    expect(body.result.createdAt).to.equal(body.result.updatedAt);
  });

  it("an alert created on one API is listed and read on the other", async () => {
    const created = await create();
    expect((await client.observability("GET", "/alerts")).body).to.deep.equal({ data: [created] });
    expect((await client.observability("GET", `/alerts/${created.id}`)).body).to.deep.equal({
      data: created,
    });
    const { data } = (await client.observability("POST", "/alerts", alert())).body;
    expect((await client.service("GET", `/stack/alerts/${data.id}`)).body.result).to.deep.equal(data);
    expect((await client.service("GET", "/stack/alerts")).body.result).to.deep.equal([created, data]);
    expect((await client.secondService("GET", "/stack/alerts")).body.result).to.deep.equal([]);
  });

  const required = ["threshold", "interval", "source", "thresholdType", "channel", "dashboardId", "tileId"];
  const refused: [string, () => object][] = [
    ...required.map((name): [string, () => object] => [`without ${name}`, () => ({ [name]: undefined })]),
    ['with threshold "5"', () => ({ threshold: "5" })],
    ["with interval 5", () => ({ interval: 5 })],
    ["with interval 5 minutes", () => ({ interval: "5 minutes" })],
    ["with interval 0m", () => ({ interval: "0m" })],
    ["with thresholdType equal", () => ({ thresholdType: "equal" })],
    ["with source metric", () => ({ source: "metric" })],
    ["with an email channel", () => ({ channel: { type: "email", webhookId: client.webhookId } })],
    ["with a channel without a webhook", () => ({ channel: { type: "webhook" } })],
    [
      "with an unknown webhook",
      () => ({ channel: { type: "webhook", webhookId: "0123456789abcdef01234567" } }),
    ],
    ["with an unknown dashboard", () => ({ dashboardId: "0123456789abcdef01234567" })],
    ["with a malformed dashboardId", () => ({ dashboardId: "overview" })],
    ["with a tile that the dashboard does not have", () => ({ tileId: "0123456789abcdef01234567" })],
  ];
  for (const [what, mutation] of refused) {
    it(`POST of an alert ${what} is refused with 400 on both APIs`, async () => {
      const body = { ...alert(), ...mutation() };
      const management = await client.service("POST", "/stack/alerts", body);
      expect(management.status).to.equal(400);
      expect(management.body.error).to.match(/^BAD_REQUEST: /);
      const observability = await client.observability("POST", "/alerts", body);
      expect(observability.status).to.equal(400);
      expect(observability.body).to.have.all.keys("message");
      expect(client.sandbox.store.alerts.size).to.equal(0);
    });
  }

  it("POST of an alert on a search needs no dashboard", async () => {
    const body = { ...alert(), source: "search", dashboardId: undefined, tileId: undefined };
    expect((await client.service("POST", "/stack/alerts", body)).status).to.equal(200);
  });

  it("POST of an alert with an unknown member is refused with 400 on the management API only", async () => {
    const body = { ...alert(), silenced: true };
    expect((await client.service("POST", "/stack/alerts", body)).status).to.equal(400);
    const { status, body: answer } = await client.observability("POST", "/alerts", body);
    expect(status).to.equal(200);
    expect(answer.data).to.not.have.property("silenced");
  });

  for (const path of ["…/stack/alerts", "/api/v2/alerts"]) {
    it(`PUT ${path}/{id} makes an omitted name and message null, and keeps other omitted members`, async () => {
      const created = await create();
      const body = { threshold: 9 };
      const { body: answer } = path.startsWith("/api")
        ? await client.observability("PUT", `/alerts/${created.id}`, body)
        : await client.service("PUT", `/stack/alerts/${created.id}`, body);
      const { updatedAt, ...changed } = answer.data ?? answer.result;
      const { updatedAt: before, ...kept } = created;
      expect(changed).to.deep.equal({ ...kept, threshold: 9, name: null, message: null });
      expect(Date.parse(updatedAt)).to.be.at.least(Date.parse(before));
    });
  }

  it("PUT of an alert is checked together with what it keeps", async () => {
    const { id } = await create();
    const put = (body: object) => client.observability("PUT", `/alerts/${id}`, body);
    const other = (await client.observability("POST", "/dashboards", dashboard)).body.data;
    expect((await put({ dashboardId: other.id })).body).to.deep.equal({ message: "Tile not found" });
    expect((await put({ dashboardId: other.id, tileId: other.tiles[0].id })).status).to.equal(200);
    expect((await put({ channel: { type: "webhook", webhookId: "x" } })).body).to.deep.equal({
      message: "Webhook not found",
    });
    expect((await put({ interval: "soon" })).status).to.equal(400);
  });

  it("GET, PUT and DELETE of a missing alert are answered with 404 in JSON, of a malformed id with 400", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const body = method === "PUT" ? { threshold: 1 } : undefined;
      const missing = await client.observability(method, "/alerts/0123456789abcdef01234567", body);
      expect(missing, method).to.deep.include({ status: 404, body: { message: "Alert not found" } });
      const malformed = await client.observability(method, "/alerts/mine", body);
      expect(malformed, method).to.deep.include({ status: 400, body: { message: "Invalid alert id" } });
      const management = await client.service(method, "/stack/alerts/0123456789abcdef01234567", body);
      expect(management.body, method).to.include({ status: 404, error: "NOT_FOUND: Alert not found" });
    }
  });

  it("DELETE of an alert answers {} on the observability API", async () => {
    const { id } = await create();
    expect((await client.observability("DELETE", `/alerts/${id}`)).body).to.deep.equal({});
    expect((await client.observability("GET", "/alerts")).body).to.deep.equal({ data: [] });
  });

  it("PUT of a dashboard without a tile deletes the alerts on that tile, and no other", async () => {
    const first = await create(0);
    const second = await create(1);
    await client.observability("PUT", `/dashboards/${board.id}`, {
      name: "Overview",
      tiles: [board.tiles[1]],
    });
    expect((await client.service("GET", `/stack/alerts/${first.id}`)).status).to.equal(404);
    expect((await client.service("GET", `/stack/alerts/${second.id}`)).status).to.equal(200);
  });

  it("DELETE of a dashboard deletes its alerts", async () => {
    await create(0);
    await create(1);
    const other = (await client.observability("POST", "/dashboards", dashboard)).body.data;
    const body = { ...alert(), dashboardId: other.id, tileId: other.tiles[0].id };
    const kept = (await client.observability("POST", "/alerts", body)).body.data;
    await client.service("DELETE", `/stack/dashboards/${board.id}`);
    expect((await client.service("GET", "/stack/alerts")).body.result).to.deep.equal([kept]);
  });
});
