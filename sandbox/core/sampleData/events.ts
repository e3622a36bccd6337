import type { Source } from "../resources/sources";
import { sampleContents } from "./contents";
import { activity, fluctuation, incidentStrength, seedOf, uniform } from "./rhythm";

/** Time resolution of the sample data, in milliseconds. */
export const stepLength = 30_000;

/** A cell of the sample data: all events of a source that have the same values in all columns. */
export interface Cell {
  /** The values of the cell's events, by column. */
  values: Record<string, string>;
  share: number;
  seed: number;
  /** The seed of the random fluctuation that all cells of a service share. */
  serviceSeed: number;
  /** Number of additional events of the cell per minute during the daily incident. */
  incidentEvents: number;
  /** Factor by which the daily incident raises the numbers in the cell's events. */
  incidentFactor: number;
}

/**
 * Number of additional events per minute during the daily incident of the sample data, by service: the incident spreads from
 * `api` to `web`.
 */
const incidentEvents: Record<string, number> = { api: 65, web: 6 };
const incidentFactors: Record<string, number> = { api: 2.6, web: 1.3 };

/** The column values by which the sample data marks the events of the incident. */
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

/** One time step of the sample data, the same for every query. */
export interface Moment {
  /** The number of the time step since 1970. */
  step: number;
  time: number;
  activity: number;
  incident: number;
}

export function momentOf(step: number): Moment {
  const time = step * stepLength;
  return { step, time, activity: activity(time), incident: incidentStrength(time) };
}

/** The number of events of a cell of the sample data in a time step. */
export function eventsIn(kind: Source["kind"], cell: Cell, moment: Moment): number {
  const usual =
    sampleContents[kind].eventsPerMinute *
    cell.share *
    moment.activity *
    fluctuation(cell.serviceSeed, moment.time);
  const expected = (usual + cell.incidentEvents * moment.incident) * (stepLength / 60_000);
  const { seed } = cell;
  const { step } = moment;
  // A sum of three random numbers varies the number of events, since it is nearly normally distributed; the bound keeps rare
  // events rare.
  const spread = Math.min(Math.sqrt(expected), expected / 3) * 2;
  const bell = uniform(seed + 1, step) + uniform(seed + 2, step) + uniform(seed + 3, step) - 1.5;
  return Math.floor(expected + spread * bell + uniform(seed + 4, step));
}

/**
 * Adds the numbers (such as durations) of a cell's events in a time step to a list: most are near the median, a few are several
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

/** The relative numbers (such as durations) of the sample data's events by rank; the median is 1. */
const spreadOfMeasures = Array.from({ length: 1000 }, (_, rank) => {
  const place = rank / 1000;
  return 0.45 + 0.95 * place + 0.3 * place ** 2 + 3 * place ** 24;
});
