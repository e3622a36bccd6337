/**
 * The words and formats in which dialects of the service differ, in one place.
 * The sandbox speaks the neutral dialect.
 */
export const words = {
  /** Path prefix of dashboards, alerts, sources and webhooks under a service. */
  stack: "stack",
  /** Path segment of the pipes of a service. */
  pipes: "pipes",
  /** Path segment of the reverse private endpoints of a service. */
  reversePrivateEndpoints: "pipesReversePrivateEndpoints",
  /** What an alert can watch. */
  alertSources: ["tile", "search"],
  /** What an alert accepts as interval, as a regular expression: a count and a unit. */
  alertInterval: "^[1-9]\\d*[smhd]$",
  /** Prefix of the pipe settings of the engine (`engine_max_threads`). */
  engineSettings: "engine",
} as const;
