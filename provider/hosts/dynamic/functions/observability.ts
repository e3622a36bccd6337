import type { AlertSummary, DashboardSummary } from "../../../functions/observability";
import * as functions from "../../../functions/observability";
import { plain, withOutputs } from "../functionCall";
import type { OfServiceArgs, OfServiceOutputArgs } from "./serviceArguments";

/**
 * The dashboards of a service.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const names = pipestack.getDashboards().then((dashboards) => dashboards.map(({ name }) => name));
 * ```
 * @see "Dashboard (observability API)" in the API document
 */
export const getDashboards = plain<OfServiceArgs, DashboardSummary[]>(functions.getDashboards);

/**
 * Same as {@link getDashboards}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const dashboards = pipestack.getDashboardsOutput({ serviceId: reporting.id });
 * ```
 */
export const getDashboardsOutput = withOutputs<OfServiceOutputArgs, DashboardSummary[]>(
  functions.getDashboards,
);

/**
 * The alerts of a service.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const firing = pipestack.getAlerts().then((alerts) => alerts.filter(({ state }) => state === "ALERT").length);
 * ```
 * @see "Alert (observability API)" in the API document
 */
export const getAlerts = plain<OfServiceArgs, AlertSummary[]>(functions.getAlerts);

/**
 * Same as {@link getAlerts}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const alerts = pipestack.getAlertsOutput({ serviceId: reporting.id });
 * ```
 */
export const getAlertsOutput = withOutputs<OfServiceOutputArgs, AlertSummary[]>(functions.getAlerts);
