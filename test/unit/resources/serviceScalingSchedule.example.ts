import type { PropertyMap } from "../../../provider/values/data";
import { type Example, organizationId, serviceId } from "./example";

const nights = { name: "Nights", weekdays: [1, 2, 3, 4, 5], startHourUtc: 19, endHourUtc: 7 };
const weekend = { name: "Weekend", weekdays: [6, 0], startHourUtc: 0, endHourUtc: 24, numReplicas: 1 };

export const serviceScalingScheduleExample: Example = {
  valid: { organizationId, serviceId, entries: [{ ...nights, numReplicas: 2 }, weekend] },
  wholes: {
    "of numbers of replicas": { entries: [{ ...nights, numReplicas: 2 }, weekend] },
    "of a memory": {
      entries: [
        {
          ...nights,
          ...{ autoscalingMode: "vertical", minReplicaMemoryGb: 16, maxReplicaMemoryGb: 64 },
          ...{ idleScaling: true, idleTimeoutMinutes: 10 },
        },
      ],
    },
    "of a varying number of replicas": {
      entries: [
        {
          ...{ ...nights, autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 5 },
          ...{ minReplicaMemoryGb: 32, maxReplicaMemoryGb: 32 },
        },
      ],
    },
  },
  equivalents: {
    "of numbers of replicas": {
      entries: [
        { ...nights, weekdays: [5, 4, 3, 2, 1], numReplicas: 2 },
        { ...weekend, weekdays: [0, 6] },
      ],
    },
  },
  // An entry of a schedule with another name counts as another entry, so drift would name the whole entry and not only its
  // name. So the general tests do not change names of entries.
  alternatives: { name: [] },
  programs: () => [{ entries: [weekend] }, { entries: [{ ...weekend, numReplicas: 3 }] }],
  find: ({ store }, id) => [...store.scalingSchedules.values()].find((record) => record.serviceId === id),
  asDeclared: ({ entries, ...record }) => ({
    ...record,
    entries: (entries as PropertyMap[]).map(({ minReplicas, maxReplicas, autoscalingMode, ...entry }) => ({
      ...entry,
      ...(autoscalingMode === "vertical" ? {} : { autoscalingMode, minReplicas, maxReplicas }),
      ...(autoscalingMode === "vertical" && minReplicas !== undefined ? { numReplicas: minReplicas } : {}),
    })),
  }),
  furnish({ sandbox: { store, credentials } }) {
    const { secondServiceId: id } = credentials;
    const entry = { ...nights, autoscalingMode: "vertical" as const, minReplicas: 2, maxReplicas: 2 };
    store.scalingSchedules.set("other", {
      id: "other",
      serviceId: id,
      entries: [entry],
      updatedAt: "2026-01-01T00:00:00Z",
    });
  },
};
