import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import { importObject } from "../../../provider/lifecycle/read";
import { alertResource } from "../../../provider/resources/alert/alert";
import type { Data } from "../../../provider/values/data";
import type { Sandbox } from "../../../sandbox/index";
import { Declared } from "../drift/fixture";
import { alert, inDays, onManagement, onObservability, onTile, savedSearch } from "./clickhouseAlerts";
import { channel, type Product, secondChannel, sentBy, sessionOfProduct, useProduct } from "./product";

const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 4 };

describe("Alert in the clickhouse dialect", () => {
  const product = useProduct();
  let sandbox: Sandbox;
  let session: Product["session"];
  let warnings: string[];
  beforeEach(() => {
    ({ sandbox, session, warnings } = product);
  });
  const sent = (method: string) => sentBy(product, method);

  it("on a saved search is created, read and updated with all that it has", async () => {
    const { channel: _, ...rest } = alert;
    const ranged = {
      ...rest,
      groupBy: "host",
      thresholdType: "between",
      thresholdMax: 9,
      channels: [secondChannel, channel],
    };
    const declared = new Declared("Alert", ranged);
    const sessionNow = () => sessionOfProduct(sandbox, onObservability).session;
    await declared.up(sessionNow());
    const { savedSearch: id, source, ...same } = ranged;
    expect(sent("POST")).to.deep.equal([["alerts", { ...same, savedSearchId: id, source: "saved_search" }]]);
    expect(await declared.refresh(sessionNow())).to.deep.equal([]);

    const stored = sandbox.store.alerts.get(declared.id);
    Object.assign(stored ?? {}, { channels: [channel, secondChannel], channel });
    expect(await declared.refresh(sessionNow()), "order").to.deep.equal([]);
    Object.assign(stored ?? {}, { channels: [channel], groupBy: "other", thresholdMax: 10 });
    const later = sessionNow();
    expect(await declared.refresh(later)).to.have.members(["channels", "groupBy", "thresholdMax"]);
    await declared.up(later);
    expect(stored).to.deep.include({
      channels: [secondChannel, channel],
      groupBy: "host",
      thresholdMax: 9,
    });
  });

  it("that loses its group loses it in the service, too", async () => {
    const declared = new Declared("Alert", { ...alert, groupBy: "host" });
    await declared.up(session);
    const without = new Declared("Alert", alert);
    Object.assign(without, { id: declared.id, state: declared.state, inputs: declared.inputs });
    await without.up(session);
    expect(sandbox.store.alerts.get(declared.id)).to.not.have.property("groupBy");
    expect(warnings).to.deep.equal([]);
    expect(await without.refresh(session)).to.deep.equal([]);
  });

  /** Applies one program after the other to the same alert. */
  async function applied(settings: Partial<Record<string, string>>, ...programs: Data[]): Promise<Declared> {
    const open = () => sessionOfProduct(sandbox, settings as Record<string, string>);
    const declared = new Declared("Alert", {});
    for (const program of programs) {
      Object.assign(declared, { program });
      const opened = open();
      await declared.up(opened.session);
      expect(opened.warnings).to.deep.equal([]);
      expect(await declared.refresh(open().session)).to.deep.equal([]);
    }
    return declared;
  }

  const onTheWire = {
    ...alert,
    source: "saved_search",
    savedSearchId: savedSearch,
    savedSearch: undefined,
  };
  const wire = (changed: Data) => JSON.parse(JSON.stringify({ ...onTheWire, ...changed }));

  it("sends every member that the management API has, and none that the program drops", async () => {
    const further = {
      note: "Ask the owner",
      numConsecutiveWindows: 3,
      scheduleOffsetMinutes: 2,
      channel: { ...channel, webhookService: "pagerduty_api", severity: "error" },
    };
    const declared = await applied(onManagement, { ...alert, ...further }, alert);
    expect(sent("POST")).to.deep.equal([["alerts", wire(further)]]);
    const [[, body]] = sent("PUT") as [[string, Data]];
    // The offset has no null, and the others go by being left out.
    expect(body).to.include({ scheduleOffsetMinutes: 0 });
    expect(body).not.to.have.any.keys("note", "numConsecutiveWindows", "scheduleStartAt", "channels");
    expect(sandbox.store.alerts.get(declared.id)).to.include({ note: null, numConsecutiveWindows: null });
  });

  it("reaches people by mail", async () => {
    const mail = { type: "email", emailRecipients: ["a@b.example", "c@d.example"] };
    await applied(onManagement, { ...alert, channel: mail });
    expect(sent("POST")).to.deep.equal([["alerts", wire({ channel: mail })]]);
  });

  it("with a mail that has no recipients is imported, kept and warned of", async () => {
    const own = () => sessionOfProduct(sandbox, onManagement).session;
    const mail = { type: "email", emailRecipients: ["a@b.example"] };
    const { id } = await applied(onManagement, { ...alert, channel: mail });
    Object.assign(sandbox.store.alerts.get(id) ?? {}, { channel: { type: "email" } });
    const imported = await importObject(alertResource, id, {}, own());
    if (typeof imported === "string") throw new Error(imported);
    const channel = { type: "email", emailRecipients: [] };
    expect(imported.inputs).to.deep.include({ channel });
    const { failures, warnings } = check(alertResource, imported.inputs, imported.inputs, own());
    expect(failures).to.deep.equal([]);
    expect(warnings).to.deep.equal(["Alert: channel.emailRecipients is empty, so the alert tells nobody"]);
    const declared = Object.assign(new Declared("Alert", { ...imported.inputs, threshold: 7 }), imported);
    await declared.up(own());
    expect(sent("PUT")).to.deep.equal([[id, wire({ threshold: 7, channel })]]);
  });

  it("begins at a moment, in whatever words, until the program drops it", async () => {
    const scheduleStartAt = inDays(-1).replace(/\.\d+Z$/, "Z");
    const declared = await applied({}, { ...alert, scheduleStartAt }, alert);
    expect(sent("POST")).to.deep.equal([["alerts", wire({ scheduleStartAt })]]);
    expect(sent("PUT").map(([, body]) => body)).to.deep.equal([
      wire({ scheduleStartAt: null, scheduleOffsetMinutes: 0 }),
    ]);
    expect(declared.state).not.to.have.property("scheduleStartAt");
  });

  it("never gets a null that the server refuses", async () => {
    const range = { ...alert, thresholdType: "between", thresholdMax: 9, scheduleOffsetMinutes: 1 };
    await applied({}, range, alert, { ...alert, scheduleStartAt: inDays(-1) });
    for (const [, body] of [...sent("POST"), ...sent("PUT")] as [string, Data][]) {
      expect(body.thresholdMax).not.to.equal(null);
      expect(body.scheduleOffsetMinutes).not.to.equal(null);
    }
    expect(sent("PUT").at(-1)?.[1]).not.to.have.property("scheduleOffsetMinutes");
  });

  it("with one of several channels keeps the others where that is known", () => {
    const first = { type: "webhook", webhookId: "new" };
    const carried = { ...alert, channel: first, channels: [channel, secondChannel] };
    expect(alertResource.encode?.(carried, session.settings, {})).to.deep.include({
      channels: [first, secondChannel],
    });
    const same = { ...alert, channel, channels: [channel] };
    expect(alertResource.encode?.(same, session.settings, {})).not.to.have.property("channels");
  });

  it("keeps the further channels where somebody put another one before the declared one", async () => {
    const declared = await applied(onObservability, alert);
    const stored = sandbox.store.alerts.get(declared.id);
    Object.assign(stored ?? {}, { channels: [secondChannel, channel], channel: secondChannel });
    Object.assign(declared, { program: { ...alert, threshold: 6 } });
    await declared.up(sessionOfProduct(sandbox, onObservability).session);
    expect(stored).to.deep.include({ threshold: 6, channel, channels: [channel, secondChannel] });
  });

  it("gets a declared offset where somebody set a moment from which the intervals are counted", async () => {
    const declared = await applied(onManagement, alert);
    const stored = sandbox.store.alerts.get(declared.id);
    Object.assign(stored ?? {}, { scheduleStartAt: inDays(-1) });
    Object.assign(declared, { program: { ...alert, threshold: 6 } });
    await declared.up(sessionOfProduct(sandbox, onManagement).session);
    expect(stored?.scheduleStartAt).to.be.a("string");

    Object.assign(declared, { program: { ...alert, scheduleOffsetMinutes: 2 } });
    const opened = sessionOfProduct(sandbox, onManagement);
    await declared.up(opened.session);
    expect(opened.warnings).to.deep.equal([]);
    expect(stored).to.include({ scheduleOffsetMinutes: 2, scheduleStartAt: null });
    expect(await declared.refresh(sessionOfProduct(sandbox, onManagement).session)).to.deep.equal([]);
  });

  it("shows who silenced it, and what failed, and neither is drift", async () => {
    const declared = await applied(onManagement, alert);
    const silenced = { by: "u1", at: inDays(-1), until: inDays(1) };
    const executionErrors = [{ timestamp: inDays(-1), type: "QUERY_ERROR", message: "no such column" }];
    Object.assign(sandbox.store.alerts.get(declared.id) ?? {}, { silenced, executionErrors });
    expect(await declared.refresh(sessionOfProduct(sandbox).session)).to.deep.equal([]);
    expect(declared.state).to.deep.include({ silenced, executionErrors });
  });

  it("that loses its upper threshold keeps it in the service", async () => {
    const range = { ...alert, thresholdType: "between", thresholdMax: 9 };
    const declared = new Declared("Alert", range);
    await declared.up(session);
    const without = new Declared("Alert", alert);
    Object.assign(without, { id: declared.id, state: declared.state, inputs: declared.inputs });
    await without.up(session);
    expect(sandbox.store.alerts.get(declared.id)?.thresholdMax).to.equal(9);
    expect(await without.refresh(session)).to.deep.equal([]);
  });

  describe("that was of another kind before", () => {
    const range = { ...alert, thresholdType: "between", thresholdMax: 9 };
    const { savedSearch: _, ...search } = alert;
    const place = { dashboardId: "65f1c0a2b3d4e5f607182941", tileId: "65f1c0a2b3d4e5f607182942" };
    const changes: [string, Data, Data, Data][] = [
      ["a range", range, alert, { thresholdMax: 9 }],
      ["on a tile", { ...onTile, ...place }, alert, place],
      ["on a search", alert, { ...search, ...onTile, ...place }, { savedSearchId: savedSearch }],
    ];
    for (const [what, before, after, left] of changes) {
      it(`shows nothing of what the service keeps of that: ${what}`, async () => {
        const { serviceId } = sandbox.credentials;
        const tiles = [{ id: place.tileId, ...tile, series: [{ type: "number" }] }];
        const board = { id: place.dashboardId, serviceId, name: "Board", tiles };
        sandbox.store.dashboards.set(board.id, board as never);
        const declared = new Declared("Alert", before);
        await declared.up(session);
        const changed = new Declared("Alert", after);
        Object.assign(changed, { id: declared.id, state: declared.state, inputs: declared.inputs });
        await changed.up(session);
        // Some servers keep these, which are not in the request.
        Object.assign(sandbox.store.alerts.get(declared.id) ?? {}, left);
        expect(await changed.refresh(sessionOfProduct(sandbox).session)).to.deep.equal([]);
        for (const name of Object.keys(left)) expect(changed.state).not.to.have.property(name);
      });
    }
  });
});
