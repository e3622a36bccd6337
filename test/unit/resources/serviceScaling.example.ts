import { type Example, organizationId, serviceId } from "./example";

export const serviceScalingExample: Example = {
  valid: {
    organizationId,
    serviceId,
    numReplicas: 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
    minTotalMemoryGb: 24,
    maxTotalMemoryGb: 48,
    onDestroy: "keep",
  },
  wholes: {
    "of a number of replicas": { numReplicas: 3, idleScaling: true, idleTimeoutMinutes: 15 },
    "of a total memory": { minTotalMemoryGb: 24, maxTotalMemoryGb: 48 },
    "of a memory per replica": { numReplicas: 4, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 120 },
    "of a varying number of replicas": {
      autoscalingMode: "horizontal",
      ...{ minReplicas: 2, maxReplicas: 5, minReplicaMemoryGb: 32, maxReplicaMemoryGb: 32 },
    },
  },
  needs: { "of a varying number of replicas": { dialect: "clickhouse" } },
  createdBy: (program, dialect) => [
    dialect === "neutral" || "minTotalMemoryGb" in program ? "updateScaling" : "updateReplicaScaling",
  ],
  programs: ({ settings }) => {
    if (settings.dialect === "clickhouse") {
      const memory = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 32, onDestroy: "restore" };
      return [memory, { ...memory, maxReplicaMemoryGb: 64 }];
    }
    const scaling = { idleScaling: false, idleTimeoutMinutes: 15, onDestroy: "restore" };
    return [
      { ...scaling, numReplicas: 4 },
      { ...scaling, numReplicas: 6 },
    ];
  },
  find: ({ store }, id) => store.services.get(id),
  asDeclared: (service) => ({ ...service, onDestroy: "restore" }),
};
