import { budgetOf } from "./burnRates";

/** The events of an objective in SQL. */
export interface Events {
  readonly from: string;
  readonly timestamp: string;
  readonly good: string;
  readonly total: string;
}

/** The end of the range of time of a dashboard, and of the evaluation of an alert. */
const end = "$__toTime";

/**
 * How many times faster than the objective allows the budget burnt in the last so many hours, of the windows the lowest: an alert
 * then fires only while it burns too fast over each of them. Without events it is 0.
 */
export function burnQuery(events: Events, objective: number, windows: readonly number[]): string {
  const longest = Math.max(...windows);
  const rates = windows.map((hours) => burn(`slo_time > ${before(hours)}`, objective));
  return `SELECT ${rates.length > 1 ? `least(\n  ${rates.join(",\n  ")}\n)` : rates[0]} AS burn_rate
FROM (${eventsIn(events, `> ${before(longest)}`)})`;
}

/** The share of the error budget that is left after the last days: 1 if it is untouched, below 0 if it is overdrawn. */
export function budgetQuery(events: Events, objective: number, days: number): string {
  return `SELECT 1 - ${burn("1", objective)} AS budget_left
FROM (${eventsIn(events, `> ${before(days * 24)}`)})`;
}

/** Burn rates over time. */
export function burnSeriesQuery(events: Events, objective: number): string {
  return `SELECT $__timeInterval(slo_time) AS slo_bucket, ${burn("1", objective)} AS burn_rate
FROM (${eventsIn(events, ">= $__fromTime")})
GROUP BY slo_bucket
ORDER BY slo_bucket`;
}

/** One scan; texts of the user stand in parentheses and on lines of their own, since they may end in a comment. */
function eventsIn({ from, timestamp, good, total }: Events, start: string): string {
  return `
  SELECT
    ${number(total)} AS slo_total,
    ${number(good)} AS slo_good,
    (
      ${timestamp}
    ) AS slo_time
  FROM ${from}
  WHERE (
      ${timestamp}
    ) ${start} AND (
      ${timestamp}
    ) <= ${end}
`;
}

function number(expression: string): string {
  return `toFloat64(ifNull((
      ${expression}
    ), 0))`;
}

/** The service takes no answer and a null for 0, and cuts numbers that are no floats to whole ones. */
function burn(condition: string, objective: number): string {
  const [total, good] = [`sumIf(slo_total, ${condition})`, `sumIf(slo_good, slo_total > 0 AND ${condition})`];
  return `if(${total} > 0, greatest(0., 1 - ${good} / ${total}), 0.) / ${budgetOf(objective)}`;
}

function before(hours: number): string {
  return `${end} - INTERVAL ${Math.round(hours * 60)} MINUTE`;
}
