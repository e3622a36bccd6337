import type * as pulumi from "@pulumi/pulumi";
import type { AlertSummary, DashboardSummary } from "../../../functions/observability";
import * as functions from "../../../functions/observability";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { ServiceArgs, ServiceOutputArgs } from "./serviceArguments";

/**
 * The dashboards of a service.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const names = (await pipestack.getDashboards()).map((dashboard) => dashboard.name);
 * ```
 * @see "Dashboard (observability API)" in the API document
 */
export function getDashboards(args: ServiceArgs = {}, opts?: FunctionOptions): Promise<DashboardSummary[]> {
  return call(functions.getDashboards, args, opts);
}

/**
 * Same as {@link getDashboards}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const dashboards = pipestack.getDashboardsOutput({ serviceId: scaling.id });
 * ```
 */
export function getDashboardsOutput(
  args: ServiceOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<DashboardSummary[]> {
  return callOutput(functions.getDashboards, args, opts);
}

/**
 * The alerts of a service.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const firing = (await pipestack.getAlerts()).filter((alert) => alert.state === "ALERT");
 * ```
 * @see "Alert (observability API)" in the API document
 */
export function getAlerts(args: ServiceArgs = {}, opts?: FunctionOptions): Promise<AlertSummary[]> {
  return call(functions.getAlerts, args, opts);
}

/**
 * Same as {@link getAlerts}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const alerts = pipestack.getAlertsOutput({ serviceId: scaling.id });
 * ```
 */
export function getAlertsOutput(
  args: ServiceOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<AlertSummary[]> {
  return callOutput(functions.getAlerts, args, opts);
}
