import type { Records } from "../records";
import { type Call, documentedRoute, type Route } from "../routes";
import { placeOf } from "./productScaling";
import type { Service } from "./serviceRecords";

export interface Around {
  readonly store: Records;
  of(call: Pick<Call, "service">): Service;
  all(): readonly Service[];
  write(service: Service): void;
}

/**
 * Registers a private endpoint of a user's network with the organization, and attaches it to a service. Like ClickHouse Cloud,
 * the sandbox does not check the id, so the endpoint need not exist.
 */
export function privateEndpointsOf({ store, of, all, write }: Around): readonly Route[] {
  return [
    documentedRoute<{ id: string; description?: string }>({
      operation: "createPrivateEndpoint",
      method: "POST",
      path: "/:serviceId/privateEndpoint",
      run(call) {
        const { id, description } = call.body;
        const service = of(call);
        const { provider: cloudProvider, region } = placeOf(service);
        const { privateEndpoints = [] } = store.organization;
        const before = privateEndpoints.find((endpoint) => endpoint.id === id);
        const endpoint = {
          id,
          cloudProvider,
          region,
          ...before,
          ...(description !== undefined && { description }),
        };
        store.organization.privateEndpoints = before
          ? privateEndpoints.map((other) => (other.id === id ? endpoint : other))
          : [...privateEndpoints, endpoint];
        for (const other of all()) {
          const { provider, region: itsRegion } = placeOf(other);
          const isNear = provider === cloudProvider && itsRegion === region;
          if (isNear && !other.availablePrivateEndpointIds.includes(id))
            write({ ...other, availablePrivateEndpointIds: [...other.availablePrivateEndpointIds, id] });
        }
        const attached = of(call);
        if (!attached.privateEndpointIds.includes(id))
          write({ ...attached, privateEndpointIds: [...attached.privateEndpointIds, id] });
        return endpoint;
      },
    }),
    {
      operation: "getPrivateEndpointConfig",
      method: "GET",
      path: "/:serviceId/privateEndpointConfig",
      run: ({ service }) => ({
        endpointServiceId: "com.amazonaws.vpce.eu-central-1.vpce-svc-0f1e2d3c4b5a69788",
        privateDnsHostname: `${service.id.slice(0, 8)}.eu-central-1.vpce.aws.example.com`,
      }),
    },
  ];
}

/** Removes a private endpoint from the organization. As in ClickHouse Cloud, it stays attached to services. */
export function unregistered(id: string, { organization }: Records): void {
  organization.privateEndpoints = organization.privateEndpoints?.filter((endpoint) => endpoint.id !== id);
}
