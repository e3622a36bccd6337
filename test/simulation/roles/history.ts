import { Random } from "../random";

/** The keys of each writer: what a writer does not have is somebody else's. */
export const keysOf = {
  one: ["one a", "one b", "one c"],
  other: ["other a", "other b"],
  page: ["page a", "page b", "page c"],
} as const;

export type StackName = "one" | "other";

/** What a writer does, some milliseconds after what it did before. */
export type Step =
  /** The program of a stack declares that these keys have the role. */
  | { readonly kind: "up"; readonly after: number; readonly declared: readonly string[] }
  /** Somebody reads the list of actors in the page, thinks, and writes it with one key more or less. */
  | { readonly kind: "list"; readonly after: number; readonly thinks: number; readonly key: string }
  /** Somebody changes the roles of one key. */
  | { readonly kind: "key"; readonly after: number; readonly key: string };

/** A history: what each of three writers does at the same time. */
export interface History {
  readonly steps: { readonly [Writer in StackName | "page"]: readonly Step[] };
  /** How many requests a second each process sends at most; 0 for any number. */
  readonly requestsPerSecond: number;
  /** How many other objects an update reads meanwhile, each three times: they wait for the rate limit, too. */
  readonly others: number;
  /** How often the answer to a write is lost, or the request. */
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
    steps: { one: ups("one"), other: ups("other"), page },
    requestsPerSecond: random.pick([0, 0, 1, 2]),
    others: random.pick([0, 5, 10]),
    losses: random.pick([0, 0, 0.1]),
  };
}
