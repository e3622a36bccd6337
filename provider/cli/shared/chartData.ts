import type { Point, Series } from "../../../drawing";
import { type ApiError, FailedService, RefusedRequest } from "../../api/errors";
import { chartPoints, type GetChartSeriesArgs } from "../../functions/chartSeries";
import { ifServed } from "../../lifecycle/observe";
import { scopeOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";

export type Granularity = NonNullable<GetChartSeriesArgs["granularity"]>;

export interface TimeRange {
  /** Start of the time range, in milliseconds since 1970. */
  readonly from: number;
  /** End of the time range, in milliseconds since 1970. */
  readonly until: number;
}

/** One series over time, as the chart-series operation takes it. */
export interface Question {
  readonly query: GetChartSeriesArgs["series"][number];
  readonly granularity: Granularity;
}

/** The service takes at most so many series in one request, all grouped alike. */
const seriesPerRequest = 5;
/** These say that no other question will be answered either. */
const hopeless = [401, 403, 429];

/** The values of a chart, or the reason why there are none; `error` is the refusal of the service, if it refused. */
export type ChartAnswer = readonly Point[] | { readonly problem: string; readonly error?: ApiError };

/** How to find the id of a source by its id or name; where a series names none it is the given one. */
export async function sourcesOf(
  usual: string | undefined,
  session: Session,
): Promise<(name: string | undefined) => string | undefined> {
  // Without the list, a source can only be named by its id.
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

/** The API document shows no field to aggregate, no level, language or metric; they are sent where they are declared. */
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
 * Answers by the keys of questions. Equal questions are asked once, and as many in one request as the service takes.
 *
 * @throws when no question is answered, unless the service has something against each of them
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
  // A missing source is missing for all of them.
  const isAboutOne = (error: ApiError) => error instanceof RefusedRequest && error.site.status !== 404;
  const failed = results.flatMap((answer) => ("problem" in answer && answer.error) || []);
  const hopelessError = failed.find((error) => !isAboutOne(error));
  if (hopelessError && results.every((answer) => "problem" in answer)) throw hopelessError;
  return answers;
}

/**
 * Why an answer would be wrong. HyperDX takes a field with a dot, such as `Duration / 1000000.0`, for a text, and answers 0 for
 * each bucket, while its own charts and alerts evaluate the expression.
 */
function misreadBy({ settings }: Session, { query: { field = "" } }: Question): string | undefined {
  if (settings.dialect !== "clickhouse" || !field.includes(".")) return undefined;
  return `the chart-series operation takes ${field} for a text, since it has a dot`;
}

/** The answers to some questions. Where the service does not answer them together, each is asked by itself. */
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
