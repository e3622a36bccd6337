/**
 * Evaluates an alert as the documents of HyperDX say that the server does: at the end of each interval, the server reads the
 * bucket that has just ended. A bucket without a row, and a value that is no number, count as 0. An alert with several windows
 * fires only if all of them breach the threshold.
 */

export interface EvaluatedAlert {
  readonly minutes: number;
  readonly thresholdType: string;
  readonly threshold: number;
  readonly thresholdMax: number;
  readonly windows: number;
}

const verdicts: { readonly [type: string]: (value: number, low: number, high: number) => boolean } = {
  above: (value, low) => !(value < low),
  above_exclusive: (value, low) => !(value <= low),
  below: (value, low) => !(value >= low),
  below_or_equal: (value, low) => !(value > low),
  equal: (value, low) => value === low,
  not_equal: (value, low) => value !== low,
  between: (value, low, high) => !(value < low) && !(value > high),
  not_between: (value, low, high) => value < low || value > high,
};

export const evaluatedTypes = Object.keys(verdicts);

/** Returns the evaluations at which the alert's state changes: the time in milliseconds and the new state, `ALERT` or `OK`. */
export function transitionsOf(
  { minutes, thresholdType, threshold, thresholdMax, windows }: EvaluatedAlert,
  rows: ReadonlyMap<number, number | null>,
  range: { readonly from: number; readonly until: number },
): readonly (readonly [time: number, state: string])[] {
  const width = minutes * 60_000;
  const transitions: (readonly [number, string])[] = [];
  let state = "OK";
  for (let run = range.from - (range.from % width); run <= range.until; run += width) {
    if (run - width < range.from) continue;
    const looked = Array.from({ length: windows }, (_, back) => run - (back + 1) * width);
    const breaches = looked.map((start) => {
      // No rows were queried from before the time range of the backtest, so a bucket that begins earlier counts as no breach.
      if (start < range.from) return false;
      return verdicts[thresholdType]?.(Number(rows.get(start) ?? 0), threshold, thresholdMax) === true;
    });
    const next = state === "ALERT" ? breaches[0] : breaches.every(Boolean);
    if ((next ? "ALERT" : "OK") === state) continue;
    state = next ? "ALERT" : "OK";
    transitions.push([run, state]);
  }
  return transitions;
}
