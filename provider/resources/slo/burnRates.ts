/** A number of days, such as `28d`. */
export type Period = `${number}d`;

export function daysOf(period: Period = "30d"): number {
  return Number.parseInt(period, 10);
}

/** One alert of a service level objective. It fires while the error budget burns too fast over both of its time windows. */
export interface BurnRate {
  readonly severity: "page" | "ticket";
  /** The share of the error budget that is used up when the alert fires. */
  readonly share: number;
  /** The lengths of the alert's two time windows in hours. The short one makes the alert end soon after the errors. */
  readonly long: number;
  readonly short: number;
  /** How often the service evaluates the alert. */
  readonly interval: "1m" | "5m" | "15m" | "1h";
}

/** The multi-window, multi-burn-rate alerts of the SRE workbook, chapter 5: a short window is a twelfth of the long one. */
export const burnRates: readonly BurnRate[] = [
  { severity: "page", share: 0.02, long: 1, short: 1 / 12, interval: "1m" },
  { severity: "page", share: 0.05, long: 6, short: 1 / 2, interval: "5m" },
  { severity: "ticket", share: 0.1, long: 24, short: 2, interval: "15m" },
  { severity: "ticket", share: 0.1, long: 72, short: 6, interval: "1h" },
];

/**
 * The burn rate at which an alert fires: it uses up the alert's share of the error budget within the alert's long window. At a
 * rate of 1, the budget lasts exactly for the period of the service level objective.
 */
export function rateOf({ share, long }: BurnRate, period?: Period): number {
  return Number(((share * daysOf(period) * 24) / long).toFixed(4));
}

/** Whether the alerts of one severity of a service level objective are declared. */
type Alerting = { readonly enabled?: boolean };

export function enabledRates(alerting: { readonly page?: Alerting; readonly ticket?: Alerting }) {
  return burnRates.filter(({ severity }) => alerting[severity]?.enabled !== false);
}

/** The share of events that may fail, computed from a service level objective in percent: 0.001 for 99.9. */
export function budgetOf(objective: number): number {
  return Number(((100 - objective) / 100).toFixed(12));
}

/** The length of a burn-rate window as text, such as `5m` or `6h`. */
export function windowName(hours: number): string {
  if (hours < 1) return `${hours * 60}m`;
  return hours >= 24 ? `${hours / 24}d` : `${hours}h`;
}
