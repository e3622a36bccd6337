import { type Correction, measured, ofBoth, zod } from "./correction";
import { chartRules, itemRules, tileRules } from "./rules";

export const tileCorrections: readonly Correction[] = [
  {
    table: "server",
    at: ["TileBase.x", "TileBase.y", "TileBase.w", "TileBase.h"],
    is: { type: "number" },
    because: "Fractions pass.",
    seen: measured,
  },
  ...ofBoth(
    { cloud: "ClickStackTileInput", server: "TileInput" },
    { rules: tileRules, because: "A tile has either a config or series.", seen: measured },
  ),
  ...ofBoth(
    { cloud: "ClickStackSelectItem", server: "SelectItem" },
    {
      rules: itemRules,
      because:
        "A count takes no expression, other functions need one or a metric; levels belong to quantiles.",
      seen: `${measured}; ${zod}`,
    },
  ),
  ...ofBoth(
    { cloud: "ClickStackNumberFormat", server: "NumberFormat" },
    { requires: ["output"], because: "A format without an output is refused.", seen: measured },
  ),
  ...ofBoth(
    { cloud: "ClickStackTileConfig", server: "TileConfig" },
    {
      rules: chartRules,
      because: "A ratio divides two series, and a number shows one series or one formula.",
      seen: measured,
    },
  ),
  {
    table: "cloud",
    at: "ClickStackAlertChartConfig",
    rules: chartRules,
    because: "The chart of an alert keeps the rules of tiles.",
    seen: zod,
  },
  ...ofBoth(
    {
      cloud: ["ClickStackLineRawSqlChartConfig", "ClickStackBarRawSqlChartConfig"].map(
        (name) => `${name}.seriesLimit`,
      ),
      server: ["LineRawSqlChartConfig.seriesLimit", "BarRawSqlChartConfig.seriesLimit"],
    },
    {
      is: { type: "integer", minimum: 0 },
      because:
        "Charts of raw SQL take it, too; not seen on ClickHouse Cloud, which has the same server behind it.",
      seen: measured,
    },
  ),
  {
    table: "server",
    at: "HeatmapChartConfig",
    is: {
      oneOf: [
        { $ref: "cloud#/schemas/ClickStackHeatmapDistributionChartConfig" },
        { $ref: "cloud#/schemas/ClickStackHeatmapSeriesChartConfig" },
      ],
      type: undefined,
      required: undefined,
      properties: undefined,
    },
    because: "Heatmaps of a series.",
    seen: "release page of @hyperdx/api 2.41",
    since: "2.41",
  },
  {
    table: "server",
    at: "TileBase.config",
    is: {
      anyOf: [
        { $ref: "#/schemas/TileConfig" },
        {
          type: "object",
          required: ["configType", "displayType", "sourceId"],
          properties: {
            configType: { enum: ["promql"] },
            displayType: { type: "string" },
            sourceId: { type: "string" },
          },
          additionalProperties: true,
        },
      ],
    },
    because: "No document has the further members of a tile in PromQL.",
    seen: "release page of @hyperdx/api 2.42",
    since: "2.42",
  },
  {
    table: "server",
    at: [
      "TimeChartSeries",
      "TableChartSeries",
      "NumberChartSeries",
      "SearchChartSeries",
      "SearchChartConfig",
    ],
    frees: ["whereLanguage"],
    because: "It is Lucene by default.",
    seen: measured,
  },
];
