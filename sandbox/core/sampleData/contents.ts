import type { Source } from "../resources/sources";

/** The sample data for a kind of data source: the number of events, and their columns. */
export interface SampleContents {
  eventsPerMinute: number;
  /**
   * The columns of the sample data that a query's `where` and `groupBy` may name, each with its values and their share of the
   * events.
   */
  columns: Record<string, Record<string, number>>;
  /** The column of the sample data with numbers, which every aggregate function but `count` aggregates; `field` may name it. */
  measure: { column: string; median: number };
}

const ServiceName = { api: 0.5, web: 0.3, worker: 0.2 };

const metric = {
  eventsPerMinute: 2,
  columns: { ServiceName, MetricName: { "cpu.utilization": 0.5, "memory.utilization": 0.5 } },
  measure: { column: "Value", median: 30 },
};

/**
 * All columns of the sandbox's sample data. A query that names another column is refused, with this list.
 *
 * | kind           | columns                     | measure             |
 * |----------------|-----------------------------|---------------------|
 * | log            | `ServiceName, SeverityText` | `Duration`, in ms   |
 * | trace          | `ServiceName, StatusCode`   | `Duration`, in ms   |
 * | metric, promql | `ServiceName, MetricName`   | `Value`, in percent |
 * | session        | `ServiceName`               | `Duration`, in ms   |
 */
export const sampleContents: Record<Source["kind"], SampleContents> = {
  log: {
    eventsPerMinute: 120,
    columns: { ServiceName, SeverityText: { info: 0.77, warn: 0.15, error: 0.08 } },
    measure: { column: "Duration", median: 120 },
  },
  trace: {
    eventsPerMinute: 40,
    columns: { ServiceName, StatusCode: { Ok: 0.97, Error: 0.03 } },
    measure: { column: "Duration", median: 90 },
  },
  metric,
  promql: metric,
  session: { eventsPerMinute: 5, columns: { ServiceName }, measure: { column: "Duration", median: 60_000 } },
};

/** The aggregate functions that the sandbox's chart series support. `quantile` takes `level`, 0 to 1; default 0.5. */
export const aggregateFunctions = [
  ...(["count", "sum", "avg", "min", "max", "quantile"] as const),
  ...(["p50", "p75", "p90", "p95", "p99"] as const),
] as const;

export type AggregateFunction = (typeof aggregateFunctions)[number];
