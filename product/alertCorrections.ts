import { type Correction, measured, ofBoth, upTo, zod } from "./correction";
import { alertRules, anomalyRules } from "./rules";

const alertRequests = {
  cloud: ["ClickStackCreateAlertRequest", "ClickStackUpdateAlertRequest"],
  server: ["CreateAlertRequest", "UpdateAlertRequest"],
};

const alertsOfCloud = [...alertRequests.cloud, "ClickStackAlertResponse"];

/**
 * How an alert recognizes anomalies. Both members are in no API document: Terraform's provider has their names and types. No
 * source states a range or a default value.
 */
const anomalyConfig = {
  type: ["object", "null"],
  properties: {
    baselineLookbackMinutes: { type: "integer" },
    bucketSizeSeconds: { type: "integer" },
    condition: { type: "string" },
    maxSeries: { type: "integer" },
    minAbsoluteDelta: { type: "number" },
    nonNegative: { type: "boolean" },
    zScoreThreshold: { type: "number" },
  },
} as const;

const anomalySeen =
  "ClickHouse/terraform-provider-clickhouse pull request 715 (September 2026); the page anomaly-detection of ClickStack's docs";

export const alertCorrections: readonly Correction[] = [
  ...(["cloud", "server"] as const).flatMap((table): Correction[] => {
    const schemas = table === "cloud" ? alertsOfCloud : ["Alert"];
    // Only ClickHouse Cloud has anomaly detection. The server behind its API takes the members; older servers drop them.
    const since = table === "server" ? { since: "2.46" } : {};
    const further = { table, seen: anomalySeen, ...since };
    return [
      {
        ...further,
        at: schemas.map((schema) => `${schema}.detectionMode`),
        is: { type: "string", enum: ["anomaly", "threshold"] },
        because: "A request without it makes a threshold alert, also of an anomaly alert.",
      },
      {
        ...further,
        at: schemas.map((schema) => `${schema}.anomalyConfig`),
        is: anomalyConfig,
        because: "How an anomaly alert recognizes anomalies.",
      },
    ];
  }),
  {
    table: "server",
    at: "AlertSource",
    is: { enum: ["inline", "saved_search", "tile"] },
    because: "Inline alerts have a chart of their own.",
    seen: "release page of @hyperdx/api 2.38",
    since: "2.38",
  },
  {
    table: "server",
    at: "Alert.chartConfig",
    is: { $ref: "cloud#/schemas/ClickStackAlertChartConfig" },
    because: "The chart of an inline alert.",
    seen: "release page of @hyperdx/api 2.38",
    since: "2.38",
  },
  {
    table: "server",
    at: "Alert.displayName",
    is: { type: ["string", "null"], minLength: 1, maxLength: 512 },
    because: "The name of an alert in lists.",
    seen: zod,
    since: "2.38",
  },
  {
    table: "server",
    at: "Alert.tags",
    is: { type: ["array", "null"], items: upTo(32), maxItems: 50 },
    because: "The tags of an alert.",
    seen: zod,
    since: "2.38",
  },
  {
    table: "server",
    at: ["Alert.name"],
    is: { minLength: 1, maxLength: 512 },
    because: "The document does not state the limits.",
    seen: measured,
  },
  {
    table: "server",
    at: ["Alert.message"],
    is: { minLength: 1, maxLength: 4096 },
    because: "The document does not state the limits.",
    seen: measured,
  },
  {
    table: "server",
    at: "Alert.scheduleOffsetMinutes",
    is: { maximum: 1439 },
    because: "It is shorter than the longest interval.",
    seen: measured,
  },
  {
    table: "server",
    at: "Alert.channels",
    is: {
      type: "array",
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      items: { $ref: "#/schemas/AlertChannel" },
    },
    because: "An alert has a channel once.",
    seen: measured,
  },
  ...ofBoth(alertRequests, {
    requires: ["source"],
    rules: [...alertRules, ...anomalyRules],
    because: "The source says what an alert watches, and null is refused where the document allows it.",
    seen: `${measured}; ${zod}`,
  }),
  {
    table: "cloud",
    at: "ClickStackAlertChannelWebhook.type",
    is: { enum: ["webhook"] },
    because: "A channel of the type email has recipients in place of a webhook.",
    seen: measured,
  },
  {
    table: "cloud",
    at: "ClickStackAlertChannelEmail.type",
    is: { enum: ["email"] },
    because: "A channel of the type webhook has a webhook in place of recipients.",
    seen: measured,
  },
];
