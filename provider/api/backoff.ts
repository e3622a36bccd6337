import type { FailedRequest } from "./transportFailures";

/** A server that asks for more gets this. */
const longestWaitMilliseconds = 120_000;

/** How long to wait after the nth failure in a row, in milliseconds: as the server asks, or else longer each time. */
export function waitAfter({ response }: FailedRequest, times: number): number {
  const isLimited = response?.status === 429;
  const requestedWait = isLimited || response?.status === 503 ? waitAskedFor(response.headers) : undefined;
  const wait = requestedWait ?? (isLimited ? 1000 : 200) * 2 ** times * (1 + Math.random() / 5);
  return Math.min(wait, longestWaitMilliseconds);
}

/**
 * The wait that a 429 or 503 asks for, in milliseconds: `Retry-After` in seconds or as a date, or `X-RateLimit-Reset` in
 * seconds. Undefined unless it is a wait: a server that says 0 and refuses again would be asked as fast as it answers.
 */
export function waitAskedFor(headers: unknown, now = Date.now()): number | undefined {
  const headersByName = headers as Record<string, string | undefined>;
  return ["retry-after", "x-ratelimit-reset"]
    .map((header) => millisecondsIn(headersByName[header]?.trim() ?? "", now))
    .find((milliseconds) => milliseconds > 0);
}

/** Zero or less, or not a number, where a header names no moment to come. */
function millisecondsIn(text: string, now: number): number {
  // Date.parse finds dates in the strangest texts, lists of numbers among them.
  if (!/^[\d.]+$/.test(text)) return /\d:\d\d/.test(text) ? Date.parse(text) - now : 0;
  const seconds = Number(text);
  // Some gateways send the time of the reset since 1970 instead of the seconds until then.
  return seconds > 1e9 ? seconds * 1000 - now : seconds * 1000;
}
