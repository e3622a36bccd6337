import {
  type organizationSettingsInputs,
  type organizationSettingsOutputs,
  organizationSettingsResource,
} from "../../resources/organizationSettings/organizationSettings";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of {@link OrganizationSettings}. */
export interface OrganizationSettingsArgs extends InputsOf<typeof organizationSettingsInputs> {}

export interface OrganizationSettings
  extends OutputsOf<typeof organizationSettingsInputs, typeof organizationSettingsOutputs> {}

/**
 * The name of an organization of ClickHouse Cloud, and whether core dumps of its services are collected. Only declared properties are
 * changed and compared. An organization has its settings once, so the `id` is the organization's, and declaring them takes over the
 * present ones. Needs `dialect: clickhouse`, and a key with the permission `control-plane:organization:manage`.
 *
 * A change of `organizationId` replaces the resource, everything else is updated in place. A property that the program no longer
 * declares keeps its value. Destroying the resource leaves the settings as they are, with a warning, unless `onDestroy` is `restore`.
 * @example
 * ```typescript
 * new pipestack.OrganizationSettings("organization", { name: "Acme", enableCoreDumps: false });
 * ```
 */
export class OrganizationSettings extends managedResource<OrganizationSettingsArgs>(
  organizationSettingsResource,
) {}
