import {
  type backupConfigurationInputs,
  type backupConfigurationOutputs,
  backupConfigurationResource,
} from "../../resources/backupConfiguration/backupConfiguration";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link BackupConfiguration}. */
export interface BackupConfigurationArgs extends InputsOf<typeof backupConfigurationInputs> {}

export interface BackupConfiguration
  extends OutputsOf<typeof backupConfigurationInputs, typeof backupConfigurationOutputs> {}

/**
 * How often a service of ClickHouse Cloud is backed up, when, and for how long backups are kept. A service has one configuration, so
 * the `id` is the service's, and declaring it takes over the present one; only the primary service of a warehouse has its own. Needs
 * `dialect: clickhouse`.
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place. Destroying it leaves the
 * configuration as it is, with a warning, unless `onDestroy` is `restore`.
 * @example
 * ```typescript
 * new pipestack.BackupConfiguration("nightly", {
 *   backupStartTime: "03:00",
 *   backupRetentionPeriodInHours: 7 * 24,
 * });
 * ```
 */
export class BackupConfiguration extends managedResource<BackupConfigurationArgs>(
  backupConfigurationResource,
) {}
