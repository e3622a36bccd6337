import { type Dashboard, milliseconds, type Point, type Tile, type TileData } from "../../../drawing";
import { granularities } from "../../functions/granularities";
import type { Session } from "../../lifecycle/session";
import {
  answersTo,
  type Granularity,
  keyOf,
  type Question,
  queryOf,
  sourcesOf,
  type TimeRange,
} from "../shared/chartData";

/** The values that pictures are to show. */
export interface ShownRange extends TimeRange {
  /** Name or id of the source for series that name none. */
  readonly source: string;
  /** Width of a bucket of charts over time. With `auto` the alert's interval, else one for a usual number of buckets. */
  readonly granularity: Granularity;
}

/** Widths of buckets with their lengths in milliseconds, from the finest; none of them is `auto`. */
const buckets = granularities.flatMap((granularity) => {
  const length = milliseconds(granularity);
  return length === undefined ? [] : [{ granularity, length }];
});
type Bucket = (typeof buckets)[number];

/** For tiles that show one value. */
const wholeTime = buckets.at(-1) as Bucket;
/** More than a tile has pixels for. */
const mostBuckets = 500;
/** As many as the service makes where it is left to it, which it is not: its answer does not say how wide they are. */
const usualBuckets = 60;
/**
 * The values that the tiles of dashboards show, by the chart-series operation. A tile whose question is not answered gets
 * the reason in place of values.
 *
 * @throws when the source is not there, and when the service answers nothing at all
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
 * A threshold only says something about values over as long a time as the alert looks at: the buckets of such a chart are
 * the alert's interval, where no others are asked for and they are not too many to draw.
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

/** One point for each bucket and group, with the values of all series of a tile. */
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
