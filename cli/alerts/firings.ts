/** The condition of an alert that the service checks at each evaluation. */
export interface FiringRule {
  readonly thresholdType: string;
  readonly threshold: number;
  /** The upper end of a range of values, for conditions such as `between`. */
  readonly thresholdMax?: number;
  /** The number of evaluations in a row for which the alert's condition has to hold. */
  readonly runs: number;
  /** The milliseconds between two evaluations of the alert, which is also the length of the bucket that each evaluates. */
  readonly interval: number;
}

/** A time range in which an alert fires, in milliseconds since 1970. */
export interface Firing {
  /** The time of the evaluation at which the alert begins to fire, which is the end of the evaluated bucket. */
  readonly from: number;
  /** The first evaluation at which the alert's condition no longer holds; undefined if the alert still fires at the end. */
  readonly until?: number;
  /** The value, while the alert fires, that is farthest beyond its threshold. */
  readonly peak: number;
}

/** The value of each complete bucket (interval of an alert) in a time range, in order. A bucket without a value counts as 0. */
export function bucketsIn(
  { from, until }: { readonly from: number; readonly until: number },
  interval: number,
  values: ReadonlyMap<number, number>,
): readonly (readonly [start: number, value: number])[] {
  const first = Math.ceil(from / interval);
  const count = Math.max(0, Math.floor(until / interval) - first);
  return Array.from({ length: count }, (_, index) => {
    const start = (first + index) * interval;
    return [start, values.get(start) ?? 0] as const;
  });
}

export function firingsOf(
  buckets: readonly (readonly [start: number, value: number])[],
  rule: FiringRule,
): readonly Firing[] {
  const firings: Firing[] = [];
  let current: Firing | undefined;
  let breaches = 0;
  for (const [start, value] of buckets) {
    const run = start + rule.interval;
    breaches = isBreach(value, rule) ? breaches + 1 : 0;
    if (breaches === 0) {
      if (current) firings.push({ ...current, until: run });
      current = undefined;
    } else if (current) current = { ...current, peak: worse(current.peak, value, rule) };
    else if (breaches >= rule.runs) current = { from: run, peak: value };
  }
  return current ? [...firings, current] : firings;
}

/** Whether a value fulfils an alert's condition: `above` includes the threshold, `below` does not, ranges include both ends. */
function isBreach(
  value: number,
  { thresholdType, threshold, thresholdMax = threshold }: FiringRule,
): boolean {
  switch (thresholdType) {
    case "above":
      return value >= threshold;
    case "above_exclusive":
      return value > threshold;
    case "below":
      return value < threshold;
    case "below_or_equal":
      return value <= threshold;
    case "equal":
      return value === threshold;
    case "not_equal":
      return value !== threshold;
    case "between":
      return value >= threshold && value <= thresholdMax;
    case "not_between":
      return value < threshold || value > thresholdMax;
    default:
      throw new Error(
        `this version of pipestack does not know the alert's thresholdType ${JSON.stringify(thresholdType)}; install a newer one`,
      );
  }
}

function worse(
  a: number,
  b: number,
  { thresholdType, threshold, thresholdMax = threshold }: FiringRule,
): number {
  if (thresholdType.startsWith("below")) return Math.min(a, b);
  if (thresholdType.startsWith("above")) return Math.max(a, b);
  const middle = (threshold + thresholdMax) / 2;
  return Math.abs(b - middle) > Math.abs(a - middle) ? b : a;
}
