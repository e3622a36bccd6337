import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { ApiError, badRequest, notFound } from "../apiError";
import { isObjectId } from "../identifiers";
import type { Records } from "../records";
import { type Route, type RouteContext, route } from "../routes";
import { type AggregateRow, aggregate, bucketsOf } from "../sampleData/aggregate";
import { aggregateFunctions } from "../sampleData/contents";
import { closed, words } from "./jsonSchema";
import type { Resource } from "./resource";
import { sources } from "./sources";

const granularities = "30s 1m 5m 10m 15m 30m 1h 2h 6h 12h 1d 2d 7d 30d".split(" ");

/**
 * The maximum number of buckets in chart series with the granularity `auto`, which takes the finest granularity that has no
 * more.
 */
const automaticBuckets = 60;

const required = {
  sourceId: Type.String(),
  aggFn: words(...aggregateFunctions),
  where: Type.String(),
  groupBy: Type.Array(Type.String(), { maxItems: 10 }),
};
const optional = { field: Type.String(), level: Type.Number({ minimum: 0, maximum: 1 }) };

/**
 * One series in a chart query to ClickHouse Cloud. The sandbox accepts `metricName`, `sortOrder` and `dataSource`, but ignores
 * them.
 */
const ProductSeries = closed(required, {
  ...optional,
  whereLanguage: words("lucene", "sql"),
  metricDataType: Type.String(),
  metricName: Type.String(),
  sortOrder: words("asc", "desc"),
  dataSource: Type.String(),
});

function queryOf<Optional extends TProperties>(series: TSchema, most: number, further: Optional) {
  const item = Type.Unsafe<Static<typeof ProductSeries>>(series);
  const time = Type.Integer({ minimum: 1 });
  return closed(
    { series: Type.Array(item, { minItems: 1, maxItems: most }), startTime: time, endTime: time },
    further,
  );
}

const bodyOf = (series: TSchema) =>
  queryOf(series, 5, {
    granularity: Type.Unsafe<string>({ enum: [...granularities, "auto"] }),
    seriesReturnType: words("ratio", "column"),
  });

/**
 * The body of the console's query for a tile. `bucketLength` is in milliseconds; by default one bucket covers the whole time
 * range.
 */
const TileBody = queryOf(ProductSeries, 10, { bucketLength: Type.Integer({ minimum: 30_000 }) });

export const chartSeries = {
  place: "observability",
  operations: ["getChartSeries"],
  path: () => "charts/series",

  routes({ store, vocabulary }: RouteContext): Route[] {
    const isProduct = vocabulary.dialect === "clickhouse";
    return [
      route({
        operation: "getChartSeries",
        method: "POST",
        path: "",
        body: bodyOf(closed(required, optional)),
        run({ body: { series, startTime, endTime, granularity = "auto", seriesReturnType }, service }) {
          checkTimes({ startTime, endTime });
          const [first] = series;
          if (series.some(({ groupBy }) => groupBy.join("\n") !== first?.groupBy.join("\n"))) {
            throw badRequest("series: all series must have the same groupBy fields");
          }
          const buckets = bucketsOf(startTime, endTime, bucketLength(granularity, endTime - startTime));
          const rows = series.flatMap(({ sourceId, metricName, metricDataType, ...query }, index) => {
            if (!isObjectId(sourceId)) throw badRequest(`series.${index}.sourceId: Invalid ObjectId`);
            const source = store.of(sources).get(sourceId);
            if (source?.serviceId !== service.id)
              throw notFound(`Source not found for series ${index}`, "error");
            if (isProduct && source.kind === "metric" && metricDataType === undefined)
              throw new ApiError(500, `series.${index}: no metricDataType for a metric source`, "error");
            // HyperDX takes a field with a dot for a text, whose aggregates are all 0, and so does the sandbox.
            const isText = isProduct && query.field?.includes(".");
            const read = isText ? { ...query, aggFn: "count" as const, field: undefined } : query;
            return aggregate(source, read, buckets, `series.${index}`).map((row) => ({
              index,
              ...row,
              ...(isText && { value: 0 }),
            }));
          });
          return seriesReturnType === "column" ? toColumns(rows) : toPoints(rows, isProduct);
        },
      }),
    ];
  },
} as const satisfies Resource;

