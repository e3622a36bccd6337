import type { ApiName } from "../request";
import type { ServerVocabulary } from "../vocabulary";

/** The parts of dashboards that some versions of the product's server have. */
export interface DashboardParts {
  /** Tiles in PromQL, of which the older server neither shows nor takes any, and the refusal of unknown types of `config`. */
  readonly promqlTiles: boolean;
  /** Lists of texts and labels in Prometheus as filters, and the values of variables as saved values. */
  readonly filterTypes: boolean;
  /** Ad hoc filters, and their conditions as saved values. */
  readonly adHocFilters: boolean;
  /** Series of metrics without an expression, and the refusal of those that no chart can show. */
  readonly metricSeries: boolean;
}

/** The parts that a version of the server has, and ClickHouse Cloud, whose document has no PromQL and no ad hoc filters. */
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

/** Whether a text stands for a variable in place of an id. */
export const isVariable = (id: unknown) => typeof id === "string" && id.startsWith("$");
