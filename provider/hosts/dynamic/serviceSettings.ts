import {
  type serviceSettingsInputs,
  type serviceSettingsOutputs,
  serviceSettingsResource,
} from "../../resources/serviceSettings/serviceSettings";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of {@link ServiceSettings}. */
export interface ServiceSettingsArgs extends InputsOf<typeof serviceSettingsInputs> {}

export interface ServiceSettings
  extends OutputsOf<typeof serviceSettingsInputs, typeof serviceSettingsOutputs> {}

/**
 * Settings of the database of a service of ClickHouse Cloud. One resource has all that a program declares of a service, so the
 * `id` is the service's; settings that it does not name stay as they are. {@link getServiceSettingsSchema} lists all settings
 * of the database. Needs `dialect: clickhouse`.
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place; some settings restart
 * the replicas of the service. The service's own warnings of a setting are shown. A setting that leaves the program gets the
 * value back that it had before, or is unset, unless `onDestroy` is `keep`.
 * @example
 * ```typescript
 * new pipestack.ServiceSettings("lake", { settings: { max_concurrent_queries: 500, session_timezone: "UTC" } });
 * ```
 */
export class ServiceSettings extends managedResource<ServiceSettingsArgs>(serviceSettingsResource) {}