export interface SeriesPoint {
  tsBucket: number;
  values: (number | null)[];
  group?: string[];
}

/** The values of a dashboard tile in the sandbox's console, or the reason why the sandbox has none. */
export type SeriesAnswer = { points: SeriesPoint[] } | { problem: string };

/**
 * The console's route for the values of a dashboard tile. It works like the API's chart series, but for buckets of any length.
 */
export function tileSeries(store: Records): Route {
  return route({
    method: "POST",
    path: "",
    body: TileBody,
    run({ body: { series, startTime, endTime, bucketLength }, service }): SeriesAnswer {
      const whole = [{ start: startTime, from: startTime, until: endTime }];
      try {
        const buckets = bucketLength === undefined ? whole : bucketsOf(startTime, endTime, bucketLength);
        const rows = series.flatMap(({ sourceId, ...query }, index) => {
          const source = store.of(sources).get(sourceId);
          if (source?.serviceId !== service.id) throw notFound(`source ${sourceId} not found`);
          return aggregate(source, query, buckets, `series.${index}`).map((row) => ({ index, ...row }));
        });
        const empty = series.map(() => null);
        return {
          points: grouped(rows).map((rowsOfPoint) => {
            const [{ bucket, group }] = rowsOfPoint as [Row];
            const names = Object.values(group);
            const values: (number | null)[] = [...empty];
            for (const { index, value } of rowsOfPoint) values[index] = Number(value);
            return { tsBucket: bucket.start, values, ...(names.length > 0 && { group: names }) };
          }),
        };
      } catch (error) {
        if (error instanceof ApiError) return { problem: error.message };
        throw error;
      }
    },
  });
}

/** A value of the sandbox's sample data, with the position of its series in the chart query. */
type Row = AggregateRow & { index: number };

function grouped(rows: readonly Row[]): Row[][] {
  const points = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.bucket.start, Object.values(row.group)]);
    points.set(key, [...(points.get(key) ?? []), row]);
  }
  return [...points.values()];
}

function toColumns(rows: Row[]): object[] {
  return rows.map(({ index, bucket, group, value }) => ({
    [`series_${index}`]: value,
    ...group,
    __hdx_time_bucket: new Date(bucket.start).toISOString().replace(".000Z", "Z"),
  }));
}

/**
 * Converts the values of chart series to the points of a chart response. Without `groupBy`, only the points of ClickHouse Cloud
 * have a `group`, which is empty.
 */
function toPoints(rows: Row[], hasEmptyGroup: boolean): object[] {
  return grouped(rows).map((rowsOfPoint) => {
    const [{ bucket, group }] = rowsOfPoint as [Row];
    const names = Object.values(group);
    return {
      ts_bucket: bucket.start,
      ...((names.length > 0 || hasEmptyGroup) && { group: names }),
      ...Object.fromEntries(rowsOfPoint.map(({ index, value }) => [`series_${index}.data`, value])),
    };
  });
}

function checkTimes(times: Record<string, number>): void {
  for (const [name, value] of Object.entries(times)) {
    if (String(value).length < 13) throw badRequest(`${name}: Timestamp must be in milliseconds`);
  }
}

function bucketLength(granularity: string, range: number): number {
  const lengths = granularities.map(milliseconds);
  if (granularity !== "auto") return milliseconds(granularity);
  return lengths.find((length) => range / length <= automaticBuckets) ?? milliseconds("30d");
}

function milliseconds(granularity: string): number {
  const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return Number.parseInt(granularity, 10) * (units[granularity.slice(-1)] ?? 0);
}
