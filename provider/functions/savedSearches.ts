import { inService } from "../lifecycle/scope";
import { savedSearchInputs, savedSearchOutputs } from "../resources/savedSearch/savedSearch";
import { type Static, Type } from "../values/schemaBuilders";
import { type Answered, answered } from "./answered";
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

const savedSearchSummarySchema = Type.Unsafe<SavedSearchSummary>(
  Type.Object({
    ...answered(savedSearchInputs),
    ...answered(savedSearchOutputs),
    ...ownMembers.properties,
  }),
);

const savedSearchArguments = inService({
  /** Exact name of the saved search. */
  name: Type.String({ minLength: 1 }),
});

export const getSavedSearches = listing<SavedSearchSummary>(
  "getSavedSearches",
  "listSavedSearches",
  savedSearchSummarySchema,
);

export const getSavedSearch: FunctionDefinition<
  typeof savedSearchArguments,
  typeof savedSearchSummarySchema
> = {
  name: "getSavedSearch",
  arguments: savedSearchArguments,
  result: savedSearchSummarySchema,
  run: async (args, session) => {
    const searches = await listOf("listSavedSearches", args, session);
    return onlyOne<SavedSearchSummary>(searches, "saved search", { name: args.name });
  },
};

/** Arguments of {@link getSavedSearch}. */
export interface GetSavedSearchArgs extends Static<typeof savedSearchArguments> {}
