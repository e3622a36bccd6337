import {
  type pipeCdcScalingInputs,
  type pipeCdcScalingOutputs,
  pipeCdcScalingResource,
} from "../../resources/pipeCdcScaling/pipeCdcScaling";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link PipeCdcScaling}. */
export interface PipeCdcScalingArgs extends InputsOf<typeof pipeCdcScalingInputs> {}

export interface PipeCdcScaling
  extends OutputsOf<typeof pipeCdcScalingInputs, typeof pipeCdcScalingOutputs> {}

/**
 * The CPU and the memory that all pipes from databases of a service share. A service has this scaling once it has its first
 * such pipe, so let the resource depend on that `Pipe`. There is one for a service: the `id` is the service's, and declaring it
 * takes over the present one. Needs `dialect: clickhouse`, and a service that runs.
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place, and waited for: it
 * takes 2 to 5 minutes. Destroying it leaves the scaling as it is, with a warning, unless `onDestroy` is `restore`.
 * @example
 * ```typescript
 * declare const customers: pipestack.Pipe;
 *
 * new pipestack.PipeCdcScaling("cdc", { replicaCpuMillicores: 4000 }, { dependsOn: customers });
 * ```
 */
export class PipeCdcScaling extends managedResource<PipeCdcScalingArgs>(pipeCdcScalingResource) {}
