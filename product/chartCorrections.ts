import { type Correction, measured } from "./correction";

export const chartCorrections: readonly Correction[] = [
  {
    table: "server",
    at: "ChartSeries.aggFn",
    is: { type: "string", enum: undefined },
    because: "The server has more functions than its document.",
    seen: measured,
  },
  {
    table: "server",
    at: "ChartSeries.metricDataType",
    is: { enum: ["exponential histogram", "gauge", "histogram", "sum", "summary"] },
    because: "The server has more kinds of metrics than its document.",
    seen: measured,
  },
  {
    table: "server",
    at: "ChartSeries.level",
    is: { type: "number", minimum: 0, maximum: 1 },
    because: "The level of a quantile; the document does not have it.",
    seen: measured,
  },
  {
    table: "server",
    at: "SeriesDataPoint",
    is: {
      properties: {
        ts_bucket: { type: "number" },
        group: { type: "array", items: { type: "string" } },
        ...Object.fromEntries(
          [0, 1, 2, 3, 4].map((index) => [`series_${index}.data`, { type: ["number", "string"] }]),
        ),
      },
    },
    because: "A row has up to five series, and whole numbers of 64 bits are texts.",
    seen: measured,
  },
  {
    table: "server",
    at: ["SeriesQueryRequest.startTime", "SeriesQueryRequest.endTime"],
    is: { type: "integer", minimum: 1e12 },
    because: "Times in seconds are refused.",
    seen: measured,
  },
];
