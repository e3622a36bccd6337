import type { ChartPoint, GetChartSeriesArgs } from "../../../functions/chartSeries";
import * as functions from "../../../functions/chartSeries";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getChartSeriesOutput}. */
export interface GetChartSeriesOutputArgs extends InputsOf<typeof functions.getChartSeries.arguments> {}

/**
 * Aggregated values over time for one to five series. Buckets without data are omitted. Needs the observability API: the settings
 * `obsBaseUrl` and `accessToken`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const points = pipestack.getChartSeries({
 *   series: [{ sourceId: "66f0c2d8a1b2c3d4e5f60718", aggFn: "count", where: "SeverityText:error", groupBy: [] }],
 *   startTime: Date.now() - 3_600_000,
 *   endTime: Date.now(),
 *   granularity: "5m",
 * });
 * export const errors = points.then((all) => all.reduce((sum, { values }) => sum + (values[0] ?? 0), 0));
 * ```
 * @see "Chart series body" in the API document
 */
export const getChartSeries = plain<GetChartSeriesArgs, ChartPoint[]>(functions.getChartSeries);

/**
 * Same as {@link getChartSeries}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * export const points = pipestack.getChartSeriesOutput({
 *   series: [{ sourceId: pipestack.getSourceOutput({ kind: "log" }).id, aggFn: "count", where: "", groupBy: [] }],
 *   startTime: 1767225600000,
 *   endTime: 1767312000000,
 * });
 * ```
 */
export const getChartSeriesOutput = withOutputs<GetChartSeriesOutputArgs, ChartPoint[]>(
  functions.getChartSeries,
);
