import {
  type ClickStackPermission,
  type clickStackRoleInputs,
  type clickStackRoleOutputs,
  clickStackRoleResource,
} from "../../resources/clickStackRole/clickStackRole";
import { managedResource } from "./managedResource";
import type { ArgsOf, InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link ClickStackRole}. */
export interface ClickStackRoleArgs extends InputsOf<typeof clickStackRoleInputs> {}

/** What a role of ClickStack allows or denies. */
export interface ClickStackPermissionArgs extends ArgsOf<ClickStackPermission> {}

export interface ClickStackRole
  extends OutputsOf<typeof clickStackRoleInputs, typeof clickStackRoleOutputs> {}

/**
 * A role of ClickStack in a service of ClickHouse Cloud: who has it sees and changes only the dashboards, alerts, searches and rows
 * of data that it allows, by their names, tags or ids. Needs `dialect: clickhouse`. Users get the role on the product's page.
 *
 * A change of `organizationId` or `serviceId` replaces the role, everything else is updated in place. The service refuses to
 * delete a role that somebody has, or that new users get.
 * @example
 * ```typescript
 * const payments = new pipestack.ClickStackRole("payments", {
 *   permissions: [
 *     { integration: "mongodb", action: "read", subject: "Dashboard", conditions: { tags: "payments" } },
 *     { integration: "mongodb", action: "manage", subject: "Alert", patterns: { name: { pattern: "^payments" } } },
 *   ],
 * });
 * ```
 */
export class ClickStackRole extends managedResource<ClickStackRoleArgs>(clickStackRoleResource) {}
