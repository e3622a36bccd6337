import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import type { TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { Declared } from "../drift/fixture";
import { alert, dashboard, pause, place, tile, useService } from "./scriptedService";

type Stored = Record<string, unknown>;

const rows = { ...tile, name: "Rows", x: 6 };
const board = { ...dashboard, tiles: [tile, rows] };

describe("Updates of an object that somebody else has changed", () => {
  const service = useService();
  const { open, stored } = service;

  async function created(type: TypeName, program: PropertyMap): Promise<Declared> {
    const declared = new Declared(type, program);
    await declared.up(open().session);
    return declared;
  }

  async function warned(declared: Declared, program: PropertyMap, settings: Partial<Settings> = {}) {
    const { session, warnings } = open(settings);
    await declared.changedTo(program).up(session);
    return warnings;
  }

  const changed = (what: string) => `${what} since the last deployment or refresh`;
  const overwrites = (what: string) => `${changed(what)}; the update overwrites this change`;

  it("an update warns of somebody else's changes that it overwrites, with their paths and plain values", async () => {
    const declared = await created("Alert", alert);
    Object.assign(stored(declared.id), { message: "by hand, earlier" });
    await declared.refresh(open().session);
    Object.assign(stored(declared.id), { message: "by hand", threshold: 7, thresholdType: "below" });
    expect(await warned(declared, { ...alert, message: "declared" })).to.deep.equal([
      overwrites(
        `alert ${declared.id}: somebody else changed message, threshold (now 7), thresholdType (now "below")`,
      ),
    ]);
  });

  it("an update with onConflict fail fails before it writes, until a refresh has shown somebody's change", async () => {
    const declared = await created("Alert", alert);
    Object.assign(stored(declared.id), { threshold: 7 });
    const renamed = () => warned(declared, { ...alert, name: "Other" }, { onConflict: "fail" });
    expect((await failureOf(renamed())).message).to.equal(
      `${changed(`alert ${declared.id}: somebody else changed threshold (now 7)`)}, and nothing was written, since onConflict is "fail"; "pulumi refresh" takes the change into the state, and then the update overwrites it`,
    );
    expect(stored(declared.id)).to.include({ threshold: 7, name: "Slow" });
    await declared.refresh(open().session);
    expect(await renamed()).to.deep.equal([]);
    expect(stored(declared.id)).to.include({ threshold: 5, name: "Other" });
  });

  const boards: [string, (tiles: Stored[]) => void, PropertyMap, string[]][] = [
    [
      "names the tiles where somebody added one, which it deletes",
      (tiles) => void tiles.push({ ...tile, id: "65f1c0a2b3d4e5f6071829aa", name: "By hand" }),
      { name: "Other" },
      ["tiles"],
    ],
    [
      "says that the service may hide tiles, where it shows fewer than before",
      (tiles) => void tiles.pop(),
      { name: "Other" },
      ["hidden", "tiles"],
    ],
  ];
  for (const [title, byHand, later, paths] of boards)
    it(`an update of a dashboard warns of somebody else's changes of tiles that it overwrites: it ${title}`, async () => {
      const declared = await created("Dashboard", board);
      byHand(stored(declared.id, "Dashboard").tiles as Stored[]);
      const object = `dashboard ${declared.id}`;
      const hidden = `${object}: the service shows 1 of its 2 tiles. The others were deleted, or the service hides them, as it hides tiles with PromQL before version 2.42; the update replaces hidden tiles`;
      expect(await warned(declared, { ...board, ...later })).to.deep.equal(
        paths.map((path) =>
          path === "hidden" ? hidden : overwrites(`${object}: somebody else changed ${path}`),
        ),
      );
    });

  const scaling = () => service.model.store.services.get(place.serviceId) as unknown as Stored;
  const scaled = `scaling of service ${place.serviceId}: somebody else changed numReplicas (now 8)`;

  it("a destroy names the values of a ServiceScaling that it overwrites to restore earlier values", async () => {
    const before = scaling().numReplicas;
    const declared = await created("ServiceScaling", { numReplicas: 4, onDestroy: "restore" });
    Object.assign(scaling(), { numReplicas: 8 });
    const stopping = failureOf(declared.delete(open({ onConflict: "fail" }).session));
    expect((await stopping).message).to.include(`${changed(scaled)}, and nothing was written`);
    expect(scaling()).to.include({ numReplicas: 8 });
    const { session, warnings } = open();
    await declared.delete(session);
    expect(warnings).to.deep.equal([overwrites(scaled)]);
    expect(scaling()).to.include({ numReplicas: before });
  });

  it("a second update of an object in one run reads the object again", async () => {
    const declared = await created("Alert", alert);
    const { session, warnings } = open();
    const second = declared.changedTo({ ...alert, threshold: 6 });
    await second.up(session);
    await second.changedTo({ ...alert, threshold: 7 }).up(session);
    expect(warnings).to.deep.equal([]);
  });
});

describe("Writes that the service ignores", () => {
  const service = useService();
  const { open } = service;

  async function applied(declared: Declared): Promise<readonly string[]> {
    const { session, warnings } = open();
    await declared.up(session);
    return warnings;
  }
  async function created(type: TypeName, program: PropertyMap): Promise<Declared> {
    const declared = new Declared(type, program);
    // Every service already has a scaling, so the create of a ServiceScaling warns that it takes over an existing one. The test
    // ignores this warning.
    const warnings = (await applied(declared)).filter((text) => !text.startsWith("scaling of"));
    expect(warnings).to.deep.equal([]);
    return declared;
  }

  it("thirty ignored writes share seven list requests when they are verified", async () => {
    const firsts = await Promise.all(
      Array.from({ length: 30 }, (_, index) => created("Alert", { ...alert, name: `Slow ${index}` })),
    );
    await service.fault({ kind: "ignored", operation: "updateAlert" });
    service.gateway = (_operation, carryOut) => pause(1).then(carryOut);
    service.requests = [];
    const { session } = open({ requestsPerSecond: 1000 });
    await Promise.all(firsts.map((first) => first.changedTo({ ...first.program, threshold: 9 }).up(session)));
    // All thirty writes share one list request before them. To verify the writes the provider sends two list requests after
    // each of three waits: one for the first write, and one that all other writes share.
    expect(service.requests.filter((name) => name === "listAlerts")).to.have.length(1 + 2 * 3);
    expect(service.requests).to.have.length(30 + 7);
  });

  describe("ignored writes of a ServiceScaling", () => {
    const scaling = () => service.model.store.services.get(place.serviceId);
    const program = { numReplicas: 3, onDestroy: "restore" };
    beforeEach(() => {
      Object.assign(scaling() ?? {}, { numReplicas: 2 });
    });

    it("the destroy of a ServiceScaling fails and keeps the state if the service ignores the restored values", async () => {
      const declared = await created("ServiceScaling", program);
      await service.fault({ kind: "ignored", operation: "updateScaling", nth: 1 });
      expect((await failureOf(declared.delete(open().session))).message).to.include(
        'the service does not show its previous values, {"numReplicas":2}; destroy again to retry',
      );
      await declared.delete(open().session);
      expect(scaling()).to.include({ numReplicas: 2 });
    });
  });
});
