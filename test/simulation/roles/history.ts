import { Random } from "../random";

/**
 * The API keys whose role each writer (a stack or a person) changes in a simulated history. A writer must not touch the keys of
 * other writers.
 */
export const keysOf = {
  a: ["a 1", "a 2", "a 3"],
  b: ["b 1", "b 2"],
  page: ["page 1", "page 2", "page 3"],
} as const;

export type StackName = "a" | "b";

/**
 * A step of one writer (a stack or a person) in a simulated history of roles. `after` is in milliseconds since the writer's
 * previous step.
 */
export type Step =
  /** In this step of a simulated history a stack runs `pulumi up` with a program in which these API keys have the role. */
  | { readonly kind: "up"; readonly after: number; readonly declared: readonly string[] }
  /**
   * In this step of a simulated history a person reads the role's list of actors (API keys and users) in the web page, waits,
   * and writes it back with one API key added or removed.
   */
  | { readonly kind: "list"; readonly after: number; readonly thinks: number; readonly key: string }
  /** In this step of a simulated history a person gives one API key the role in the web page, or takes it away. */
  | { readonly kind: "key"; readonly after: number; readonly key: string };

/** A simulated history of a role: the steps of three writers (two stacks and a person) who act at the same time. */
export interface History {
  readonly steps: { readonly [Writer in StackName | "page"]: readonly Step[] };
  /** The rate limit of each simulated provider process in requests per second; 0 for no limit. */
  readonly requestsPerSecond: number;
  /**
   * The number of unrelated objects that a simulated update reads at the same time, six times each. Their requests also wait
   * for the rate limit.
   */
  readonly others: number;
  /** The probability that the simulated network loses a write or its answer. */
  readonly losses: number;
}

export function drawnHistory(seed: number): History {
  const random = new Random("roles", seed);
  const some = (keys: readonly string[]) => keys.filter(() => random.chance(0.6));
  const after = () =>
    random.weighted({ at: 3, soon: 3, later: 2 }) === "later"
      ? random.integer(5_000, 70_000)
      : random.integer(0, 2_500);
  const ups = (name: StackName) =>
    Array.from(
      { length: random.integer(1, 4) },
      (): Step => ({ kind: "up", after: after(), declared: some(keysOf[name]) }),
    );
  const page = Array.from({ length: random.integer(2, 8) }, (): Step => {
    const key = random.pick(keysOf.page);
    if (random.chance(0.5)) return { kind: "key", after: after(), key };
    return {
      kind: "list",
      after: after(),
      thinks: random.integer(0, random.chance(0.7) ? 900 : 20_000),
      key,
    };
  });
  return {
    steps: { a: ups("a"), b: ups("b"), page },
    requestsPerSecond: random.pick([0, 0, 1, 2]),
    others: random.pick([0, 5, 10]),
    losses: random.pick([0, 0, 0.1]),
  };
}
