import { milliseconds as spanOf } from "../../drawing/values";

/** `14:10:05` */
export function timeOfDay(moment: string | number): string {
  return new Date(moment).toLocaleTimeString("en-GB");
}

/** `20 Nov 2026, 14:10`; `never` if absent. */
export function dateTime(moment: string | undefined | null): string {
  if (!moment) return "never";
  return new Date(moment).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** `5m` in milliseconds; 0 if it is not a duration. */
export function milliseconds(duration: string): number {
  return spanOf(duration) ?? 0;
}
