import type * as pulumi from "@pulumi/pulumi";
import { call, callOutput, type DataFunction, type FunctionOptions } from "../hosts/dynamic/functionCall";
import { type Data, pick } from "../lifecycle/data";
import { observabilityScopeOf } from "../lifecycle/scope";
import { undocumentedOperation } from "../lifecycle/session";
import { type ServiceArgs, type ServiceOutputArgs, serviceArguments } from "./serviceArguments";

/** A dashboard as the service has it (API document: "Dashboard (observability API)"). */
export interface DashboardSummary {
  /** Id of the dashboard. */
  readonly id: string;
  /** Name of the dashboard. */
  readonly name: string;
  /** The tiles, in the shape in which the service answers: with `series`, or with `config` on newer servers. */
  readonly tiles?: readonly TileSummary[];
  /** Tags of the dashboard. */
  readonly tags?: readonly string[];
}

/** A tile as the service has it. */
export interface TileSummary {
  /** Id of the tile. */
  readonly id: string;
  /** Name of the tile. */
  readonly name: string;
  /** Column of the left edge on the grid. */
  readonly x: number;
  /** Row of the upper edge on the grid. */
  readonly y: number;
  /** Width in columns. */
  readonly w: number;
  /** Height in rows. */
  readonly h: number;
  readonly [member: string]: unknown;
}

/** An alert as the service has it (API document: "Alert (observability API)"). */
export interface AlertSummary {
  /** Id of the alert. */
  readonly id: string;
  /** Name of the alert. */
  readonly name?: string;
  /** Text that the alert sends. */
  readonly message?: string;
  /** The number that the value is compared with. */
  readonly threshold?: number;
  /** How often the value is looked at: a count and a unit, such as `5m`. */
  readonly interval?: string;
  /** `above` or `below`: on which side of the threshold the alert fires. */
  readonly thresholdType?: string;
  /** `tile` or `search`: where the value comes from. */
  readonly source?: string;
  /** Whether the alert fires, in the service's words. */
  readonly state?: string;
  /** Where the alert is sent. */
  readonly channel?: { readonly type?: string; readonly webhookId?: string };
  /** The tile, where `source` is `tile`. */
  readonly tileId?: string;
  /** Id of the tile's dashboard. */
  readonly dashboardId?: string;
  /** The same, by the name that some servers have for it. */
  readonly dashboard?: string;
  readonly [member: string]: unknown;
}

/** A source of data for tiles and chart series. The API document shows none of its members but the id. */
export interface DataSource {
  /** Id of the source: `sourceId` of chart series. */
  readonly id: string;
  /** Name of the source. */
  readonly name?: string;
  readonly [member: string]: unknown;
}

/** A webhook that alerts can be sent to. */
export interface Webhook {
  /** Id of the webhook: `webhookId` of an alert's channel. */
  readonly id: string;
  /** Name of the webhook. */
  readonly name?: string;
  readonly [member: string]: unknown;
}

function listing<Item>(
  name: string,
  operation: "listDashboards" | "listAlerts" | "listSources" | "listWebhooks",
  shown = (found: Data) => found,
): DataFunction<typeof serviceArguments, Item[]> {
  return {
    name,
    arguments: serviceArguments,
    async run(args, session) {
      if (!session.allows(operation)) {
        throw new Error(`${operation} is ${undocumentedOperation}`);
      }
      const found = await session.list(operation, observabilityScopeOf(args, session));
      return found.map(shown) as unknown as Item[];
    },
  };
}

const dashboards = listing<DashboardSummary>("getDashboards", "listDashboards");
// Servers have one of the two names, and a program should work with each.
const alerts = listing<AlertSummary>("getAlerts", "listAlerts", ({ dashboardId, dashboard, ...alert }) => ({
  ...alert,
  ...pick({ dashboardId: dashboardId ?? dashboard, dashboard: dashboard ?? dashboardId }, [
    "dashboardId",
    "dashboard",
  ]),
}));
const sources = listing<DataSource>("getSources", "listSources");
const webhooks = listing<Webhook>("getWebhooks", "listWebhooks");

/**
 * The dashboards of a service (API document: "Dashboard (observability API)").
 *
 * @throws Error in one or two lines: for wrong arguments before any request, for a missing setting, and for what the
 *   service refused or did not answer
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
 * The alerts of a service (API document: "Alert (observability API)"). Uses a conventional operation, so it fails with
 * the setting `operations: documented`.
 *
 * @throws Error in one or two lines: for wrong arguments before any request, for a missing setting, and for what the
 *   service refused or did not answer
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
 * The data sources of a service, for tiles and chart series. Uses a conventional operation, so it fails with the setting
 * `operations: documented`.
 *
 * @throws Error in one or two lines: for wrong arguments before any request, for a missing setting, and for what the
 *   service refused or did not answer
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
 * The webhooks of a service: their ids are what the channel of an alert needs. Uses a conventional operation, so it
 * fails with the setting `operations: documented`.
 *
 * @throws Error in one or two lines: for wrong arguments before any request, for a missing setting, and for what the
 *   service refused or did not answer
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
