import type { PropertyMap } from "../../values/data";
import { Type } from "../../values/schemaBuilders";
import { isUnknown } from "../../values/unknown";
import { type Failure, notOneOf } from "../../values/validate";
import { ofCloud } from "./alertChannels";

export const detectionModes = ["threshold", "anomaly"] as const;

/** The intervals at which ClickHouse Cloud evaluates alerts that recognize anomalies. */
const anomalyIntervals = ["5m", "15m", "30m", "1h"];

/** How an alert recognizes anomalies. No source states the ranges and defaults of these values: the service checks them. */
export const anomalyConfig = Type.Object(
  {
    /** Length of the buckets of time in which the alert's value is summed up, in whole seconds. The service checks the range. */
    bucketSizeSeconds: Type.Optional(Type.Integer()),
    /**
     * By how many standard deviations a value must differ from what was usual to be an anomaly. The service checks the range.
     */
    zScoreThreshold: Type.Optional(Type.Number()),
    /** Which deviations are anomalies, in the words of the service, which checks them. */
    condition: Type.Optional(Type.String()),
    /**
     * By how much a value must differ from what was usual at least, in the unit of the alert's value. The service checks the
     * range.
     */
    minAbsoluteDelta: Type.Optional(Type.Number()),
    /** Whether the alert's value is never below 0, such as a count. */
    nonNegative: Type.Optional(Type.Boolean()),
    /** The largest number of series (groups) in which the alert looks for anomalies. The service checks the range. */
    maxSeries: Type.Optional(Type.Integer()),
    /** The length of the history that says what is usual, in whole minutes. The service checks the range. */
    baselineLookbackMinutes: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false, ...ofCloud },
);

/** The failures of an alert whose detection mode does not go with its other properties. */
export function detectionFailures({
  detectionMode,
  anomalyConfig: config,
  interval,
}: PropertyMap): Failure[] {
  if (isUnknown(detectionMode)) return [];
  if (detectionMode !== "anomaly")
    return config === undefined
      ? []
      : [{ path: "anomalyConfig", message: 'needs detectionMode to be "anomaly"' }];
  if (typeof interval !== "string" || anomalyIntervals.includes(interval)) return [];
  const { message, ...failure } = notOneOf("interval", interval, anomalyIntervals);
  return [{ ...failure, message: `${message} when detectionMode is "anomaly"` }];
}

/**
 * Removes the config of a threshold alert: from a request, in which servers refuse a config that an update would carry over, and
 * from an answer, in which the config is no longer in use.
 */
export function withoutUnusedConfig({ anomalyConfig: config, ...alert }: PropertyMap): PropertyMap {
  const isUnused = (alert.detectionMode ?? "threshold") === "threshold";
  return config === undefined || isUnused ? alert : { ...alert, anomalyConfig: config };
}
