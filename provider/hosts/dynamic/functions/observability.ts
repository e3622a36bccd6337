import type * as pulumi from "@pulumi/pulumi";
import type {
  AlertSummary,
  DashboardSummary,
  DataSource,
  WebhookSummary,
} from "../../../functions/observability";
import * as functions from "../../../functions/observability";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { ServiceArgs, ServiceOutputArgs } from "./serviceArguments";

/**
 * The dashboards of a service (API document: "Dashboard (observability API)").
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const names = (await pipestack.getDashboards()).map((dashboard) => dashboard.name);
 * ```
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
 * The alerts of a service (API document: "Alert (observability API)"). In the dialect `neutral` it uses an undocumented
 * operation, so it fails with `operations: documented`.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const firing = (await pipestack.getAlerts()).filter((alert) => alert.state === "ALERT");
 * ```
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

/**
 * The data sources of a service, for tiles and chart series. In the dialect `neutral` it uses an undocumented operation, so
 * it fails with `operations: documented`.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const logs = (await pipestack.getSources()).find((source) => source.name === "Logs");
 * ```
 */
export function getSources(args: ServiceArgs = {}, opts?: FunctionOptions): Promise<DataSource[]> {
  return call(functions.getSources, args, opts);
}

/**
 * Same as {@link getSources}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const sources = pipestack.getSourcesOutput({ serviceId: scaling.id });
 * ```
 */
export function getSourcesOutput(
  args: ServiceOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<DataSource[]> {
  return callOutput(functions.getSources, args, opts);
}

/**
 * The webhooks of a service: their ids are what the channel of an alert needs. In the dialect `neutral` it uses an
 * undocumented operation, so it fails with `operations: documented`.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const [webhook] = await pipestack.getWebhooks();
 * ```
 */
export function getWebhooks(args: ServiceArgs = {}, opts?: FunctionOptions): Promise<WebhookSummary[]> {
  return call(functions.getWebhooks, args, opts);
}

/**
 * Same as {@link getWebhooks}, but accepts outputs and returns one.
 *
 * @example
 * ```typescript
 * export const webhookId = pipestack.getWebhooksOutput().apply(([webhook]) => webhook?.id);
 * ```
 */
export function getWebhooksOutput(
  args: ServiceOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<WebhookSummary[]> {
  return callOutput(functions.getWebhooks, args, opts);
}
