import {
  type reversePrivateEndpointInputs,
  type reversePrivateEndpointOutputs,
  reversePrivateEndpointResource,
} from "../../resources/reversePrivateEndpoint/reversePrivateEndpoint";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link ReversePrivateEndpoint}. */
export interface ReversePrivateEndpointArgs extends InputsOf<typeof reversePrivateEndpointInputs> {}

export interface ReversePrivateEndpoint
  extends OutputsOf<typeof reversePrivateEndpointInputs, typeof reversePrivateEndpointOutputs> {}

/**
 * A private connection from the pipes of a service of ClickHouse Cloud to a broker or database of yours. Each `type` takes only
 * those properties whose description names the type. Needs `dialect: clickhouse`.
 *
 * A create waits until the endpoint is provisioned. A create also ends in the state `PendingAcceptance`: the owner of the
 * broker or database then accepts the endpoint of the output `endpointId`, even in the same program. With `awaitReady`, the
 * create waits for that, too. An endpoint that was rejected, failed or expired stays in the Pulumi state, and each update fails
 * until it is replaced. A create fails if an endpoint with the same description and the same target exists.
 *
 * `customPrivateDnsMappings`, `awaitReady` and `waitMinutes` are updated in place; a change of anything else replaces the
 * endpoint, the old one first if both have a private name. Destroying it waits until it is gone.
 * @example
 * ```typescript
 * const orders = new pipestack.ReversePrivateEndpoint("orders", {
 *   description: "orders database",
 *   type: "VPC_ENDPOINT_SERVICE",
 *   vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0a9b8c7d6e5f41320",
 *   customPrivateDnsMappings: [{ privateDnsName: "orders.example.com" }],
 * });
 * export const toAccept = orders.endpointId;
 * ```
 */
export class ReversePrivateEndpoint extends managedResource<ReversePrivateEndpointArgs>(
  reversePrivateEndpointResource,
) {}
