import { type Correction, upTo, zod } from "./correction";
import { filterRules } from "./rules";

export const filterCorrections: readonly Correction[] = [
  {
    table: "server",
    at: "FilterInput",
    is: {
      anyOf: [
        { $ref: "cloud#/schemas/ClickStackQueryExpressionFilterInput" },
        { $ref: "cloud#/schemas/ClickStackStaticListFilterInput" },
        { $ref: "cloud#/schemas/ClickStackPrometheusLabelFilterInput" },
        {
          type: "object",
          required: ["name", "type"],
          properties: { type: { enum: ["ADHOC"] }, name: upTo(1e6, 1) },
          additionalProperties: true,
        },
      ],
      type: undefined,
      required: undefined,
      properties: undefined,
    },
    because: "Variables. No document has the further members of an ad hoc filter.",
    seen: `${zod}; release page of @hyperdx/api 2.46`,
    since: "2.38",
  },
  {
    table: "cloud",
    at: ["QueryExpression", "StaticList", "PrometheusLabel", "Source"].map(
      (kind) => `ClickStack${kind}FilterInput`,
    ),
    rules: filterRules,
    because: "The document does not state the limits, and a list or a label is a variable alone.",
    seen: zod,
  },
  {
    table: "server",
    at: "SavedFilterValue",
    is: {
      anyOf: [
        {
          type: "object",
          required: ["condition"],
          properties: { condition: upTo(10_000), type: { enum: ["sql"] } },
        },
        { $ref: "cloud#/schemas/ClickStackVariableSavedFilterValue" },
        {
          type: "object",
          required: ["type", "name", "conditions"],
          properties: {
            type: { enum: ["adhoc"] },
            name: upTo(1024, 1),
            conditions: {
              type: "array",
              maxItems: 100,
              items: {
                type: "object",
                required: ["key", "operator", "value"],
                properties: {
                  key: upTo(10_000, 1),
                  operator: { enum: ["=", "!=", "=~", "!~", "LIKE", "NOT LIKE", "IN"] },
                  value: upTo(10_000),
                },
              },
            },
          },
        },
      ],
      type: undefined,
      required: undefined,
      properties: undefined,
    },
    because: "Values of variables, and of ad hoc filters.",
    seen: zod,
    since: "2.38",
  },
  {
    table: "cloud",
    at: "ClickStackVariableSavedFilterValue.name",
    is: { minLength: 1, maxLength: 1024 },
    because: "The document does not state the limits.",
    seen: zod,
  },
  {
    table: "cloud",
    at: "ClickStackVariableSavedFilterValue.values",
    is: { maxItems: 1000, items: upTo(10_000) },
    because: "The document does not state the limits.",
    seen: zod,
  },
];
