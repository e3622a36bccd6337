import { type Static, Type } from "@sinclair/typebox";
import { ApiError, badRequest, notFound } from "../apiError";
import { isObjectId } from "../identifiers";
import { type Route, type RouteContext, route } from "../routes";
import { type AggregateRow, aggregate, bucketsOf } from "../sampleData/aggregate";
import { type AggregateFunction, aggregateFunctions } from "../sampleData/contents";
import type { Resource } from "./resource";
import { sources } from "./sources";

const granularities = [
  "30s",
  "1m",
  "5m",
  "10m",
  "15m",
  "30m",
  "1h",
  "2h",
  "6h",
  "12h",
  "1d",
  "2d",
  "7d",
  "30d",
];

/** Granularity "auto" is the finest with at most this many buckets. */
const automaticBuckets = 60;

const ofDocument = {
  sourceId: Type.String(),
  aggFn: Type.Unsafe<AggregateFunction>({ enum: aggregateFunctions }),
  where: Type.String(),
  groupBy: Type.Array(Type.String(), { maxItems: 10 }),
  field: Type.Optional(Type.String()),
  level: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
};

/** A series of the product. It takes the last three without any effect. */
const ProductSeries = Type.Object(
  {
    ...ofDocument,
    whereLanguage: Type.Optional(Type.Unsafe<string>({ enum: ["lucene", "sql"] })),
    metricDataType: Type.Optional(Type.String()),
    metricName: Type.Optional(Type.String()),
    sortOrder: Type.Optional(Type.Unsafe<string>({ enum: ["asc", "desc"] })),
    dataSource: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
const DocumentSeries = Type.Unsafe<Static<typeof ProductSeries>>(
  Type.Object(ofDocument, { additionalProperties: false }),
);

const bodyOf = (Series: typeof ProductSeries | typeof DocumentSeries) =>
  Type.Object(
    {
      series: Type.Array(Type.Unsafe<Static<typeof ProductSeries>>(Series), { minItems: 1, maxItems: 5 }),
      startTime: Type.Integer({ minimum: 1 }),
      endTime: Type.Integer({ minimum: 1 }),
      granularity: Type.Optional(Type.Unsafe<string>({ enum: [...granularities, "auto"] })),
      seriesReturnType: Type.Optional(Type.Unsafe<"ratio" | "column">({ enum: ["ratio", "column"] })),
    },
    { additionalProperties: false },
  );

/** Queries up to 5 series of the sample data. */
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
        body: bodyOf(isProduct ? ProductSeries : DocumentSeries),
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
            return aggregate(source, query, buckets, `series.${index}`).map((row) => ({ index, ...row }));
          });
          return seriesReturnType === "column" ? toColumns(rows) : toPoints(rows, isProduct);
        },
      }),
    ];
  },
} as const satisfies Resource;

/** A row, and the position of its series in the request. */
type Row = AggregateRow & { index: number };

function toColumns(rows: Row[]): object[] {
  return rows.map(({ index, bucket, group, value }) => ({
    [`series_${index}`]: value,
    ...group,
    __hdx_time_bucket: new Date(bucket.start).toISOString().replace(".000Z", "Z"),
  }));
}

/** The points; of ungrouped series, those of the product have an empty group. */
function toPoints(rows: Row[], hasEmptyGroup: boolean): object[] {
  const points = new Map<string, Record<string, unknown>>();
  for (const { index, bucket, group, value } of rows) {
    const names = Object.values(group);
    const key = JSON.stringify([bucket.start, names]);
    const point = points.get(key) ?? {
      ts_bucket: bucket.start,
      ...((names.length > 0 || hasEmptyGroup) && { group: names }),
    };
    point[`series_${index}.data`] = value;
    points.set(key, point);
  }
  return [...points.values()];
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
