import { expect } from "chai";
import { decode } from "../../../provider/lifecycle/decode";
import { resources } from "../../../provider/resources/registry";
import { setups, useLife } from "./life";
import { clickhouse, itKeeps, type Rule } from "./rules";

describe("The check of a scaling schedule", () => {
  const entry = { name: "Nights", weekdays: [1], startHourUtc: 19, endHourUtc: 7 };
  const rows: [object, string][] = [
    [{ endHourUtc: 19 }, "endHourUtc must differ from startHourUtc"],
    [{ minReplicaMemoryGb: 16 }, "maxReplicaMemoryGb is required if minReplicaMemoryGb is declared"],
    [
      { minReplicaMemoryGb: 18, maxReplicaMemoryGb: 20 },
      "minReplicaMemoryGb must be a multiple of 4 from 8 to 356",
    ],
    [
      { minReplicaMemoryGb: 64, maxReplicaMemoryGb: 16 },
      "minReplicaMemoryGb must be at most maxReplicaMemoryGb",
    ],
    [{ maxReplicas: 2 }, "minReplicas is required if maxReplicas is declared"],
    [
      { minReplicas: 2, maxReplicas: 3 },
      "maxReplicas must equal minReplicas for vertical scaling; declare numReplicas",
    ],
    [
      { numReplicas: 2, minReplicas: 2, maxReplicas: 2 },
      "numReplicas conflicts with minReplicas and maxReplicas; declare either numReplicas or these two",
    ],
    [
      { autoscalingMode: "horizontal", minReplicas: 1, maxReplicas: 3 },
      "minReplicaMemoryGb is required for horizontal scaling, with an equal maxReplicaMemoryGb",
    ],
    [
      { autoscalingMode: "horizontal", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16 },
      "maxReplicaMemoryGb must equal minReplicaMemoryGb for horizontal scaling",
    ],
    [
      { autoscalingMode: "horizontal", numReplicas: 2, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 8 },
      "numReplicas is for vertical scaling; declare minReplicas and maxReplicas",
    ],
  ];
  itKeeps({ type: "ServiceScalingSchedule", settings: clickhouse }, [
    ...rows.map(
      ([members, rule]): Rule => [{ entries: [{ ...entry, ...members }] }, `entries["Nights"].${rule}`],
    ),
  ]);
});

describe("The scaling schedule of a service", () => {
  const life = useLife(setups["the product's management API alone"]);
  const entries = [
    { name: "Always", weekdays: [0, 1, 2, 3, 4, 5, 6], startHourUtc: 0, endHourUtc: 24, numReplicas: 4 },
  ];

  it("a ServiceScaling shows no drift while an entry of the service's schedule applies", async () => {
    const scaling = await life.applied("ServiceScaling", { numReplicas: 3 });
    const schedule = await life.applied("ServiceScalingSchedule", { entries });
    await schedule.refresh(life.opened().session);
    expect(schedule.state).to.have.property("activeEntryId");
    await scaling.refresh(life.opened().session);
    expect(scaling.inputs).to.include({ numReplicas: 3 });
  });

  it("an update takes a range of replicas with equal ends out of an entry that no longer declares it", async () => {
    const entry = { name: "Day", weekdays: [1], startHourUtc: 8, endHourUtc: 18 };
    const range = { minReplicas: 4, maxReplicas: 4 };
    const stored = () => [...life.sandbox.store.scalingSchedules.values()][0]?.entries[0];
    const ranged = await life.applied("ServiceScalingSchedule", { entries: [{ ...entry, ...range }] });
    const { declared: counted } = await life.changed(ranged, { entries: [{ ...entry, numReplicas: 4 }] });
    expect(stored()).to.include(range);
    const { declared: again } = await life.changed(counted, { entries: [{ ...entry, ...range }] });
    const { declared: dropped } = await life.changed(again, { entries: [entry] });
    expect(stored()).to.include({ name: "Day" }).and.not.have.any.keys("minReplicas", "maxReplicas");
    expect(await dropped.refresh(life.opened().session)).to.deep.equal([]);
  });

  it("an update takes a range of replicas that it removes for nothing of somebody else", async () => {
    const entry = { name: "Day", weekdays: [1], startHourUtc: 8, endHourUtc: 18 };
    const ranged = { entries: [{ ...entry, minReplicas: 4, maxReplicas: 4 }] };
    const { resource, id, state, inputs } = await life.applied("ServiceScalingSchedule", ranged);
    const { session, warnings } = life.opened();
    const dropped = await resource.check(inputs, { entries: [entry] }, session);
    await resource.update(id, state, dropped.inputs, session);
    expect(warnings).to.deep.equal([]);
  });

  it("a scaling schedule distinguishes entries of the same name by their order", () => {
    const first = { ...entries[0], endHourUtc: 8 };
    const { numReplicas: _, ...second } = { ...first, startHourUtc: 19, endHourUtc: 24, idleScaling: true };
    const live = [{ ...first, minReplicas: 4, maxReplicas: 4, autoscalingMode: "vertical" }, second];
    const { inputs } = decode(
      resources.ServiceScalingSchedule,
      { entries: live },
      { entries: [first, second] },
    );
    expect(inputs.entries).to.deep.equal([first, second]);
  });
});
