import type { FailedRequest } from "./transportFailures";

/** Longest wait, in milliseconds, after a failure, even if the server asks for more. */
const longestWaitMilliseconds = 120_000;

/** Milliseconds to wait after the nth failure in a row: as the server asks, or else longer each time. */
export function waitAfter({ response }: FailedRequest, times: number): number {
  const isLimited = response?.status === 429;
  const requestedWait = isLimited || response?.status === 503 ? waitAskedFor(response.headers) : undefined;
  const wait = requestedWait ?? (isLimited ? 1000 : 200) * 2 ** times * (1 + Math.random() / 5);
  return Math.min(wait, longestWaitMilliseconds);
}

/**
 * Milliseconds to wait after a 429 or 503, as the server asks by `Retry-After` (seconds or a date) or
 * `X-RateLimit-Reset` (seconds). Undefined for anything else, zero included: otherwise a server that says 0 and refuses
 * again would be asked as fast as it answers.
 */
export function waitAskedFor(headers: unknown, now = Date.now()): number | undefined {
  const headersByName = headers as Record<string, string | undefined>;
  return ["retry-after", "x-ratelimit-reset"]
    .map((header) => millisecondsIn(headersByName[header]?.trim() ?? "", now))
    .find((milliseconds) => milliseconds > 0);
}

/** The milliseconds that a header asks to wait; zero or less, or NaN, if it names no moment in the future. */
function millisecondsIn(text: string, now: number): number {
  // Date.parse takes even lists of numbers for dates, so the text has to contain a time of day.
  if (!/^[\d.]+$/.test(text)) return /\d:\d\d/.test(text) ? Date.parse(text) - now : 0;
  const seconds = Number(text);
  // Some gateways send the time of the reset in seconds since 1970, instead of the seconds until then.
  return seconds > 1e9 ? seconds * 1000 - now : seconds * 1000;
}
