export interface RateLimit {
  requests: number;
  seconds: number;
}

/** Counts requests per credential, to enforce a rate limit. The time window of a credential starts with its first request. */
export class RateLimiter {
  private readonly windows = new Map<string, { ends: number; count: number }>();

  constructor(private readonly limit: RateLimit) {}

  /** Counts a request. Returns 0 if the rate limit allows it; otherwise the seconds until the next request is allowed. */
  count(credential: string, now: number): number {
    let window = this.windows.get(credential);
    if (!window || window.ends <= now) {
      window = { ends: now + this.limit.seconds * 1000, count: 0 };
      this.windows.set(credential, window);
    }
    window.count += 1;
    return window.count > this.limit.requests ? (window.ends - now) / 1000 : 0;
  }

  clear(): void {
    this.windows.clear();
  }
}
