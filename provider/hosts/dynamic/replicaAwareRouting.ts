import {
  type replicaAwareRoutingInputs,
  type replicaAwareRoutingOutputs,
  replicaAwareRoutingResource,
} from "../../resources/replicaAwareRouting/replicaAwareRouting";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link ReplicaAwareRouting}. */
export interface ReplicaAwareRoutingArgs extends InputsOf<typeof replicaAwareRoutingInputs> {}

export interface ReplicaAwareRouting
  extends OutputsOf<typeof replicaAwareRoutingInputs, typeof replicaAwareRoutingOutputs> {}

/**
 * Whether clients of a service of ClickHouse Cloud may choose the replica that answers, by the host name. A public beta of the product. A
 * service has one such setting, so the `id` is the service's, and declaring it takes over the present one. Needs
 * `dialect: clickhouse`.
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place. Destroying it leaves the
 * routing as it is, with a warning, unless `onDestroy` is `restore`.
 * @example
 * ```typescript
 * new pipestack.ReplicaAwareRouting("sticky", { httpEnabled: true });
 * ```
 */
export class ReplicaAwareRouting extends managedResource<ReplicaAwareRoutingArgs>(
  replicaAwareRoutingResource,
) {}
