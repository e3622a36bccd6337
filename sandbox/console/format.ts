/** `14:10:05` */
export function timeOfDay(moment: string | number): string {
  return new Date(moment).toLocaleTimeString("en-GB");
}

/** `20 Nov 2026, 14:10`, `never` without a moment. */
export function dateTime(moment: string | undefined | null): string {
  if (!moment) return "never";
  return new Date(moment).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `5m` in milliseconds; 0 for what is no duration. */
export function milliseconds(duration: string): number {
  return Number.parseInt(duration, 10) * (units[duration.slice(-1)] ?? 0) || 0;
}
