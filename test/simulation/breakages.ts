import type { Patch } from "./provider";

/** A deliberate breakage of the provider, which the simulation has to find. */
export interface Breakage {
  /** What the provider does then. */
  readonly title: string;
  readonly patches: readonly Patch[];
}

/** Those that few histories show, for every run of the tests; the others take a long run. */
export const quickTitles: readonly string[] = [
  "repeats no failed call",
  "gives up at the first 429",
  "never ends its turn at the rate limiter",
  "has no time limit for a call",
  "fetches a list for each read",
  "forgets the secret of a new key",
  "says what went wrong on three lines",
];

const breakage = (title: string, module: string, text: string | RegExp, instead: string): Breakage => ({
  title,
  patches: [{ module, text, instead }],
});

/** Each takes away one thing that the provider does on purpose. */
export const breakages: readonly Breakage[] = [
  breakage(
    "repeats no failed call",
    "api/client",
    "if (!mayBeRepeated(error, idempotent) ||",
    "if (true || !mayBeRepeated(error, idempotent) ||",
  ),
  breakage(
    "gives up at the first 429",
    "api/client",
    "if (!isSafe || refusals > maxRetries * patience) throw error;",
    "throw error;",
  ),
  breakage("never ends its turn at the rate limiter", "api/rateLimiter", "this.#underWay--;", ""),
  breakage("has no time limit for a call", "api/client", "attempt.abort()", "undefined"),
  breakage(
    "repeats creates as it repeats reads",
    "api/stackOperations",
    'method: "POST", response: Identified, idempotent: false',
    'method: "POST", response: Identified, idempotent: true',
  ),
  breakage(
    "believes a list alone that an object is gone",
    "lifecycle/objects",
    "if (found) return found;",
    'return found ?? "gone";',
  ),
  breakage("fetches a list for each read", "lifecycle/session", "if (known) return known;", ""),
  breakage(
    "takes every value of a drifted object for normalized",
    "lifecycle/drift",
    "!isNormalized(place, normalized[pathOf(place.keys)])",
    "false",
  ),
  breakage(
    "gives tiles new ids at each update",
    "resources/tiles",
    "return named.map((id, index) => id ?? claim(knownIds[index]));",
    "return named.map(() => undefined);",
  ),
  breakage(
    "deletes the key that signs its requests",
    "resources/apiKey",
    "if (state.keyId === undefined ? !isSigningKey(state, keyId) : state.keyId !== keyId) return;",
    "return;",
  ),
  breakage(
    "forgets the secret of a new key",
    "resources/apiKey",
    'shownAtCreation: ["keyId", "keySecret"]',
    'shownAtCreation: ["keyId"]',
  ),
  breakage(
    "deletes what the program declares under another name",
    "lifecycle/lifecycle",
    "if (!isDeclared) return",
    "return",
  ),
  breakage("says what went wrong on three lines", "api/errors", /\$\{reason\} \(/, "$" + "{reason}\\n\\n("),
];
