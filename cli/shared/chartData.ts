import type { Point, Series } from "../../drawing";
import { type ApiError, FailedService, RefusedRequest } from "../../provider/api/errors";
import { chartPoints, type GetChartSeriesArgs } from "../../provider/functions/chartSeries";
import { ifServed } from "../../provider/lifecycle/observe";
import { scopeOf } from "../../provider/lifecycle/scope";
import type { Session } from "../../provider/lifecycle/session";
import { isHidden } from "./secrets";

export type Granularity = NonNullable<GetChartSeriesArgs["granularity"]>;

export interface TimeRange {
  /** Start of the time range for chart values, in milliseconds since 1970. */
  readonly from: number;
  /** End of the time range for chart values, in milliseconds since 1970. */
  readonly until: number;
}

/** A query for one series over time, in the form of the API's operation for chart series, with the length of its buckets. */
export interface Question {
  readonly query: GetChartSeriesArgs["series"][number];
  readonly granularity: Granularity;
}

/** Maximum number of chart series that the service accepts in one request, all with the same grouping. */
const seriesPerRequest = 5;
/** HTTP statuses after which no other query for chart values will succeed either. */
const hopeless = [401, 403, 429];

/** The values of a chart, or the reason why there are none. `error` is the service's refusal, if there was one. */
export type ChartAnswer = readonly Point[] | { readonly problem: string; readonly error?: ApiError };

/** Makes a function that finds the id of a data source by its id or name. A series that names none gets the given source. */
export async function sourcesOf(
  usual: string | undefined,
  session: Session,
): Promise<(name: string | undefined) => string | undefined> {
  // If the server cannot list its data sources, a source can only be given by its id.
  const sources = await ifServed(session.lists.read("listSources", scopeOf("observability", {}, session)));
  if (!sources) return (name = usual) => name;
  const idOf = (name: string) =>
    sources.find((source) => source.id === name || (source as { name?: unknown }).name === name)?.id;
  const id = usual === undefined ? undefined : idOf(usual);
  if (usual !== undefined && id === undefined) {
    const names = sources.map((source) => JSON.stringify((source as { name?: unknown }).name ?? source.id));
    throw new Error(
      `the service has no source ${JSON.stringify(usual)}; it has ${names.join(", ") || "none"}`,
    );
  }
  return (name) => (name === undefined ? id : idOf(name));
}

/**
 * The query for a chart series. The API document has no properties for the aggregated field, the quantile, the language and the
 * metric; they are sent if they are declared, since newer servers take them.
 */
export function queryOf(
  { aggFn = "count", where = "", groupBy, field, level, whereLanguage, metricName, metricType }: Series,
  sourceId: string,
): Question["query"] {
  return {
    ...{ sourceId, aggFn, where, groupBy: [...groupBy] },
    ...(field ? { field } : {}),
    ...(level === undefined ? {} : { level }),
    ...(whereLanguage ? { whereLanguage } : {}),
    ...(metricName ? { metricName } : {}),
    ...(metricType ? { metricDataType: metricType } : {}),
  };
}

/**
 * The values for chart queries, by the keys of the queries. Equal queries are sent once, and each request has as many as the
 * service accepts.
 * @throws if no query succeeds, unless the service refused each of them for a reason of its own
 */
export async function answersTo(
  questions: readonly Question[],
  range: TimeRange,
  session: Session,
): Promise<ReadonlyMap<string, ChartAnswer>> {
  const alike = new Map<string, Map<string, Question>>();
  const answers = new Map<string, ChartAnswer>();
  for (const question of questions) {
    const problem = misreadBy(session, question);
    if (problem !== undefined) {
      answers.set(keyOf(question), { problem });
      continue;
    }
    const kind = JSON.stringify([question.query.groupBy, question.granularity]);
    alike.set(kind, (alike.get(kind) ?? new Map()).set(keyOf(question), question));
  }
  const requests = [...alike.values()].flatMap((group) => inParts([...group.values()], seriesPerRequest));
  await Promise.all(
    requests.map(async (together) => {
      const results = await ask(together, range, session);
      for (const [index, question] of together.entries()) answers.set(keyOf(question), results[index] ?? []);
    }),
  );
  const results = [...answers.values()];
  // If a source is missing (404), it is missing for all queries on it, so the error is not about one query.
  const isAboutOne = (error: ApiError) => error instanceof RefusedRequest && error.site.status !== 404;
  const failed = results.flatMap((answer) => ("problem" in answer && answer.error) || []);
  const hopelessError = failed.find((error) => !isAboutOne(error));
  if (hopelessError && results.every((answer) => "problem" in answer)) throw hopelessError;
  return answers;
}

/**
 * The reason why the values of a chart query would be wrong: a part of it is secret, and not known here, or HyperDX takes a field
 * with a dot, such as `Duration / 1000000.0`, for a text and answers 0 for each bucket, while its own charts and alerts evaluate
 * the expression.
 */
function misreadBy({ settings }: Session, { query }: Question): string | undefined {
  if (isHidden(query)) return "a part of its query is secret";
  const { field = "" } = query;
  if (settings.dialect !== "clickhouse" || !field.includes(".")) return undefined;
  return `the chart-series operation takes ${field} for a text, since it has a dot`;
}

/** Sends several chart queries in one request. If the service refuses them together, each is sent by itself. */
async function ask(
  questions: readonly Question[],
  range: TimeRange,
  session: Session,
): Promise<readonly ChartAnswer[]> {
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

export function keyOf(question: Question): string {
  return JSON.stringify(question);
}

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, part) => items.slice(part * size, (part + 1) * size));
}
