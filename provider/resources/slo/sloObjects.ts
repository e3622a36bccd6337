import { type BurnRate, burnRates, daysOf, type Period, rateOf, windowName } from "./burnRates";
import type { SloInputs } from "./slo";
import { budgetQuery, burnQuery, burnSeriesQuery, type Events } from "./sloQueries";

/** The table of a service level objective's events, and the connection to its database. */
export interface EventTable extends Pick<Events, "from" | "timestamp"> {
  readonly connectionId: string;
}

/**
 * The tiles of a service level objective's dashboard. Each burn rate has a tile even if its alert is disabled: if the tile came
 * and went with the alert, the service would delete the alert with it.
 */
export function sloTiles(inputs: SloInputs, { connectionId, ...table }: EventTable) {
  const { objective, window, good, total = "1", runbook } = inputs;
  const events = { ...table, good, total };
  const days = daysOf(window);
  const sql = { configType: "sql", connectionId } as const;
  return [
    {
      ...{ name: "Error budget left", w: 24 },
      config: {
        ...sql,
        displayType: "number",
        sqlTemplate: budgetQuery(events, objective, days),
        numberFormat: { output: "percent", mantissa: 1 },
      },
    },
    ...burnRates.map((rate) => ({
      name: tileName(rate),
      config: {
        ...sql,
        displayType: "number",
        sqlTemplate: burnQuery(events, objective, [rate.long, rate.short]),
        numberFormat: { output: "number", mantissa: 2 },
      },
    })),
    {
      ...{ name: "Burn rate over time", row: true, w: 24 },
      config: { ...sql, displayType: "line", sqlTemplate: burnSeriesQuery(events, objective) },
    },
    {
      ...{ name: "Objective", w: 24 },
      config: {
        displayType: "markdown",
        markdown: [
          `${objective} % of the events are to be good over ${days} days. A burn rate of 1 uses up the error budget in that time.`,
          ...(runbook === undefined ? [] : [runbook]),
        ].join("\n\n"),
      },
    },
  ] as const;
}

/** The inputs of a service level objective's alert that follow from its burn rate. */
export function sloAlert(rate: BurnRate, name: string, window?: Period) {
  const [long, short] = [windowName(rate.long), windowName(rate.short)];
  return {
    name: `${name}: ${rate.severity}, ${rate.share * 100} % of the error budget in ${long}`,
    message: `The error budget burns too fast, over the last ${long} and the last ${short}.`,
    threshold: rateOf(rate, window),
    thresholdType: "above",
    interval: rate.interval,
  } as const;
}

export function tileName({ long, short }: BurnRate): string {
  return `Burn rate, ${windowName(long)} and ${windowName(short)}`;
}
