import { type Correction, measured, ofBoth, upTo, zod } from "./correction";
import { alertRules } from "./rules";

const alertRequests = {
  cloud: ["ClickStackCreateAlertRequest", "ClickStackUpdateAlertRequest"],
  server: ["CreateAlertRequest", "UpdateAlertRequest"],
};

export const alertCorrections: readonly Correction[] = [
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
    rules: alertRules,
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
