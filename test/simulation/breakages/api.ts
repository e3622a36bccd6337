import { type Breakage, breakage } from "./breakage";

export const breakagesOfApi: readonly Breakage[] = [
  breakage(
    "repeats no failed call",
    "api/client",
    "if (!mayBeRepeated(error, idempotent) ||",
    "if (true || !mayBeRepeated(error, idempotent) ||",
  ),
  breakage(
    "gives up at the first 429",
    "api/client",
    "if (!isSafe || futile > most || refusals > most * patience) throw error;",
    "throw error;",
  ),
  breakage(
    "never ends its turn at the rate limiter",
    "api/rateLimiter",
    "this.#underWay--;\n    if (hold === undefined)",
    "if (hold === undefined)",
  ),
  breakage(
    "has no time limit for a call",
    "api/client",
    "setTimeout(() => attempt.abort(), timeoutSeconds",
    "setTimeout(() => undefined, timeoutSeconds",
  ),
  breakage(
    "repeats creates as it repeats reads",
    "api/operation",
    'method: "POST", response: Identified, idempotent: false',
    'method: "POST", response: Identified, idempotent: true',
  ),
  breakage("says what went wrong on three lines", "api/errors", /\$\{reason\} \(/, "$" + "{reason}\\n\\n("),
  {
    title: "believes any 404",
    patches: [
      {
        module: "api/errorFingerprints",
        text: "if (status !== 404 || object === undefined) return false;",
        instead: "return status === 404 && object !== undefined;",
      },
      {
        module: "lifecycle/observe",
        text: "if (!isNamed(noun, error) && !hasCode(error))",
        instead: "if (false)",
      },
    ],
  },
  breakage(
    "reads the first page of a list alone",
    "api/pages",
    "if (total === undefined || first.entries.length >= total) return first.entries;",
    "return first.entries;",
  ),
  breakage(
    "exceeds the limit of the product",
    "api/rateLimiter",
    "return excess < 0 ? now",
    "return true ? now",
  ),
  breakage(
    "waits as long as a server asks",
    "api/backoff",
    "return Math.min(wait, longestWaitMilliseconds);",
    "return wait;",
  ),
  breakage(
    "replaces an endpoint without what is there",
    "api/operations",
    "response: QueryEndpoint,\n    idempotent: true,\n    replaces: true,",
    "response: QueryEndpoint,\n    idempotent: true,",
  ),
  breakage(
    "drops what a source has beyond its program",
    "api/operations",
    'updateSource: { ...replace(onBoth("sources/{id}"), "source"),',
    'updateSource: { ...replace(onBoth("sources/{id}"), "source"), replaces: false,',
  ),
];
