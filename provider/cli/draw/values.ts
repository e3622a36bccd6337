import { RefusedRequest } from "../../api/errors";
import { chartPoints, type GetChartSeriesArgs } from "../../data/chartSeries";
import { granularities } from "../../data/granularities";
import type { Dashboard, Point, Series, Tile, TileData } from "../../drawing";
import type { Session } from "../../lifecycle/session";
import { stackPlaceOf } from "../../resources/placement";

/** Which values to ask the service for. */
export interface TimeRange {
  /** Name or id of the source for series that name none. */
  readonly source: string;
  /** Start of the time range, in milliseconds since 1970. */
  readonly from: number;
  /** End of the time range, in milliseconds since 1970. */
  readonly until: number;
  /** Width of a bucket of charts over time. */
  readonly granularity: NonNullable<GetChartSeriesArgs["granularity"]>;
}

/** One series of a tile, as the service is asked for it. */
interface Question {
  readonly query: GetChartSeriesArgs["series"][number];
  readonly granularity: TimeRange["granularity"];
}

/** The service takes at most so many series in one request, all grouped alike. */
const seriesPerRequest = 5;
/** Few buckets for what shows one value for the whole time. */
const wholeTime = "30d";
/** More than a tile has pixels for. */
const mostBuckets = 500;
/** These say that no other question will be answered either. */
const hopeless = [401, 403, 429];

/** The points of one series, or why there are none. */
type Answer = readonly Point[] | { readonly problem: string };

/**
 * The values that the tiles of dashboards show, by the chart-series operation. A tile whose question the service refuses
 * gets the reason in place of values.
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
      const granularity = granularityFor(tile, range);
      const questions = tile.series.map((one) => ({
        query: queryOf(one, sourceOf(one.source)),
        granularity,
      }));
      return { tile, keys: questions.map(keyOf), questions };
    });
  const answers = await answersTo(
    tiles.flatMap(({ questions }) => questions),
    range,
    session,
  );
  return new Map(
    tiles.map(({ tile, keys }): [Tile, TileData] => {
      const series: (readonly Point[])[] = [];
      for (const key of keys) {
        const answer = answers.get(key) ?? [];
        if ("problem" in answer) return [tile, answer];
        series.push(answer);
      }
      return [tile, { from: range.from, until: range.until, points: merged(series) }];
    }),
  );
}

/**
 * A threshold only says something about values over as long a time as the alert looks at: the buckets of such a chart are
 * the alert's interval, where no others are asked for and they are not too many to draw.
 */
function granularityFor(
  { kind, alerts }: Tile,
  { granularity, from, until }: TimeRange,
): Question["granularity"] {
  if (kind !== "line" && kind !== "bar") return wholeTime;
  const interval = granularities.find((width) => width === alerts[0]?.interval);
  if (granularity !== "auto" || interval === undefined || interval === "auto") return granularity;
  const [count = "", unit = ""] = interval.match(/\d+|\D/g) ?? [];
  const length = Number(count) * ({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 0);
  return (until - from) / length <= mostBuckets ? interval : granularity;
}

/** How to find the id of a source: by id or name, else the given one. */
async function sourcesOf(given: string, session: Session): Promise<(name: string | undefined) => string> {
  // Without the list, a source can only be named by its id.
  if (!session.allows("listSources")) return () => given;
  const sources = await session.list("listSources", stackPlaceOf({}, session));
  const idOf = (name: string | undefined) =>
    sources.find((source) => source.id === name || (source as { name?: unknown }).name === name)?.id;
  const id = idOf(given);
  if (id === undefined) {
    const names = sources.map((source) => JSON.stringify((source as { name?: unknown }).name ?? source.id));
    throw new Error(
      `the service has no source ${JSON.stringify(given)}; it has ${names.join(", ") || "none"}`,
    );
  }
  return (name) => idOf(name) ?? id;
}

/** The API document shows no field to aggregate; servers that have one need it for all but counts. */
function queryOf(
  { aggFn = "count", where = "", groupBy, field }: Series,
  sourceId: string,
): Question["query"] {
  return { sourceId, aggFn, where, groupBy: [...groupBy], ...(field ? { field } : {}) };
}

/** Answers by the keys of questions. Equal questions are asked once, and as many in one request as the service takes. */
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
  return answers;
}

/** The answers to some questions. Where the service refuses them together, each is asked by itself. */
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
    if (!(error instanceof RefusedRequest) || hopeless.includes(error.site.status ?? 0)) throw error;
    if (questions.length === 1) return [{ problem: error.reason }];
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
