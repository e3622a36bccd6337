import { type Example, organizationId, serviceId } from "./example";

const endpointId = "vpce-0123456789abcdef0";

export const privateEndpointExample: Example = {
  valid: { organizationId, serviceId, endpointId, description: "warehouse", unregister: true },
  wholes: { "with a description": { endpointId, description: "warehouse" } },
  bodyOf: ({ endpointId: id, ...program }) => ({ id, ...program }),
  shownAt: (path) => (path === "description" ? undefined : path),
  programs: () => [
    { endpointId, description: "warehouse" },
    { endpointId, description: "lake" },
  ],
  find: ({ store }, id) => {
    const [service = "", endpoint] = id.split(":");
    const isAttached = store.services.get(service)?.privateEndpointIds.includes(endpoint ?? "");
    const { privateEndpoints = [] } = store.organization as { privateEndpoints?: readonly { id: string }[] };
    return isAttached ? privateEndpoints.find((each) => each.id === endpoint) : undefined;
  },
};
