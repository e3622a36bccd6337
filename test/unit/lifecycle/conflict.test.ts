import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { Data } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { place } from "../api/server";
import { Declared } from "../drift/fixture";
import { alert, dashboard, tile } from "./collectionServer";
import { useMemoryService, withoutWaiting } from "./memoryService";
import { sessionFor } from "./note";

type Stored = Record<string, unknown>;

describe("an update of what somebody else has changed", () => {
  const service = useMemoryService();
  const stored = ({ id }: Declared) => service.current.objects.get(id) as unknown as Stored;
  const rows = { ...tile, name: "Rows", x: 6 };
  const board = { ...dashboard, tiles: [tile, rows] };

  async function created(type: "Alert" | "Dashboard", program: Data): Promise<Declared> {
    const declared = new Declared(type, { ...place, ...program });
    await withoutWaiting(declared.up(sessionFor().session));
    return declared;
  }

  /** Applies a later program; returns what it warned of. */
  async function warned(declared: Declared, program: Data, settings: Partial<Settings> = {}) {
    const next = new Declared(declared.type, { ...place, ...program });
    const { id, state, inputs } = declared;
    Object.assign(next, { id, state, inputs });
    const { session, warnings } = sessionFor(settings);
    await withoutWaiting(next.up(session));
    return warnings;
  }

  const overwrites = (what: string) =>
    `${what} since the last deployment or refresh; the update overwrites it`;

  it("names the paths that it overwrites", async () => {
    const declared = await created("Alert", { ...alert, message: "many" });
    Object.assign(stored(declared), { threshold: 7, channel: { type: "webhook", webhookId: "w2" } });
    expect(await warned(declared, { ...alert, message: "more" })).to.deep.equal([
      overwrites(`alert ${declared.id}: somebody else changed channel.webhookId, threshold`),
    ]);
    expect(stored(declared)).to.deep.include({ ...alert, message: "more" });
  });

  it("stops before it writes, if the settings say so", async () => {
    const declared = await created("Alert", alert);
    Object.assign(stored(declared), { threshold: 7 });
    const error = await failureOf(warned(declared, { ...alert, name: "Other" }, { onConflict: "fail" }));
    expect(error.message).to.equal(
      `alert ${declared.id}: somebody else changed threshold since the last deployment or refresh, and nothing was written; "pulumi refresh" takes the change into the state, and then the update overwrites it`,
    );
    expect(stored(declared)).to.include({ threshold: 7, name: "Slow" });
    await withoutWaiting(declared.refresh(sessionFor().session));
    expect(await warned(declared, { ...alert, name: "Other" }, { onConflict: "fail" })).to.deep.equal([]);
    expect(stored(declared)).to.include({ threshold: 5, name: "Other" });
  });

  it("says nothing where the program declares the same change, or where nobody changed what it writes", async () => {
    const declared = await created("Alert", alert);
    Object.assign(stored(declared), { threshold: 7, message: "by hand" });
    expect(await warned(declared, { ...alert, threshold: 7 })).to.deep.equal([]);
  });

  it("says nothing of what the service makes of declared values", async () => {
    service.current.replace = (sent) => ({ ...sent, name: `${sent.name} ` });
    const declared = await created("Alert", alert);
    expect(await warned(declared, { ...alert, threshold: 7 })).to.deep.equal([]);
  });

  it("names a value that the program declares from now on", async () => {
    const declared = await created("Alert", alert);
    Object.assign(stored(declared), { message: "by hand" });
    await withoutWaiting(declared.refresh(sessionFor().session));
    Object.assign(stored(declared), { message: "by hand, later" });
    expect(await warned(declared, { ...alert, message: "declared" })).to.deep.equal([
      overwrites(`alert ${declared.id}: somebody else changed message`),
    ]);
  });

  it("finds a tile by its id, wherever the program has it now", async () => {
    const declared = await created("Dashboard", board);
    Object.assign((stored(declared).tiles as Stored[])[1] ?? {}, { h: 9 });
    const swapped = { ...board, tiles: [rows, { ...tile, w: 3 }] };
    expect(await warned(declared, swapped)).to.deep.equal([
      overwrites(`dashboard ${declared.id}: somebody else changed tiles["Rows"].h`),
    ]);
  });

  it("names what was changed of a tile that it removes", async () => {
    const declared = await created("Dashboard", board);
    Object.assign((stored(declared).tiles as Stored[])[1] ?? {}, { h: 9 });
    expect(await warned(declared, { ...board, tiles: [tile] })).to.deep.equal([
      overwrites(`dashboard ${declared.id}: somebody else changed tiles["Rows"].h`),
    ]);
  });

  it("names what was changed of a property that the program declares no more", async () => {
    const declared = await created("Alert", { ...alert, message: "many" });
    Object.assign(stored(declared), { message: "by hand" });
    expect(await warned(declared, alert)).to.deep.equal([
      overwrites(`alert ${declared.id}: somebody else changed message`),
    ]);
  });

  it("says nothing where the program declares the same change of a tile, and another one of its neighbour", async () => {
    const declared = await created("Dashboard", board);
    Object.assign((stored(declared).tiles as Stored[])[0] ?? {}, { w: 3 });
    const tiles = [
      { ...tile, w: 3 },
      { ...rows, h: 9 },
    ];
    expect(await warned(declared, { ...board, tiles })).to.deep.equal([]);
  });

  it("names the tiles where somebody added one, which it deletes", async () => {
    const declared = await created("Dashboard", board);
    (stored(declared).tiles as Stored[]).push({ ...tile, id: "byHand", name: "By hand" });
    expect(await warned(declared, { ...board, name: "Other" })).to.deep.equal([
      overwrites(`dashboard ${declared.id}: somebody else changed tiles`),
    ]);
  });

  it("says that the service may hide tiles, where it shows fewer than before", async () => {
    const declared = await created("Dashboard", board);
    (stored(declared).tiles as Stored[]).pop();
    expect(await warned(declared, { ...board, name: "Other" })).to.deep.equal([
      `dashboard ${declared.id}: the service shows 1 of 2 tiles; if it hides the others, as it does tiles with PromQL, the update replaces them`,
      overwrites(`dashboard ${declared.id}: somebody else changed tiles`),
    ]);
  });

  it("says nothing of a value that the service did not take from the last update", async () => {
    const declared = await created("Alert", alert);
    service.current.courses = ["ignores"];
    const ignored = Object.assign(new Declared("Alert", { ...declared.program, threshold: 9 }), {
      ...declared,
      program: { ...declared.program, threshold: 9 },
    });
    await withoutWaiting(ignored.up(sessionFor().session));
    expect(stored(ignored)).to.include({ threshold: 5 });
    expect(
      await warned(ignored, { ...alert, threshold: 9, name: "Other" }, { onConflict: "fail" }),
    ).to.deep.equal([]);
    expect(stored(ignored)).to.include({ threshold: 9, name: "Other" });
  });

  /** A service that has one object of a kind, and shows and replaces its members. */
  async function alone(type: "QueryEndpoint" | "ServiceScaling", object: Stored, program: Data) {
    service.current.call = (_name, _parameters, body) => structuredClone(Object.assign(object, body));
    const declared = new Declared(type, { ...place, ...program });
    await withoutWaiting(declared.up(sessionFor().session));
    return declared;
  }

  it("names what of a scaling it overwrites, and not what it leaves alone", async () => {
    const scaling: Stored = {
      id: place.serviceId,
      numReplicas: 2,
      idleScaling: false,
      idleTimeoutMinutes: 5,
    };
    const program = { numReplicas: 3, idleTimeoutMinutes: 10 };
    const declared = await alone("ServiceScaling", scaling, program);
    Object.assign(scaling, { numReplicas: 5, idleScaling: true });
    const next = { ...program, idleTimeoutMinutes: 15 };
    const message = `scaling of service ${place.serviceId}: somebody else changed numReplicas since the last deployment or refresh`;
    const stopping = warned(declared, next, { onConflict: "fail" });
    expect(await stopping.catch(({ message: text }: Error) => text)).to.include(
      `${message}, and nothing was written`,
    );
    expect(scaling).to.include({ numReplicas: 5, idleTimeoutMinutes: 10 });
    // What the program no longer declares stays as it is.
    expect(await warned(declared, { idleTimeoutMinutes: 15 })).to.deep.equal([]);
    expect(scaling).to.include({ numReplicas: 5, idleTimeoutMinutes: 15 });
    Object.assign(declared, { state: { ...declared.state, ...program } });
    expect(await warned(declared, next)).to.deep.equal([`${message}; the update overwrites it`]);
    expect(scaling).to.include({ numReplicas: 3, idleScaling: true, idleTimeoutMinutes: 15 });
  });

  it("names what of a scaling the destroy overwrites that puts back what was there before", async () => {
    const scaling: Stored = { id: place.serviceId, numReplicas: 2, idleScaling: false };
    const declared = await alone("ServiceScaling", scaling, { numReplicas: 3, onDestroy: "restore" });
    Object.assign(scaling, { numReplicas: 8 });
    const stopping = withoutWaiting(declared.delete(sessionFor({ onConflict: "fail" }).session));
    const message = `scaling of service ${place.serviceId}: somebody else changed numReplicas since the last deployment or refresh`;
    expect((await failureOf(stopping)).message).to.include(`${message}, and nothing was written`);
    expect(scaling).to.include({ numReplicas: 8 });
    const { session, warnings } = sessionFor();
    await withoutWaiting(declared.delete(session));
    expect(warnings).to.deep.equal([`${message}; the update overwrites it`]);
    expect(scaling).to.include({ numReplicas: 2 });
  });

  it("names what of a query endpoint it overwrites", async () => {
    const endpoint: Stored = { id: "e1" };
    const program = { roles: ["sql_console_admin"], openApiKeys: ["k"], allowedOrigins: ["a"] };
    const declared = await alone("QueryEndpoint", endpoint, program);
    Object.assign(endpoint, { openApiKeys: ["k", "byHand"] });
    expect(await warned(declared, { ...program, allowedOrigins: ["b"] })).to.deep.equal([
      overwrites(`query endpoint of service ${place.serviceId}: somebody else changed openApiKeys`),
    ]);
  });

  it("looks with one list for a thousand updates", async () => {
    const all = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => created("Alert", { ...alert, name: `Slow ${index}` })),
    );
    service.current.lines.length = 0;
    const { session, warnings } = sessionFor();
    const updates = all.map(({ id, state, inputs, program }) => {
      const next = new Declared("Alert", { ...program, threshold: 9 });
      Object.assign(next, { id, state, inputs });
      return next.up(session);
    });
    await withoutWaiting(Promise.all(updates));
    expect(service.current.lines.filter((line) => line !== "updateAlert")).to.deep.equal(["listAlerts"]);
    expect(service.current.lines).to.have.length(1001);
    expect(warnings).to.deep.equal([]);
  });

  it("looks again before a second update of the same object in one run", async () => {
    const declared = await created("Alert", alert);
    const { session, warnings } = sessionFor();
    for (const threshold of [6, 7]) {
      const next = new Declared("Alert", { ...place, ...alert, threshold });
      Object.assign(next, { id: declared.id, state: declared.state, inputs: declared.inputs });
      await withoutWaiting(next.up(session));
      Object.assign(declared, { state: next.state, inputs: next.inputs });
    }
    expect(warnings).to.deep.equal([]);
  });
});
