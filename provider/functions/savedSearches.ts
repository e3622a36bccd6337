import type { Reading } from "../lifecycle/lists";
import { inService } from "../lifecycle/scope";
import { savedSearchInputs, savedSearchOutputs } from "../resources/savedSearch/savedSearch";
import { type Static, Type } from "../values/schemaBuilders";
import { type Answered, answeredObject } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { listing, listOf, onlyOne } from "./listing";

const ownMembers = Type.Object({
  /** Id of the saved search, for `savedSearch` of an alert. */
  id: Type.String(),
});

/** A saved search in the service. */
export interface SavedSearchSummary
  extends ResultOf<typeof ownMembers>,
    Answered<typeof savedSearchInputs>,
    Answered<typeof savedSearchOutputs, "url"> {}

const savedSearchSummarySchema = answeredObject<SavedSearchSummary>(
  ownMembers,
  savedSearchInputs,
  savedSearchOutputs,
);

const savedSearchArguments = inService({
  /** Exact name of the saved search. */
  name: Type.String({ minLength: 1 }),
});

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
export const getSavedSearches = listing<SavedSearchSummary>(
  "getSavedSearches",
  "listSavedSearches",
  savedSearchSummarySchema,
);

/**
 * The saved search of a service that has this name. Fails unless exactly one exists; the error names all that exist.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such search
 * @example
 * ```typescript
 * export const where = pipestack.getSavedSearch({ name: "Errors" }).then((search) => search.where);
 * ```
 * @example
 * ```typescript
 * export const savedSearch = pipestack.getSavedSearchOutput({ name: "Errors" }).id;
 * ```
 */
export const getSavedSearch: FunctionDefinition<
  typeof savedSearchArguments,
  typeof savedSearchSummarySchema
> = {
  name: "getSavedSearch",
  arguments: savedSearchArguments,
  result: savedSearchSummarySchema,
  run: async (args, session) => {
    const searches = (reading: Reading) => listOf("listSavedSearches", args, session, reading);
    return onlyOne<SavedSearchSummary>(searches, "saved search", { name: args.name });
  },
};

/** Arguments of {@link getSavedSearch}. */
export interface GetSavedSearchArgs extends Static<typeof savedSearchArguments> {}
