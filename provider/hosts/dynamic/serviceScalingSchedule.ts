import {
  type serviceScalingScheduleInputs,
  type serviceScalingScheduleOutputs,
  serviceScalingScheduleResource,
} from "../../resources/serviceScalingSchedule/serviceScalingSchedule";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link ServiceScalingSchedule}. */
export interface ServiceScalingScheduleArgs extends InputsOf<typeof serviceScalingScheduleInputs> {}

export interface ServiceScalingSchedule
  extends OutputsOf<typeof serviceScalingScheduleInputs, typeof serviceScalingScheduleOutputs> {}

/**
 * The scaling schedule of a service in ClickHouse Cloud: the times of the week at which its scaling differs from that of a
 * {@link ServiceScaling}, which applies at all other times. A service has one, so the `id` is the service's, and declaring it
 * takes over the present one. Needs the feature "scheduled scaling" of the organization. Destroying it clears the schedule.
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place.
 * @example
 * ```typescript
 * new pipestack.ServiceScalingSchedule("office-hours", {
 *   entries: [
 *     { name: "Office hours", weekdays: [1, 2, 3, 4, 5], startHourUtc: 7, endHourUtc: 19, numReplicas: 4 },
 *     { name: "Weekend", weekdays: [6, 0], startHourUtc: 0, endHourUtc: 24, numReplicas: 1 },
 *   ],
 * });
 * ```
 */
export class ServiceScalingSchedule extends managedResource<ServiceScalingScheduleArgs>(
  serviceScalingScheduleResource,
) {}
