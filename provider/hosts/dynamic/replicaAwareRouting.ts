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
 * Whether a service of ClickHouse Cloud sends related requests to the same replica, so that they find its caches filled. It does so as
 * far as possible, and isolates nobody. A public beta of the product, which answers 400 in an organization without it. A service has
 * one such setting, so the `id` is the service's, and declaring it takes over the present one. Needs `dialect: clickhouse`.
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
