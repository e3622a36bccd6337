import { expect } from "chai";
import { check } from "../../../provider/lifecycle/check";
import { importObject } from "../../../provider/lifecycle/read";
import { alertResource } from "../../../provider/resources/alert/alert";
import type { Data } from "../../../provider/values/data";
import { Declared } from "../drift/fixture";
import { alert, inDays, onTile, savedSearch } from "./clickhouseAlerts";
import { channel, secondChannel, sentBy, sessionOfProduct, useProduct } from "./product";
import { onManagement, onObservability } from "./rules";

describe("Alerts of the product", () => {
  const product = useProduct();
  const opened = (settings: { [name: string]: string } = onManagement) =>
    sessionOfProduct(product.sandbox, settings);
  const stored = ({ id }: { id: string }) => product.sandbox.store.alerts.get(id) ?? ({} as never);

  /** The same alert after `pulumi up` of a program, by a process of its own. */
  async function become(declared: Declared, program: Data, settings?: { [name: string]: string }) {
    Object.assign(declared, { program });
    await declared.up(opened(settings).session);
    return declared;
  }
  const applied = (program: Data, settings?: { [name: string]: string }) =>
    become(new Declared("Alert", program), program, settings);

  it("imports and updates an alert whose mail has no recipients, with a warning", async () => {
    const { id } = await applied({ ...alert, channel: { type: "email", emailRecipients: ["a@b.example"] } });
    Object.assign(stored({ id }), { channel: { type: "email" } });
    const imported = await importObject(alertResource, id, {}, opened().session);
    if (typeof imported === "string") throw new Error(imported);
    const toNobody = { type: "email", emailRecipients: [] };
    expect(imported.inputs).to.deep.include({ channel: toNobody });
    const { failures, warnings } = check(alertResource, imported.inputs, imported.inputs, opened().session);
    expect(failures).to.deep.equal([]);
    expect(warnings).to.deep.equal(["Alert: channel.emailRecipients is empty, so the alert notifies nobody"]);
    await become(Object.assign(new Declared("Alert", {}), imported), { ...imported.inputs, threshold: 7 });
    const [[, body] = []] = sentBy(product, "PUT");
    expect(body).to.deep.include({ threshold: 7, channel: toNobody });
  });

  it("keeps further channels of an alert when somebody put another one before the declared one", async () => {
    const declared = await applied(alert, onObservability);
    Object.assign(stored(declared), { channels: [secondChannel, channel], channel: secondChannel });
    await become(declared, { ...alert, threshold: 6 }, onObservability);
    expect(stored(declared)).to.deep.include({ threshold: 6, channel, channels: [channel, secondChannel] });
  });

  it("replaces a start that somebody set with the declared offset of intervals", async () => {
    const declared = await applied(alert);
    Object.assign(stored(declared), { scheduleStartAt: inDays(-1) });
    await become(declared, { ...alert, threshold: 6 });
    expect(stored(declared).scheduleStartAt).to.be.a("string");
    await become(declared, { ...alert, scheduleOffsetMinutes: 2 });
    expect(stored(declared)).to.include({ scheduleOffsetMinutes: 2, scheduleStartAt: null });
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
  });

  it("shows the silencer and the failures of an alert, and neither as drift", async () => {
    const declared = await applied(alert);
    const silenced = { by: "u1", at: inDays(-1), until: inDays(1) };
    const executionErrors = [{ timestamp: inDays(-1), type: "QUERY_ERROR", message: "no such column" }];
    Object.assign(stored(declared), { silenced, executionErrors });
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
    expect(declared.state).to.deep.include({ silenced, executionErrors });
  });

  const range = { ...alert, thresholdType: "between", thresholdMax: 9 };
  const { savedSearch: _, ...search } = alert;
  const place = { dashboardId: "65f1c0a2b3d4e5f607182941", tileId: "65f1c0a2b3d4e5f607182942" };
  const changes: [string, Data, Data, Data][] = [
    ["a range", range, alert, { thresholdMax: 9 }],
    ["an alert on a tile", { ...onTile, ...place }, alert, place],
    ["an alert on a search", alert, { ...search, ...onTile, ...place }, { savedSearchId: savedSearch }],
  ];
  for (const [former, before, after, left] of changes)
    it(`an alert that was ${former} shows none of the members that the service keeps of that`, async () => {
      const { sandbox } = product;
      const tile = { id: place.tileId, name: "Lines", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] };
      const board = { id: place.dashboardId, serviceId: sandbox.credentials.serviceId, name: "Board" };
      sandbox.store.dashboards.set(board.id, { ...board, tiles: [tile] } as never);
      const declared = await become(await applied(before), after);
      // Some servers keep these, which are not in the request.
      Object.assign(stored(declared), left);
      expect(await declared.refresh(opened().session)).to.deep.equal([]);
      for (const name of Object.keys(left)) expect(declared.state).not.to.have.property(name);
    });
});
