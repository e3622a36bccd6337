import { type Example, organizationId, serviceId } from "./example";

const both = { httpEnabled: true, nativeEnabled: true };

export const replicaAwareRoutingExample: Example = {
  valid: { organizationId, serviceId, ...both, onDestroy: "keep" },
  wholes: { "of both protocols": both },
  programs: () => [both, { ...both, nativeEnabled: false }],
  find: ({ store }, id) => store.services.get(id)?.replicaAwareRouting,
};
