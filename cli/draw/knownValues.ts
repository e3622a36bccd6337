import { type Dashboard, milliseconds, type Point, type Tile, type TileData } from "../../drawing";
import { enums } from "../../provider/api/enums.golden";
import type { Session } from "../../provider/lifecycle/session";
import {
  answersTo,
  type Granularity,
  keyOf,
  type Question,
  queryOf,
  sourcesOf,
  type TimeRange,
} from "../shared/chartData";

/** The settings for the values that tiles show in pictures: a time range, a data source and a granularity. */
export interface ShownRange extends TimeRange {
  /** The name or id of the data source for series that name none. */
  readonly source: string;
  /**
   * The length of a bucket in charts over time. `auto` uses the interval of the tile's alert, or else the length that gives
   * about as many buckets as the service makes.
   */
  readonly granularity: Granularity;
}

/** Possible lengths of buckets with their milliseconds, in ascending order, without `auto`. */
const buckets = enums.granularity.flatMap((granularity) => {
  const length = milliseconds(granularity);
  return length === undefined ? [] : [{ granularity, length }];
});
type Bucket = (typeof buckets)[number];

/** The length of the buckets that are read for tiles that show a single value. */
const wholeTime = buckets.at(-1) as Bucket;
/** Maximum number of buckets in a drawn chart, about the number of pixels that a tile has. */
const mostBuckets = 500;
/** The number of buckets that the service makes for `auto`; its response does not contain the length that it chose. */
const usualBuckets = 60;
/**
 * Reads the values that tiles of dashboards show by the API's operation for chart series. If a query fails, its tile gets the
 * reason instead of values.
 * @throws if the source does not exist, or if the service answers no query
 */
export async function valuesOfTiles(
  dashboards: readonly Dashboard[],
  range: ShownRange,
  session: Session,
): Promise<ReadonlyMap<Tile, TileData>> {
  const sourceOf = await sourcesOf(range.source, session);
  const tiles = dashboards
    .flatMap((dashboard) => dashboard.tiles)
    .filter(({ kind, series }) => kind !== "text" && kind !== "other" && series.length > 0)
    .map((tile) => {
      const { granularity, length } = bucketFor(tile, range);
      const questions = tile.series.map((series): Question | { problem: string } => {
        const sourceId = sourceOf(series.source);
        return sourceId === undefined
          ? { problem: `the service has no source ${JSON.stringify(series.source)}` }
          : { query: queryOf(series, sourceId), granularity };
      });
      return { tile, bucket: length, questions };
    });
  const answers = await answersTo(
    tiles.flatMap(({ questions }) =>
      questions.flatMap((question) => ("problem" in question ? [] : question)),
    ),
    range,
    session,
  );
  const { from, until } = range;
  return new Map(
    tiles.map(({ tile, bucket, questions }): [Tile, TileData] => {
      const results = questions.map((question) =>
        "problem" in question ? question : (answers.get(keyOf(question)) ?? []),
      );
      const failed = results.find((answer) => "problem" in answer);
      if (failed) return [tile, { problem: failed.problem }];
      return [tile, { from, until, bucket, points: merged(results as (readonly Point[])[]) }];
    }),
  );
}

/**
 * The requested bucket length, or the interval of the tile's alert, so that values compare with the threshold, unless the
 * buckets are too many to draw.
 */
function bucketFor({ kind, alerts }: Tile, { granularity, from, until }: ShownRange): Bucket {
  if (kind !== "line" && kind !== "bar") return wholeTime;
  const intervals = alerts.map(({ interval = "" }) => milliseconds(interval));
  const count = ({ length }: Bucket) => (until - from) / length;
  return (
    buckets.find((bucket) => bucket.granularity === granularity) ??
    buckets.find((bucket) => intervals.includes(bucket.length) && count(bucket) <= mostBuckets) ??
    buckets.find((bucket) => count(bucket) <= usualBuckets) ??
    wholeTime
  );
}

/** Makes one point for each bucket and group, with the values of all series of a tile. */
function merged(series: readonly (readonly Point[])[]): Point[] {
  const pointsByKey = new Map<string, Point>();
  for (const [index, points] of series.entries()) {
    for (const { tsBucket, group, values } of points) {
      const key = JSON.stringify([tsBucket, group]);
      const before = pointsByKey.get(key)?.values ?? series.map(() => null);
      pointsByKey.set(key, {
        tsBucket,
        values: before.map((value, at) => (at === index ? (values[0] ?? null) : value)),
        ...(group ? { group } : {}),
      });
    }
  }
  return [...pointsByKey.values()];
}
