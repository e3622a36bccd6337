import { milliseconds as spanOf } from "../../drawing/chartValues";

/** Formats a time of day in local time: `14:10:05 CET`. */
export function timeOfDay(moment: string | number): string {
  return new Date(moment).toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
}

export function clockTime(moment: string | number): string {
  return new Date(moment).toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
}

/** Formats a date with time: `20 Nov 2026, 14:10 CET`; `never` if absent. */
export function dateTime(moment: string | undefined | null): string {
  if (!moment) return "never";
  return new Date(moment).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
}

export function milliseconds(duration: string): number {
  return spanOf(duration) ?? 0;
}
