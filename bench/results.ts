import type { FloorResult } from "./floor";
import type { LifecycleResult } from "./lifecycle";
import type { LoadingResult } from "./loading";
import type { LatencyResult, LimitResult, ManyResult } from "./network";
import type { StartResult } from "./start";

/** All figures, by part. */
export interface Results {
  lifecycle?: LifecycleResult[];
  loading?: LoadingResult;
  latency?: LatencyResult;
  limit?: LimitResult;
  many?: ManyResult;
  start?: StartResult;
  floor?: FloorResult;
}
