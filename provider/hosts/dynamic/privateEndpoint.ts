import {
  type privateEndpointInputs,
  type privateEndpointOutputs,
  privateEndpointResource,
} from "../../resources/privateEndpoint/privateEndpoint";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link PrivateEndpoint}. */
export interface PrivateEndpointArgs extends InputsOf<typeof privateEndpointInputs> {}

export interface PrivateEndpoint
  extends OutputsOf<typeof privateEndpointInputs, typeof privateEndpointOutputs> {}

/**
 * An endpoint of your own network that a service of ClickHouse Cloud lets in. One resource is one endpoint of one service:
 * endpoints that other people have attached stay. The `id` is that of the service, a colon, and the id of the endpoint. Create
 * the endpoint in your cloud first, with the `endpointServiceId` of {@link getPrivateEndpointConfig}. Needs `dialect:
 * clickhouse`.
 *
 * A change of `organizationId`, `serviceId` or `endpointId` replaces the resource, everything else is updated in place.
 * Destroying it detaches the endpoint from the service; it stays registered with the organization unless `unregister` is true.
 * @example
 * ```typescript
 * new pipestack.PrivateEndpoint("office", { endpointId: "vpce-0123456789abcdef0", description: "office" });
 * ```
 */
export class PrivateEndpoint extends managedResource<PrivateEndpointArgs>(privateEndpointResource) {}
