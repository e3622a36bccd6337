import type * as pulumi from "@pulumi/pulumi";
import { ruledOut } from "../lifecycle/session";
import { placeOf } from "../resources/placement";
import { call, callOutput, type DataFunction, type FunctionOptions } from "./dataFunction";
import { type ServiceArgs, type ServiceOutputArgs, serviceArguments } from "./serviceArguments";

/** A dashboard as the service has it (API document: "Dashboard (observability API)"). */
export interface DashboardSummary {
  /** Id of the dashboard. */
  readonly id: string;
  readonly name: string;
  /** The tiles, in the shape in which the service answers: with `series`, or with `config` on newer servers. */
  readonly tiles?: readonly TileSummary[];
  readonly tags?: readonly string[];
}

/** A tile as the service has it. */
export interface TileSummary {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly [member: string]: unknown;
}

/** An alert as the service has it (API document: "Alert (observability API)"). */
export interface AlertSummary {
  /** Id of the alert. */
  readonly id: string;
  readonly name?: string;
  readonly message?: string;
  readonly threshold?: number;
  readonly interval?: string;
  readonly thresholdType?: string;
  readonly source?: string;
  readonly state?: string;
  readonly channel?: { readonly type?: string; readonly webhookId?: string };
  readonly tileId?: string;
  /** Id of the dashboard; some servers say `dashboardId`. */
  readonly dashboard?: string;
  readonly dashboardId?: string;
  readonly [member: string]: unknown;
}

/** A source of data for tiles and chart series. The API document shows none of its members but the id. */
export interface DataSource {
  /** Id of the source: `sourceId` of chart series. */
  readonly id: string;
  readonly name?: string;
  readonly [member: string]: unknown;
}

/** A webhook that alerts can be sent to. */
export interface Webhook {
  /** Id of the webhook: `webhookId` of an alert's channel. */
  readonly id: string;
  readonly name?: string;
  readonly [member: string]: unknown;
}

function listing<Item>(
  name: string,
  operation: "listDashboards" | "listAlerts" | "listSources" | "listWebhooks",
): DataFunction<typeof serviceArguments, Item[]> {
  return {
    name,
    arguments: serviceArguments,
    async run(args, session) {
      if (!session.allows(operation)) {
        throw new Error(`${operation} is ${ruledOut}`);
      }
      return (await session.list(operation, placeOf(args, session))) as unknown as Item[];
    },
  };
}

const dashboards = listing<DashboardSummary>("getDashboards", "listDashboards");
const alerts = listing<AlertSummary>("getAlerts", "listAlerts");
const sources = listing<DataSource>("getSources", "listSources");
const webhooks = listing<Webhook>("getWebhooks", "listWebhooks");

/**
 * The dashboards of a service.
 *
 * @example
 * ```typescript
 * const names = (await pipestack.getDashboards()).map((dashboard) => dashboard.name);
 * ```
 */
export function getDashboards(args: ServiceArgs = {}, opts?: FunctionOptions): Promise<DashboardSummary[]> {
  return call(dashboards, args, opts);
}

/**
 * As {@link getDashboards}, for arguments that may be outputs.
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
  return callOutput(dashboards, args, opts);
}

/**
 * The alerts of a service. Uses a conventional operation.
 *
 * @example
 * ```typescript
 * const firing = (await pipestack.getAlerts()).filter((alert) => alert.state === "ALERT");
 * ```
 */
export function getAlerts(args: ServiceArgs = {}, opts?: FunctionOptions): Promise<AlertSummary[]> {
  return call(alerts, args, opts);
}

/**
 * As {@link getAlerts}, for arguments that may be outputs.
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
  return callOutput(alerts, args, opts);
}

/**
 * The data sources of a service, for tiles and chart series. Uses a conventional operation.
 *
 * @example
 * ```typescript
 * const logs = (await pipestack.getSources()).find((source) => source.name === "Logs");
 * ```
 */
export function getSources(args: ServiceArgs = {}, opts?: FunctionOptions): Promise<DataSource[]> {
  return call(sources, args, opts);
}

/**
 * As {@link getSources}, for arguments that may be outputs.
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
  return callOutput(sources, args, opts);
}

/**
 * The webhooks of a service: their ids are what the channel of an alert needs. Uses a conventional operation.
 *
 * @example
 * ```typescript
 * const [webhook] = await pipestack.getWebhooks();
 * ```
 */
export function getWebhooks(args: ServiceArgs = {}, opts?: FunctionOptions): Promise<Webhook[]> {
  return call(webhooks, args, opts);
}

/**
 * As {@link getWebhooks}, for arguments that may be outputs.
 *
 * @example
 * ```typescript
 * export const webhookId = pipestack.getWebhooksOutput().apply(([webhook]) => webhook?.id);
 * ```
 */
export function getWebhooksOutput(
  args: ServiceOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<Webhook[]> {
  return callOutput(webhooks, args, opts);
}
