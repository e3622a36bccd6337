import { expect } from "chai";
import { type Api, alert, apis, savedSearchId, unknownId, useProduct, webhook } from "./product";

describe("alerts of the product", () => {
  const product = useProduct();
  const post = (api: Api, body: object) => product.send(api, "POST", "/alerts", body);
  const created = async (api: Api, change: object = {}) => {
    const { payload, text } = await post(api, { ...alert, ...change });
    expect(payload, text).to.be.an("object");
    return payload;
  };
  const put = async (api: Api, id: string, change: object) =>
    product.send(api, "PUT", `/alerts/${id}`, { ...alert, ...change });
  const createDashboard = async (tile: object) => {
    const tiles = [{ name: "Tile", x: 0, y: 0, w: 6, h: 3, ...tile }];
    const { payload } = await product.send("observability", "POST", "/dashboards", { name: "Board", tiles });
    return { dashboardId: payload.id, tileId: payload.tiles[0].id };
  };

  it("have on the observability API what was sent, null for texts without a value, and nothing else that is absent", async () => {
    const { id, createdAt, updatedAt, teamId, ...members } = await created("observability");
    expect(members).to.deep.equal({
      ...alert,
      channels: [webhook],
      state: "OK",
      name: null,
      message: null,
      note: null,
      numConsecutiveWindows: null,
    });
    expect([id, teamId, createdAt, updatedAt]).to.satisfy((all: unknown[]) =>
      all.every((one) => typeof one === "string"),
    );
  });

  it("have on the management API every member of its document, and no channels", async () => {
    const { id, createdAt, updatedAt, teamId, ...members } = await created("management");
    expect(members).to.deep.equal({
      ...alert,
      state: "OK",
      name: null,
      message: null,
      note: null,
      numConsecutiveWindows: null,
      dashboardId: null,
      tileId: null,
      groupBy: null,
      thresholdMax: null,
      scheduleOffsetMinutes: null,
      scheduleStartAt: null,
      silenced: null,
      executionErrors: [],
    });
  });

  it("can be taken with every member", async () => {
    const full = {
      name: "Errors",
      message: "Too many",
      note: "See the runbook",
      groupBy: "ServiceName",
      thresholdType: "between",
      thresholdMax: 5,
      numConsecutiveWindows: 3,
      scheduleOffsetMinutes: 2,
    };
    for (const api of apis) expect(await created(api, full)).to.deep.include({ ...alert, ...full });
  });

  it("take null for what the other source needs, and for the group", async () => {
    for (const api of apis) await created(api, { dashboardId: null, tileId: null, groupBy: null });
  });

  const refused: [string, object][] = [
    ["no source", { source: undefined }],
    ["the source search", { source: "search" }],
    ["no threshold", { threshold: undefined }],
    ["no threshold type", { thresholdType: undefined }],
    ["an interval of 10m", { interval: "10m" }],
    ["no saved search", { savedSearchId: undefined }],
    ["a saved search that does not exist", { savedSearchId: unknownId }],
    ["a malformed saved search", { savedSearchId: "errors" }],
    ["a webhook that does not exist", { channel: { ...webhook, webhookId: unknownId } }],
    ["no channel", { channel: undefined }],
    ["an empty name", { name: "" }],
    ["a name of 513 characters", { name: "n".repeat(513) }],
    ["a note of 4097 characters", { note: "n".repeat(4097) }],
    ["no windows", { numConsecutiveWindows: 0 }],
    ["a range without an end", { thresholdType: "between" }],
    ["a range that ends before it begins", { thresholdType: "not_between", thresholdMax: 0 }],
    ["null for thresholdMax", { thresholdMax: null }],
    ["null for scheduleOffsetMinutes", { scheduleOffsetMinutes: null }],
    ["an offset as long as the interval", { scheduleOffsetMinutes: 5 }],
    ["an offset of 1440 minutes", { interval: "1d", scheduleOffsetMinutes: 1440 }],
    ["a start with another time zone", { scheduleStartAt: "2026-01-01T00:00:00+01:00" }],
    ["a start in two years", { scheduleStartAt: new Date(Date.now() + 7.3e10).toISOString() }],
    ["both an offset and a start", { scheduleOffsetMinutes: 1, scheduleStartAt: new Date().toISOString() }],
  ];
  for (const [what, change] of refused) {
    it(`are refused with ${what}`, async () => {
      for (const api of apis) {
        const { status, reason } = await post(api, { ...alert, ...change });
        expect([api, status]).to.deep.equal([api, 400]);
        expect(reason).to.be.a("string");
      }
      expect(product.client.sandbox.store.alerts.size).to.equal(0);
    });
  }

  it("name everything that is wrong at once", async () => {
    const { reason } = await post("observability", { ...alert, threshold: "1", interval: "2m" });
    expect(reason).to.match(/^Body validation failed: .*threshold.*; .*interval/);
  });

  describe("channels", () => {
    it("of the management API may be of e-mail, and say more about a webhook", async () => {
      const email = { type: "email", emailRecipients: ["on-call@example.com"] };
      expect(await created("management", { channel: email })).to.deep.include({ channel: email });
      const severe = { ...webhook, severity: "critical", slackChannelId: null, webhookService: "slack_api" };
      const { id } = await created("management", { channel: severe });
      expect((await product.send("management", "GET", `/alerts/${id}`)).payload.channel).to.deep.equal(
        severe,
      );
      const { payload } = await product.send("observability", "GET", `/alerts/${id}`);
      expect(payload).to.deep.include({ channel: webhook, channels: [webhook] });
      expect((await post("observability", { ...alert, channel: email })).status).to.equal(400);
      expect(await created("observability", { channel: severe })).to.deep.include({ channel: webhook });
    });

    it("of an unknown severity are refused", async () => {
      const { status } = await post("management", { ...alert, channel: { ...webhook, severity: "high" } });
      expect(status).to.equal(400);
    });

    it("as a list are known to the observability API only", async () => {
      const { status, reason } = await post("management", {
        ...alert,
        channel: undefined,
        channels: [webhook],
      });
      expect([status, reason]).to.deep.equal([
        400,
        "BAD_REQUEST: request body property can't be validated: channels",
      ]);
      expect(await created("observability", { channel: undefined, channels: [webhook] })).to.deep.include({
        channel: webhook,
      });
    });

    for (const [what, change] of [
      ["empty", { channel: undefined, channels: [] }],
      ["with duplicates", { channel: undefined, channels: [webhook, webhook] }],
      ["beside another channel", { channels: [{ ...webhook, webhookId: unknownId }] }],
    ] as const) {
      it(`are refused ${what}`, async () => {
        expect((await post("observability", { ...alert, ...change })).status).to.equal(400);
      });
    }
  });

  it("that a gateway does not know members of are refused on the management API and cut on the other", async () => {
    const body = { ...alert, silenced: { at: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" } };
    const { status, reason } = await post("management", body);
    expect([status, reason]).to.deep.equal([
      400,
      "BAD_REQUEST: request body property can't be validated: silenced",
    ]);
    expect(await created("observability", body)).to.not.have.property("silenced");
  });

  for (const api of apis) {
    describe(`PUT on the ${api} API`, () => {
      it("takes the body of a create: no member is optional that a create requires", async () => {
        const { id } = await created(api);
        for (const name of ["source", "threshold", "thresholdType", "interval", "savedSearchId"]) {
          expect((await put(api, id, { [name]: undefined })).status, name).to.equal(400);
        }
      });

      it("removes omitted texts, windows and the group, and keeps an omitted upper threshold", async () => {
        const { id } = await created(api, {
          name: "Errors",
          message: "Too many",
          note: "Look",
          numConsecutiveWindows: 2,
          groupBy: "ServiceName",
          thresholdType: "between",
          thresholdMax: 9,
        });
        const { payload } = await put(api, id, {});
        expect(payload).to.include({ name: null, message: null, note: null, numConsecutiveWindows: null });
        expect(payload.groupBy ?? null).to.equal(null);
        expect(payload.thresholdMax).to.equal(9);
      });

      it("keeps an omitted schedule; a start zeroes the offset, and null clears it", async () => {
        const { id } = await created(api, { scheduleOffsetMinutes: 3 });
        expect((await put(api, id, {})).payload.scheduleOffsetMinutes).to.equal(3);
        const scheduleStartAt = "2026-03-01T10:00:00Z";
        const started = (await put(api, id, { scheduleStartAt })).payload;
        expect(started).to.include({ scheduleOffsetMinutes: 0, scheduleStartAt: "2026-03-01T10:00:00.000Z" });
        expect((await put(api, id, {})).payload.scheduleStartAt).to.equal("2026-03-01T10:00:00.000Z");
        const cleared = (await put(api, id, { scheduleStartAt: null })).payload;
        expect(cleared).to.include({ scheduleOffsetMinutes: 0, scheduleStartAt: null });
      });

      it("deletes an alert with the saved search that it watches", async () => {
        const { id } = await created(api);
        await product.send(api, "DELETE", `/saved-searches/${savedSearchId}`);
        expect((await product.send(api, "GET", `/alerts/${id}`)).status).to.equal(404);
      });

      it("forgets the saved search of an alert that now watches a tile", async () => {
        const { id } = await created(api, { groupBy: "ServiceName" });
        const onTile = {
          source: "tile",
          ...(await createDashboard({ series: [{ type: "number", ...counted }] })),
        };
        const { payload, text } = await put(api, id, onTile);
        expect(payload, text).to.include(onTile);
        expect([payload.savedSearchId ?? null, payload.groupBy ?? null]).to.deep.equal([null, null]);
      });
    });
  }

  it("keep an upper threshold and a state that no body can set", async () => {
    const { id } = await created("observability", { thresholdType: "between", thresholdMax: 9 });
    const record = product.client.sandbox.store.alerts.get(id);
    Object.assign(record ?? {}, { state: "ALERT" });
    const { payload } = await put("observability", id, { state: "OK" });
    expect(payload).to.include({ state: "ALERT", thresholdMax: 9 });
  });

  it("show who silenced them and what went wrong", async () => {
    const { id } = await created("observability");
    const silenced = { at: "2026-01-01T00:00:00.000Z", until: "2026-01-02T00:00:00.000Z" };
    const executionErrors = [
      { timestamp: "2026-01-01T00:00:00.000Z", type: "QUERY_ERROR", message: "no such column" },
    ];
    Object.assign(product.client.sandbox.store.alerts.get(id) ?? {}, { silenced, executionErrors });
    for (const api of apis) {
      const { payload } = await product.send(api, "GET", `/alerts/${id}`);
      expect(payload).to.deep.include({ silenced, executionErrors });
    }
  });
});

const counted = { sourceId: "65f1c0a2b3d4e5f607182911", aggFn: "count", where: "", whereLanguage: "lucene" };
