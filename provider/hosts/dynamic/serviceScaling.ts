import type { serviceScalingOutputs } from "../../resources/scaling/serviceMembers";
import {
  type serviceScalingInputs,
  serviceScalingResource,
} from "../../resources/serviceScaling/serviceScaling";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link ServiceScaling}. */
export interface ServiceScalingArgs extends InputsOf<typeof serviceScalingInputs> {}

export interface ServiceScaling
  extends OutputsOf<typeof serviceScalingInputs, typeof serviceScalingOutputs> {}

/**
 * The auto-scaling of a service: replicas and scaling to zero when idle. Only declared properties are changed and compared;
 * everything else is an output. The `id` is the service's.
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place. A property
 * that the program no longer declares keeps its value in the service. Destroying the resource leaves the service as it
 * is, with a warning, unless `onDestroy` is `restore`. A schedule of the service may scale it otherwise for a time:
 * `currentScaling` then differs from the declared values, which is no drift.
 * @example
 * ```typescript
 * const scaling = new pipestack.ServiceScaling("scaling", {
 *   numReplicas: 3,
 *   idleScaling: true,
 *   idleTimeoutMinutes: 15,
 * });
 * export const endpoints = scaling.endpoints;
 * ```
 * @see "Scaling update body" in the API document
 */
export class ServiceScaling extends managedResource<ServiceScalingArgs>(serviceScalingResource) {}
