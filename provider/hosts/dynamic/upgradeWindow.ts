import {
  type upgradeWindowInputs,
  type upgradeWindowOutputs,
  upgradeWindowResource,
} from "../../resources/upgradeWindow/upgradeWindow";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of an {@link UpgradeWindow}. */
export interface UpgradeWindowArgs extends InputsOf<typeof upgradeWindowInputs> {}

export interface UpgradeWindow extends OutputsOf<typeof upgradeWindowInputs, typeof upgradeWindowOutputs> {}

/**
 * The six hours of the week in which a service of ClickHouse Cloud is upgraded. A service has one window, so the `id` is the
 * service's, and declaring it takes over the present one; only the primary service of a warehouse has its own. Needs
 * `dialect: clickhouse`, and the feature in the organization.
 *
 * A change of `organizationId` or `serviceId` replaces the resource, everything else is updated in place. Destroying it deletes the
 * window; one that was there before stays, or comes back with `onDestroy: "restore"`.
 * @example
 * ```typescript
 * new pipestack.UpgradeWindow("sunday-night", { weekday: 0, startHourUtc: 0 });
 * ```
 */
export class UpgradeWindow extends managedResource<UpgradeWindowArgs>(upgradeWindowResource) {}
