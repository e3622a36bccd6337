import type { ApiName } from "../request";
import type { ServerVocabulary } from "../vocabulary";

/** The features of dashboards that only some versions of HyperDX's server have. */
export interface DashboardParts {
  /**
   * Whether the server has tiles in PromQL, and refuses unknown types of a tile's `config`. An older server neither shows nor
   * accepts such tiles.
   */
  readonly promqlTiles: boolean;
  /** Whether the server has dashboard filters with lists of texts or labels of Prometheus, and saved values of variables. */
  readonly filterTypes: boolean;
  /** Whether the server has ad hoc filters of dashboards, and saved values for them. */
  readonly adHocFilters: boolean;
  /** Whether the server accepts chart series of metrics without an expression, and refuses metrics that no chart can show. */
  readonly metricSeries: boolean;
}

/**
 * Returns the features of dashboards that a version of HyperDX's server has. ClickHouse Cloud has neither PromQL nor ad hoc
 * filters.
 */
export function partsOf(api: ApiName, { isSince }: ServerVocabulary): DashboardParts {
  const isCloud = api === "management";
  const has = (version: `2.${number}`) => !isCloud && isSince(version);
  return {
    promqlTiles: has("2.42"),
    filterTypes: isCloud || has("2.38"),
    adHocFilters: has("2.46"),
    metricSeries: isCloud || has("2.38"),
  };
}

/** Whether a text in a dashboard is a reference to a variable, such as `$source`, where an id is expected. */
export const isVariable = (id: unknown) => typeof id === "string" && id.startsWith("$");
