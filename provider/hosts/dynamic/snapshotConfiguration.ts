import {
  type snapshotConfigurationInputs,
  type snapshotConfigurationOutputs,
  snapshotConfigurationResource,
} from "../../resources/snapshotConfiguration/snapshotConfiguration";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link SnapshotConfiguration}. */
export interface SnapshotConfigurationArgs extends InputsOf<typeof snapshotConfigurationInputs> {}

export interface SnapshotConfiguration
  extends OutputsOf<typeof snapshotConfigurationInputs, typeof snapshotConfigurationOutputs> {}

/**
 * Whether a service of ClickHouse Cloud makes snapshots, how often, and for how long they are kept. A beta feature of the product, which
 * answers 403 in an organization without it. A service has one configuration, so the `id` is the service's, and declaring it takes
 * over the present one. Needs `dialect: clickhouse`.
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place. Destroying it leaves the
 * configuration as it is, with a warning, unless `onDestroy` is `restore`.
 * @example
 * ```typescript
 * new pipestack.SnapshotConfiguration("often", { enabled: true, gap: 30, timeFrame: 1440 });
 * ```
 */
export class SnapshotConfiguration extends managedResource<SnapshotConfigurationArgs>(
  snapshotConfigurationResource,
) {}
