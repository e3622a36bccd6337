import { expect } from "chai";
import { updateAsFarAsPossible } from "../../../provider/lifecycle/resource";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { reset } from "../api/server";
import { dashboard, place, tile, useService } from "./scriptedService";

const night = { name: "Nights", weekdays: [1], startHourUtc: 20, endHourUtc: 6 };
const sale = { ...night, name: "Sale", weekdays: [5] };

describe("Members of entries that an update with a lost answer has added", () => {
  const service = useService();

  /** Creates an object, updates it with a lost answer, and updates it by its first program. Returns the last request's body. */
  async function back(type: TypeName, from: PropertyMap, to: PropertyMap, byHand = (_id: string) => {}) {
    const resource = resources[type];
    const { id, state } = await resource.create({ ...place, ...from }, service.open().session);
    const operation = resource.operations.update as string;
    service.gateway = async (name, carryOut) => {
      const answer = await carryOut();
      return name === operation ? reset : answer;
    };
    const { session } = service.open({ maxRetries: 0 });
    const failed = await updateAsFarAsPossible(resource, id, state, { ...place, ...to }, session);
    expect(failed.failure).to.be.instanceOf(Error);
    service.gateway = undefined;
    byHand(id);
    await resource.update(id, failed.state, { ...place, ...from }, service.open().session);
    return service.bodiesOf(operation).at(-1) as Record<"entries" | "tiles", PropertyMap[]>;
  }

  for (const [what, to] of [
    ["beside nothing else", [{ ...night, numReplicas: 3 }]],
    ["beside another entry", [sale, { ...night, numReplicas: 3 }]],
  ] as const)
    it(`go with the next update if the program goes back (${what})`, async () => {
      const { entries } = await back("ServiceScalingSchedule", { entries: [night] }, { entries: to });
      expect(entries).to.have.length(1);
      expect(entries[0]).not.to.have.property("numReplicas");
    });

  it("go from the tiles of a dashboard", async () => {
    const to = { tiles: [{ ...tile, asRatio: true, series: [...tile.series, { type: "number" }] }] };
    const { tiles } = await back("Dashboard", dashboard, { ...dashboard, ...to });
    expect(tiles[0]).not.to.have.property("asRatio");
  });

  it("stay where somebody else has set them anew", async () => {
    const program = { entries: [night] };
    const { entries } = await back(
      "ServiceScalingSchedule",
      program,
      { entries: [{ ...night, numReplicas: 3 }] },
      () => {
        for (const schedule of service.model.store.scalingSchedules.values())
          for (const entry of schedule.entries) Object.assign(entry, { minReplicas: 7, maxReplicas: 7 });
      },
    );
    expect(entries[0]).to.include({ numReplicas: 7 });
  });
});
