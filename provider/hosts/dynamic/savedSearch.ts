import {
  type SearchComparison,
  type SearchCondition,
  type savedSearchInputs,
  type savedSearchOutputs,
  savedSearchResource,
} from "../../resources/savedSearch/savedSearch";
import { managedResource } from "./managedResource";
import type { ArgsOf, InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link SavedSearch}. */
export interface SavedSearchArgs extends InputsOf<typeof savedSearchInputs> {}

/** A condition in SQL or Lucene by which a saved search filters records in addition to its query. */
export interface SearchConditionArgs extends ArgsOf<SearchCondition> {}

/** A comparison of a column or expression with a value, by which a saved search filters records in addition to its query. */
export interface SearchComparisonArgs extends ArgsOf<SearchComparison> {}

/** A condition by which a saved search filters records in addition to its query. */
export type SearchFilterArgs = SearchConditionArgs | SearchComparisonArgs;

export interface SavedSearch extends OutputsOf<typeof savedSearchInputs, typeof savedSearchOutputs> {}

/**
 * A search that people open, and that alerts can watch. An alert on a search needs `dialect: clickhouse`.
 *
 * A change of `organizationId` or `serviceId` replaces the search, everything else is updated in place. Properties that are
 * taken out of the program are reset. Deleting a search deletes its alerts in the service, whoever made them.
 * @example
 * ```typescript
 * const search = new pipestack.SavedSearch("errors", {
 *   sourceId: pipestack.getSourceOutput({ kind: "log" }).id,
 *   select: "Timestamp, ServiceName, Body",
 *   where: "SeverityText:error",
 * });
 * ```
 */
export class SavedSearch extends managedResource<SavedSearchArgs>(savedSearchResource) {}
