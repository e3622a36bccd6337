import { type Example, organizationId, serviceId } from "./example";

const small = { replicaCpuMillicores: 1000 };

export const pipeCdcScalingExample: Example = {
  valid: { organizationId, serviceId, ...small, replicaMemoryGb: 4, onDestroy: "keep" },
  wholes: {
    "of four cores": { replicaCpuMillicores: 4000, replicaMemoryGb: 16 },
    "of three cores, with the memory that goes with them": { replicaCpuMillicores: 3000 },
  },
  alternatives: { replicaCpuMillicores: [1000] },
  bodyOf: (program) => ({ ...program, replicaMemoryGb: Number(program.replicaCpuMillicores) / 250 }),
  programs: () => [small, { replicaCpuMillicores: 3000 }],
  lasting: ({ former: _, ...record }) => record,
  find: ({ store }, id) => store.pipeCdcScaling.get(id),
};
