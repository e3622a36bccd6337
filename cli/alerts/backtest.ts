import type { Session } from "../../provider/lifecycle/session";
import type { PropertyMap } from "../../provider/values/data";
import { answersTo, type ChartAnswer, keyOf, type TimeRange } from "../shared/chartData";
import { bucketsIn, type Firing, type FiringRule, firingsOf } from "./firings";
import type { Unknowable, Watched } from "./watched";

export type Range = TimeRange;

interface Named {
  readonly name: string;
  readonly alert: PropertyMap;
}

export interface Fired extends Named {
  readonly rule: FiringRule;
  /** The start and the value of each complete bucket (interval) that the alert evaluates. */
  readonly buckets: readonly (readonly [start: number, value: number])[];
  readonly firings: readonly Firing[];
}

/** The times at which an alert would have fired, or the reason why they cannot be computed. */
export type Result = Fired | (Named & Unknowable);

/** Reads the past values that alerts would have compared with their thresholds. Equal series are read only once. */
export async function backtest(
  alerts: readonly (Named & { readonly watched: Watched | Unknowable })[],
  range: Range,
  session: Session,
): Promise<readonly Result[]> {
  const questions = alerts.flatMap(({ watched }) => ("reason" in watched ? [] : watched.questions));
  const answers = await answersTo(questions, range, session);
  return alerts.map(({ watched, ...named }) => ({
    ...named,
    ...("reason" in watched ? watched : firedBy(watched, answers, range)),
  }));
}

function firedBy(
  { questions, rule, value }: Watched,
  answers: ReadonlyMap<string, ChartAnswer>,
  range: Range,
): Omit<Fired, keyof Named> | Unknowable {
  const chartAnswers = questions.map((question) => answers.get(keyOf(question)) ?? []);
  const failed = chartAnswers.find((answer) => "problem" in answer);
  if (failed) return { reason: failed.problem };
  const columns = (chartAnswers as Exclude<ChartAnswer, { problem: string }>[]).map(
    (points) =>
      new Map(
        points.flatMap(({ tsBucket, values: [only] }) =>
          typeof only === "number" ? [[tsBucket, only]] : [],
        ),
      ),
  );
  const starts = new Set(columns.flatMap((column) => [...column.keys()]));
  const values = new Map(
    [...starts].flatMap((start) => {
      const compared = value(columns.map((column) => column.get(start)));
      return compared === undefined ? [] : [[start, compared] as const];
    }),
  );
  const buckets = bucketsIn(range, rule.interval, values);
  return { rule, buckets, firings: firingsOf(buckets, rule) };
}
