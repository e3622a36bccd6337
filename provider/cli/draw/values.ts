import {
  type Dashboard,
  milliseconds,
  type Point,
  type Series,
  type Tile,
  type TileData,
} from "../../../drawing";
import { type ApiError, FailedService, RefusedRequest } from "../../api/errors";
import { chartPoints, type GetChartSeriesArgs } from "../../functions/chartSeries";
import { granularities } from "../../functions/granularities";
import { ifServed } from "../../lifecycle/observe";
import { scopeOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";

type Granularity = NonNullable<GetChartSeriesArgs["granularity"]>;

export interface TimeRange {
  /** Name or id of the source for series that name none. */
  readonly source: string;
  /** Start of the time range, in milliseconds since 1970. */
  readonly from: number;
  /** End of the time range, in milliseconds since 1970. */
  readonly until: number;
  /** Width of a bucket of charts over time. With `auto` the alert's interval, else one for a usual number of buckets. */
  readonly granularity: Granularity;
}

interface Question {
  readonly query: GetChartSeriesArgs["series"][number];
  readonly granularity: Granularity;
}

/** Widths of buckets with their lengths in milliseconds, from the finest; none of them is `auto`. */
const buckets = granularities.flatMap((granularity) => {
  const length = milliseconds(granularity);
  return length === undefined ? [] : [{ granularity, length }];
});
type Bucket = (typeof buckets)[number];

/** The service takes at most so many series in one request, all grouped alike. */
const seriesPerRequest = 5;
/** For tiles that show one value. */
const wholeTime = buckets.at(-1) as Bucket;
/** More than a tile has pixels for. */
const mostBuckets = 500;
/** As many as the service makes where it is left to it, which it is not: its answer does not say how wide they are. */
const usualBuckets = 60;
/** These say that no other question will be answered either. */
const hopeless = [401, 403, 429];

type Answer = readonly Point[] | { readonly problem: string; readonly error: ApiError };

/**
 * The values that the tiles of dashboards show, by the chart-series operation. A tile whose question is not answered gets
 * the reason in place of values.
 *
 * @throws when the source is not there, and when the service answers nothing at all
 */
export async function valuesOfTiles(
  dashboards: readonly Dashboard[],
  range: TimeRange,
  session: Session,
): Promise<ReadonlyMap<Tile, TileData>> {
  const sourceOf = await sourcesOf(range.source, session);
  const tiles = dashboards
    .flatMap((dashboard) => dashboard.tiles)
    .filter(({ kind, series }) => kind !== "text" && kind !== "other" && series.length > 0)
    .map((tile) => {
      const { granularity, length } = bucketFor(tile, range);
      const questions = tile.series.map((one): Question | { problem: string } => {
        const sourceId = sourceOf(one.source);
        return sourceId === undefined
          ? { problem: `the service has no source ${JSON.stringify(one.source)}` }
          : { query: queryOf(one, sourceId), granularity };
      });
      return { tile, bucket: length, questions };
    });
  const answers = await answersTo(
    tiles.flatMap(({ questions }) => questions.flatMap((one) => ("problem" in one ? [] : one))),
    range,
    session,
  );
  const { from, until } = range;
  return new Map(
    tiles.map(({ tile, bucket, questions }): [Tile, TileData] => {
      const found = questions.map((one) => ("problem" in one ? one : (answers.get(keyOf(one)) ?? [])));
      const failed = found.find((answer) => "problem" in answer);
      if (failed) return [tile, { problem: failed.problem }];
      return [tile, { from, until, bucket, points: merged(found as (readonly Point[])[]) }];
    }),
  );
}

/**
 * A threshold only says something about values over as long a time as the alert looks at: the buckets of such a chart are
 * the alert's interval, where no others are asked for and they are not too many to draw.
 */
function bucketFor({ kind, alerts }: Tile, { granularity, from, until }: TimeRange): Bucket {
  if (kind !== "line" && kind !== "bar") return wholeTime;
  const intervals = alerts.map(({ interval = "" }) => milliseconds(interval));
  const count = ({ length }: Bucket) => (until - from) / length;
  return (
    buckets.find((one) => one.granularity === granularity) ??
    buckets.find((one) => intervals.includes(one.length) && count(one) <= mostBuckets) ??
    buckets.find((one) => count(one) <= usualBuckets) ??
    wholeTime
  );
}

/** How to find the id of a source by its id or name; where a series names none it is the given one. */
async function sourcesOf(
  given: string,
  session: Session,
): Promise<(name: string | undefined) => string | undefined> {
  // Without the list, a source can only be named by its id.
  const sources = await ifServed(session.list("listSources", scopeOf("observability", {}, session)));
  if (!sources) return (name = given) => name;
  const idOf = (name: string) =>
    sources.find((source) => source.id === name || (source as { name?: unknown }).name === name)?.id;
  const id = idOf(given);
  if (id === undefined) {
    const names = sources.map((source) => JSON.stringify((source as { name?: unknown }).name ?? source.id));
    throw new Error(
      `the service has no source ${JSON.stringify(given)}; it has ${names.join(", ") || "none"}`,
    );
  }
  return (name) => (name === undefined ? id : idOf(name));
}

/** The API document shows no field to aggregate, no level and no language; they are sent where they are declared. */
function queryOf(
  { aggFn = "count", where = "", groupBy, field, level, whereLanguage }: Series,
  sourceId: string,
): Question["query"] {
  return {
    ...{ sourceId, aggFn, where, groupBy: [...groupBy] },
    ...(field ? { field } : {}),
    ...(level === undefined ? {} : { level }),
    ...(whereLanguage ? { whereLanguage } : {}),
  };
}

/**
 * Answers by the keys of questions. Equal questions are asked once, and as many in one request as the service takes.
 *
 * @throws when no question is answered, unless the service has something against each of them
 */
async function answersTo(
  questions: readonly Question[],
  range: TimeRange,
  session: Session,
): Promise<ReadonlyMap<string, Answer>> {
  const alike = new Map<string, Map<string, Question>>();
  for (const question of questions) {
    const kind = JSON.stringify([question.query.groupBy, question.granularity]);
    alike.set(kind, (alike.get(kind) ?? new Map()).set(keyOf(question), question));
  }
  const requests = [...alike.values()].flatMap((group) => inParts([...group.values()], seriesPerRequest));
  const answers = new Map<string, Answer>();
  await Promise.all(
    requests.map(async (together) => {
      const found = await ask(together, range, session);
      for (const [index, question] of together.entries()) answers.set(keyOf(question), found[index] ?? []);
    }),
  );
  const failures = [...answers.values()].flatMap((answer) => ("problem" in answer ? [answer] : []));
  // A missing source is missing for all of them.
  const isAboutOne = (error: ApiError) => error instanceof RefusedRequest && error.site.status !== 404;
  const failed = failures.find(({ error }) => !isAboutOne(error));
  if (failed && failures.length === answers.size) throw failed.error;
  return answers;
}

/** The answers to some questions. Where the service does not answer them together, each is asked by itself. */
async function ask(
  questions: readonly Question[],
  range: TimeRange,
  session: Session,
): Promise<readonly Answer[]> {
  try {
    const points = await chartPoints(
      {
        series: questions.map(({ query }) => query),
        startTime: range.from,
        endTime: range.until,
        granularity: questions[0]?.granularity,
      },
      session,
    );
    return questions.map((_, index) =>
      points.flatMap(({ values, ...point }) => {
        const value = values[index] ?? null;
        return value === null ? [] : [{ ...point, values: [value] }];
      }),
    );
  } catch (error) {
    const isAboutThem = error instanceof RefusedRequest || error instanceof FailedService;
    if (!isAboutThem || hopeless.includes(error.site.status ?? 0)) throw error;
    if (questions.length === 1) return [{ problem: error.reason, error }];
    return (await Promise.all(questions.map((question) => ask([question], range, session)))).flat();
  }
}

function keyOf(question: Question): string {
  return JSON.stringify(question);
}

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, part) => items.slice(part * size, (part + 1) * size));
}

/** One point for each bucket and group, with the values of all series of a tile. */
function merged(series: readonly (readonly Point[])[]): Point[] {
  const found = new Map<string, Point>();
  for (const [index, points] of series.entries()) {
    for (const { tsBucket, group, values } of points) {
      const key = JSON.stringify([tsBucket, group]);
      const before = found.get(key)?.values ?? series.map(() => null);
      found.set(key, {
        tsBucket,
        values: before.map((value, at) => (at === index ? (values[0] ?? null) : value)),
        ...(group ? { group } : {}),
      });
    }
  }
  return [...found.values()];
}
