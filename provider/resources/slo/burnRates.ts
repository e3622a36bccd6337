/** The days over which an objective holds, such as `28d`. */
export type Period = `${number}d`;

/** The days of a period; 30 by default. */
export function daysOf(period: Period = "30d"): number {
  return Number.parseInt(period, 10);
}

/** A row of the table of alerts: the alert fires while the error budget burns too fast over both windows. */
export interface BurnRate {
  readonly severity: "page" | "ticket";
  /** The share of the error budget that is used up when the alert fires. */
  readonly share: number;
  /** The lengths of the windows in hours. The short window makes the alert end soon after the errors have ended. */
  readonly long: number;
  readonly short: number;
  /** How often the alert is evaluated. */
  readonly interval: "1m" | "5m" | "15m" | "1h";
}

/** The table of multi-window, multi-burn-rate alerts from the SRE workbook, chapter 5: short windows are a twelfth of long ones. */
export const burnRates: readonly BurnRate[] = [
  { severity: "page", share: 0.02, long: 1, short: 1 / 12, interval: "1m" },
  { severity: "page", share: 0.05, long: 6, short: 1 / 2, interval: "5m" },
  { severity: "ticket", share: 0.1, long: 24, short: 2, interval: "15m" },
  { severity: "ticket", share: 0.1, long: 72, short: 6, interval: "1h" },
];

/**
 * The burn rate at which this share of the error budget is used up within the long window. At a rate of 1, the budget
 * lasts exactly for the period of the objective.
 */
export function rateOf({ share, long }: BurnRate, period?: Period): number {
  return Number(((share * daysOf(period) * 24) / long).toFixed(4));
}

/** Whether the alerts of a severity are declared. */
type Alerting = { readonly enabled?: boolean };

/** The rows of the severities that are enabled. */
export function enabledRates(alerting: { readonly page?: Alerting; readonly ticket?: Alerting }) {
  return burnRates.filter(({ severity }) => alerting[severity]?.enabled !== false);
}

/** The share of events that may fail, from an objective in percent: 0.001 for 99.9. */
export function budgetOf(objective: number): number {
  return Number(((100 - objective) / 100).toFixed(12));
}

/** The length of a window in words, such as `5m` and `6h`. */
export function windowName(hours: number): string {
  if (hours < 1) return `${hours * 60}m`;
  return hours >= 24 ? `${hours / 24}d` : `${hours}h`;
}
