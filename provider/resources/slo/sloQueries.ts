import { budgetOf } from "./burnRates";

/** The events of a service level objective, as SQL expressions. */
export interface Events {
  readonly from: string;
  readonly timestamp: string;
  readonly good: string;
  readonly total: string;
}

/** An SQL macro for the end of a dashboard's time range, or of the time that an alert evaluates. */
const end = "$__toTime";

/**
 * An SQL query for the lowest burn rate of the given windows in hours, so that an alert fires only while the error budget burns
 * too fast in each window. Without events it is 0.
 */
export function burnQuery(events: Events, objective: number, windows: readonly number[]): string {
  const longest = Math.max(...windows);
  const rates = windows.map((hours) => burn(`slo_time > ${before(hours)}`, objective));
  return `SELECT ${rates.length > 1 ? `least(\n  ${rates.join(",\n  ")}\n)` : rates[0]} AS burn_rate
FROM (${eventsIn(events, `> ${before(longest)}`)})`;
}

/** An SQL query for the share of the error budget that is left, below 0 if more is used up than allowed. */
export function budgetQuery(events: Events, objective: number, days: number): string {
  return `SELECT 1 - ${burn("1", objective)} AS budget_left
FROM (${eventsIn(events, `> ${before(days * 24)}`)})`;
}

/** An SQL query for the burn rates of a service level objective over time. */
export function burnSeriesQuery(events: Events, objective: number): string {
  return `SELECT $__timeInterval(slo_time) AS slo_bucket, ${burn("1", objective)} AS burn_rate
FROM (${eventsIn(events, ">= $__fromTime")})
GROUP BY slo_bucket
ORDER BY slo_bucket`;
}

/**
 * An SQL query for events, in one scan of the table. Expressions of the user, which may end in a comment, are in parentheses on
 * lines of their own.
 */
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

/**
 * An SQL expression for a burn rate. It is a float, since the service treats null as 0 and rounds other types to whole numbers.
 */
function burn(condition: string, objective: number): string {
  const [total, good] = [`sumIf(slo_total, ${condition})`, `sumIf(slo_good, slo_total > 0 AND ${condition})`];
  return `if(${total} > 0, greatest(0., 1 - ${good} / ${total}), 0.) / ${budgetOf(objective)}`;
}

function before(hours: number): string {
  return `${end} - INTERVAL ${Math.round(hours * 60)} MINUTE`;
}
