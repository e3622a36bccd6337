import type { Source } from "../resources/sources";
import { sampleContents } from "./contents";
import { activity, fluctuation, incidentStrength, seedOf, uniform } from "./rhythm";

/** Time resolution of the sample data, in milliseconds. */
export const stepLength = 30_000;

/** A cell of the sample data (all events of a source that have the same values in all columns). */
export interface Cell {
  values: Record<string, string>;
  share: number;
  seed: number;
  /** The seed of the random fluctuation that all cells (groups of equal events) of a service share. */
  serviceSeed: number;
  incidentEvents: number;
  incidentFactor: number;
}

/**
 * The sample data contains a daily incident, which adds this number of events per minute for each service: it spreads from
 * `api` to `web`.
 */
const incidentEvents: Record<string, number> = { api: 65, web: 6 };
const incidentFactors: Record<string, number> = { api: 2.6, web: 1.3 };

/** The column values that mark events of the daily incident in the sample data. */
const failures = ["error", "Error"];

export function cellsOf({ id, kind }: Source): Cell[] {
  const { columns, eventsPerMinute } = sampleContents[kind];
  let combinations: { values: Record<string, string>; share: number }[] = [{ values: {}, share: 1 }];
  for (const [column, shares] of Object.entries(columns)) {
    combinations = combinations.flatMap(({ values, share }) =>
      Object.entries(shares).map(([value, part]) => ({
        values: { ...values, [column]: value },
        share: share * part,
      })),
    );
  }
  return combinations.map(({ values, share }) => {
    const service = values.ServiceName ?? "";
    const fails = Object.values(values).some((value) => failures.includes(value));
    const scale = eventsPerMinute / sampleContents.log.eventsPerMinute;
    return {
      values,
      share,
      seed: seedOf(`${id} ${Object.values(values).join(" ")}`),
      serviceSeed: seedOf(`${id} ${service}`),
      incidentEvents: fails ? (incidentEvents[service] ?? 0) * scale : 0,
      incidentFactor: incidentFactors[service] ?? 1,
    };
  });
}

/** One time step of the sample data. Every query sees the same values in it. */
export interface Moment {
  step: number;
  time: number;
  activity: number;
  incident: number;
}

export function momentOf(step: number): Moment {
  const time = step * stepLength;
  return { step, time, activity: activity(time), incident: incidentStrength(time) };
}

/** Computes the number of events of a cell of the sample data (a group of equal events) in a time step. */
export function eventsIn(kind: Source["kind"], cell: Cell, moment: Moment): number {
  const usual =
    sampleContents[kind].eventsPerMinute *
    cell.share *
    moment.activity *
    fluctuation(cell.serviceSeed, moment.time);
  const expected = (usual + cell.incidentEvents * moment.incident) * (stepLength / 60_000);
  const { seed } = cell;
  const { step } = moment;
  // A sum of three random numbers is nearly normally distributed, and varies the number of sample events. The variation is at
  // most the expected number, so that rare events stay rare.
  const spread = Math.min(Math.sqrt(expected), expected / 3) * 2;
  const bell = uniform(seed + 1, step) + uniform(seed + 2, step) + uniform(seed + 3, step) - 1.5;
  return Math.floor(expected + spread * bell + uniform(seed + 4, step));
}

/**
 * Adds the numbers (such as durations) of sample events in a time step to a list: most are near the median, a few are several
 * times as large.
 */
export function addMeasures(kind: Source["kind"], cell: Cell, moment: Moment, measures: number[]): void {
  const load = 0.7 + 0.3 * moment.activity;
  const trouble = 1 + (cell.incidentFactor - 1) * moment.incident;
  const typical =
    sampleContents[kind].measure.median * load * trouble * fluctuation(~cell.serviceSeed, moment.time);
  for (let event = eventsIn(kind, cell, moment); event > 0; event -= 1) {
    const place = Math.floor(uniform(cell.seed + 5 + event, moment.step) * spreadOfMeasures.length);
    measures.push(typical * (spreadOfMeasures[place] as number));
  }
}

/**
 * The sizes of numbers (such as durations) in the sample data's events, relative to their median, from the smallest to the
 * largest.
 */
const spreadOfMeasures = Array.from({ length: 1000 }, (_, rank) => {
  const place = rank / 1000;
  return 0.45 + 0.95 * place + 0.3 * place ** 2 + 3 * place ** 24;
});
