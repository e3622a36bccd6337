import type { Source } from "../records";

/** What the data of a kind of source holds, and so what a query may ask of it. */
export interface SampleContents {
  /** Events in an average minute. */
  eventsPerMinute: number;
  /** The columns that `where` and `groupBy` may name, each with its values and their share of the events. */
  columns: Record<string, Record<string, number>>;
  /** The column with a number in each event, which every aggFn but `count` works on; `field` may name it. */
  measure: { column: string; median: number };
}

const ServiceName = { api: 0.5, web: 0.3, worker: 0.2 };

/**
 * Everything that the sample data knows. A query that names another column is refused with this list.
 *
 * | kind   | columns                     | measure             |
 * |--------|-----------------------------|---------------------|
 * | log    | `ServiceName, SeverityText` | `Duration`, in ms   |
 * | trace  | `ServiceName, StatusCode`   | `Duration`, in ms   |
 * | metric | `ServiceName, MetricName`   | `Value`, in percent |
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
  metric: {
    eventsPerMinute: 2,
    columns: { ServiceName, MetricName: { "cpu.utilization": 0.5, "memory.utilization": 0.5 } },
    measure: { column: "Value", median: 30 },
  },
};

/** What a series can be aggregated by. `quantile` takes `level`, 0 to 1, which is 0.5 when absent. */
export const aggregateFunctions = [
  "count",
  "sum",
  "avg",
  "min",
  "max",
  "quantile",
  "p50",
  "p75",
  "p90",
  "p95",
  "p99",
] as const;

export type AggregateFunction = (typeof aggregateFunctions)[number];
