import type { GetSavedSearchArgs, SavedSearchSummary } from "../../../functions/savedSearches";
import * as functions from "../../../functions/savedSearches";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";
import type { OfServiceArgs, OfServiceOutputArgs } from "./serviceArguments";

/** Arguments of {@link getSavedSearchOutput}. */
export interface GetSavedSearchOutputArgs extends InputsOf<typeof functions.getSavedSearch.arguments> {}

/**
 * The saved searches of a service. An alert on a search names one by its id.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const ofTeam = pipestack
 *   .getSavedSearches()
 *   .then((searches) => searches.filter(({ tags }) => tags?.includes("team")).map(({ name }) => name));
 * ```
 */
export const getSavedSearches = plain<OfServiceArgs, SavedSearchSummary[]>(functions.getSavedSearches);

/**
 * Same as {@link getSavedSearches}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const searches = pipestack.getSavedSearchesOutput({ serviceId: reporting.id });
 * ```
 */
export const getSavedSearchesOutput = withOutputs<OfServiceOutputArgs, SavedSearchSummary[]>(
  functions.getSavedSearches,
);

/**
 * The saved search of a service that has this name. Fails unless exactly one exists; the error names all that exist.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such search
 * @example
 * ```typescript
 * export const where = pipestack.getSavedSearch({ name: "Errors" }).then((search) => search.where);
 * ```
 */
export const getSavedSearch = plain<GetSavedSearchArgs, SavedSearchSummary>(functions.getSavedSearch);

/**
 * Same as {@link getSavedSearch}, but accepts outputs and returns an output.
 * @example
 * ```typescript
 * export const savedSearch = pipestack.getSavedSearchOutput({ name: "Errors" }).id;
 * ```
 */
export const getSavedSearchOutput = withOutputs<GetSavedSearchOutputArgs, SavedSearchSummary>(
  functions.getSavedSearch,
);
