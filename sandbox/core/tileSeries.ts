import { type Static, Type } from "@sinclair/typebox";
import { ApiError, notFound } from "./apiError";
import type { Records } from "./records";
import { sources } from "./resources/sources";
import { type Route, route } from "./routes";
import { aggregate, bucketsOf } from "./sampleData/aggregate";
import { type AggregateFunction, aggregateFunctions } from "./sampleData/contents";

const SeriesBody = Type.Object(
  {
    series: Type.Array(
      Type.Object(
        {
          sourceId: Type.String(),
          aggFn: Type.Unsafe<AggregateFunction>({ enum: aggregateFunctions }),
          where: Type.String(),
          groupBy: Type.Array(Type.String()),
          field: Type.Optional(Type.String()),
          level: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
          whereLanguage: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 10 },
    ),
    startTime: Type.Integer({ minimum: 0 }),
    endTime: Type.Integer({ minimum: 0 }),
    /** Milliseconds. Default: one bucket, the whole range. */
    bucketLength: Type.Optional(Type.Integer({ minimum: 30_000 })),
  },
  { additionalProperties: false },
);

/** The values of one bucket and group. */
export interface SeriesPoint {
  /** Milliseconds since 1970. */
  tsBucket: number;
  /** One of each series, in their order. */
  values: (number | null)[];
  group?: string[];
}

/** The data of a tile, or why the sandbox has none. */
export type SeriesAnswer = { points: SeriesPoint[] } | { problem: string };

/** Serves the series of a tile as the chart-series operation does, but for buckets of any length. */
export function tileSeries(store: Records): Route {
  return route({
    method: "POST",
    path: "",
    body: SeriesBody,
    run({ body, service }): SeriesAnswer {
      try {
        return { points: pointsOf(body, service.id, store) };
      } catch (error) {
        if (error instanceof ApiError) return { problem: error.message };
        throw error;
      }
    },
  });
}

function pointsOf(
  { series, startTime, endTime, bucketLength }: Static<typeof SeriesBody>,
  serviceId: string,
  store: Records,
): SeriesPoint[] {
  const whole = [{ start: startTime, from: startTime, until: endTime }];
  const buckets = bucketLength === undefined ? whole : bucketsOf(startTime, endTime, bucketLength);
  const points = new Map<string, SeriesPoint>();
  for (const [index, { sourceId, ...query }] of series.entries()) {
    const source = store.of(sources).get(sourceId);
    if (source?.serviceId !== serviceId) throw notFound(`source ${sourceId} not found`);
    for (const { bucket, group, value } of aggregate(source, query, buckets, `series.${index}`)) {
      const names = Object.values(group);
      const key = JSON.stringify([bucket.start, names]);
      const point = points.get(key) ?? {
        tsBucket: bucket.start,
        values: series.map(() => null),
        ...(names.length > 0 && { group: names }),
      };
      point.values[index] = Number(value);
      points.set(key, point);
    }
  }
  return [...points.values()];
}
