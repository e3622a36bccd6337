import type { LatencyResult } from "./latency";
import type { LifecycleResult } from "./lifecycle";
import type { LoadingResult } from "./loading";

export const parts = ["lifecycle", "loading", "latency"] as const;
export type Part = (typeof parts)[number];

/** The results of the parts that were measured. */
export interface Results {
  /** What they were measured on. */
  machine?: string;
  lifecycle?: LifecycleResult[];
  loading?: LoadingResult;
  latency?: LatencyResult;
}
