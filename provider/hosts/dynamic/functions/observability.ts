import type { AlertSummary, DashboardSummary } from "../../../functions/observability";
import * as functions from "../../../functions/observability";
import { plain, withOutputs } from "../functionCall";
import type { ServiceArgs, ServiceOutputArgs } from "./serviceArguments";

/**
 * The dashboards of a service.
 *
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 *
 * @example
 * ```typescript
 * const names = (await pipestack.getDashboards()).map((dashboard) => dashboard.name);
 * ```
 * @see "Dashboard (observability API)" in the API document
 */
export const getDashboards = plain<ServiceArgs, DashboardSummary[]>(functions.getDashboards);

/**
 * Same as {@link getDashboards}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const dashboards = pipestack.getDashboardsOutput({ serviceId: scaling.id });
 * ```
 */
export const getDashboardsOutput = withOutputs<ServiceOutputArgs, DashboardSummary[]>(
  functions.getDashboards,
);

/**
 * The alerts of a service.
 *
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 *
 * @example
 * ```typescript
 * const firing = (await pipestack.getAlerts()).filter((alert) => alert.state === "ALERT");
 * ```
 * @see "Alert (observability API)" in the API document
 */
export const getAlerts = plain<ServiceArgs, AlertSummary[]>(functions.getAlerts);

/**
 * Same as {@link getAlerts}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const alerts = pipestack.getAlertsOutput({ serviceId: scaling.id });
 * ```
 */
export const getAlertsOutput = withOutputs<ServiceOutputArgs, AlertSummary[]>(functions.getAlerts);
