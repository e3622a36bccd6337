import { enums } from "../api/enums.golden";

/**
 * Widths of one bucket of time that the service knows for charts.
 * @see "Chart series body" in the API document
 */
export const granularities = enums.granularity;
