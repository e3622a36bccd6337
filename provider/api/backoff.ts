import type { FailedRequest } from "./transportFailures";

/** Longest wait, in milliseconds, before a failed request is sent again, even if the server asks for more. */
const longestWaitMilliseconds = 120_000;

/** Milliseconds to wait before a request is sent again after its nth failure in a row: as the server asks, or ever longer. */
export function waitAfter({ response }: FailedRequest, times: number): number {
  const isLimited = response?.status === 429;
  const requestedWait = isLimited || response?.status === 503 ? waitAskedFor(response.headers) : undefined;
  const wait = requestedWait ?? (isLimited ? 1000 : 200) * 2 ** times * (1 + Math.random() / 5);
  return Math.min(wait, longestWaitMilliseconds);
}

/**
 * Milliseconds that the server asks to wait after a 429 or 503, by `Retry-After` (seconds or a date) or `X-RateLimit-Reset`
 * (seconds). Undefined also for zero: a server that says 0 and refuses again would get requests as fast as it answers.
 */
export function waitAskedFor(headers: unknown, now = Date.now()): number | undefined {
  const headersByName = headers as Record<string, string | undefined>;
  return ["retry-after", "x-ratelimit-reset"]
    .map((header) => millisecondsIn(headersByName[header]?.trim() ?? "", now))
    .find((milliseconds) => milliseconds > 0);
}

/** The milliseconds that a header of the answer asks to wait; zero or less, or NaN, if it names no moment in the future. */
function millisecondsIn(text: string, now: number): number {
  // Date.parse reads even lists of numbers as dates, so the text of a `Retry-After` date has to contain a time of day.
  if (!/^[\d.]+$/.test(text)) return /\d:\d\d/.test(text) ? Date.parse(text) - now : 0;
  const seconds = Number(text);
  // Some gateways put the time of the rate limit's reset into `X-RateLimit-Reset` in seconds since 1970, instead of the seconds
  // until the reset.
  return seconds > 1e9 ? seconds * 1000 - now : seconds * 1000;
}
