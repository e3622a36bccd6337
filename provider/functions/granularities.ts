/**
 * Widths of one bucket of time that the service knows for charts.
 * @see "Chart series body" in the API document
 */
export const granularities = [
  "30s",
  "1m",
  "5m",
  "10m",
  "15m",
  "30m",
  "1h",
  "2h",
  "6h",
  "12h",
  "1d",
  "2d",
  "7d",
  "30d",
  "auto",
] as const;
