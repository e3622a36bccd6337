import * as pulumi from "@pulumi/pulumi";
import { watchedTileName } from "../../engine/names";
import { alertResource } from "../../resources/alert/alert";
import type { alertInputs, alertOutputs } from "../../resources/alert/alertInputs";
import { failedValue } from "./failedValue";
import { managedResource } from "./managedResource";
import { programError } from "./programError";
import { watchedTile } from "./tileIds";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of an {@link Alert}. */
export interface AlertArgs extends InputsOf<typeof alertInputs> {}

export interface Alert extends OutputsOf<typeof alertInputs, typeof alertOutputs> {}

/**
 * An alert on a tile of a dashboard, on a saved search, or on a chart of its own.
 *
 * A change of `organizationId` or `serviceId` replaces the alert, and so does the removal of its tile, since the service
 * deletes an alert along with its tile. Everything else is updated in place, even its `source`. A `name` or `message` that is
 * taken out of the program is cleared. An inline alert stays when dashboards are deleted.
 * @example
 * ```typescript
 * const dashboard = new pipestack.Dashboard("queries", {
 *   name: "Queries",
 *   tiles: [
 *     {
 *       name: "Query time",
 *       config: {
 *         displayType: "line",
 *         sourceId: pipestack.getSourceOutput({ kind: "trace" }).id,
 *         select: [{ aggFn: "max", valueExpression: "Duration" }],
 *       },
 *     },
 *   ],
 * });
 * new pipestack.Alert("slow-queries", {
 *   name: "Slow queries",
 *   source: "tile",
 *   dashboardId: dashboard.id,
 *   tileId: dashboard.tileIds["Query time"],
 *   threshold: 500,
 *   thresholdType: "above",
 *   interval: "5m",
 *   channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" },
 * });
 * ```
 * @example The share of failed requests, from a query in SQL. The alert's value is the last column of the first row, and only the
 * query itself limits the time that it reads.
 * ```typescript
 * new pipestack.Alert("failed-requests", {
 *   displayName: "Failed requests",
 *   tags: ["checkout"],
 *   source: "inline",
 *   chartConfig: {
 *     configType: "sql",
 *     displayType: "number",
 *     connectionId: "65f1c0a2b3d4e5f607182900",
 *     sqlTemplate: `
 *       SELECT toFloat64(countIf(StatusCode = 'Error')) / greatest(count(), 1) AS ratio
 *       FROM otel.otel_traces
 *       WHERE ServiceName = 'checkout' AND Timestamp > $__toTime - INTERVAL 1 HOUR AND Timestamp <= $__toTime`,
 *   },
 *   threshold: 0.01,
 *   thresholdType: "above_exclusive",
 *   interval: "5m",
 *   channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" },
 * });
 * ```
 * @see "Create alert body", "Update alert body" in the API document
 */
export class Alert extends managedResource<AlertArgs>(alertResource) {
  constructor(name: string, args: AlertArgs, opts?: pulumi.CustomResourceOptions) {
    const watched = watchedTile(args?.tileId);
    super(name, { ...givenReferences(name, args), ...(watched && { [watchedTileName]: watched }) }, opts);
  }
}

/**
 * Reports an output that has no value where it should name a dashboard or a tile. The provider's check would take it for an
 * omitted argument.
 */
function givenReferences(name: string, args: AlertArgs): AlertArgs {
  const references = (["dashboardId", "tileId"] as const).flatMap((input) => {
    const value = args?.[input];
    if (!pulumi.Output.isInstance(value)) return [];
    const checked = pulumi.all([args.source, value]).apply(([source, reference]) => {
      if (source === "tile" && reference === undefined)
        return failedValue(programError(`Alert "${name}": ${input} is given, but without a value`));
      return reference;
    });
    return [[input, checked] as const];
  });
  return { ...args, ...Object.fromEntries(references) };
}
