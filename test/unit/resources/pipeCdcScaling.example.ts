import { type Example, organizationId, serviceId } from "./example";

const small = { replicaCpuMillicores: 1000 };

export const pipeCdcScalingExample: Example = {
  valid: { organizationId, serviceId, ...small, replicaMemoryGb: 4, onDestroy: "keep" },
  wholes: { "of four cores": { replicaCpuMillicores: 4000, replicaMemoryGb: 16 } },
  alternatives: { replicaCpuMillicores: [2000] },
  programs: () => [small, { replicaCpuMillicores: 3000 }],
  lasting: ({ former: _, ...record }) => record,
  find: ({ store }, id) => store.pipeCdcScaling.get(id),
};
