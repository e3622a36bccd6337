import type { FunctionDefinition, ResultOf } from "../lifecycle/function";
import { inService } from "../lifecycle/scope";
import { openSetOf } from "../values/schema";
import { type Static, Type } from "../values/schemaBuilders";
import { listed, listing, onlyOne } from "./listing";

const searchFilter = Type.Object({
  /** Kind of filter: `sql`, `lucene`, or `sql_ast` for a comparison. */
  type: Type.Optional(openSetOf(["sql", "lucene", "sql_ast"])),
  /** The condition, unless `type` is `sql_ast`. */
  condition: Type.Optional(Type.String()),
  /** How the two sides of a comparison are compared, such as `>=`. */
  operator: Type.Optional(Type.String()),
  /** Left side of a comparison. */
  left: Type.Optional(Type.String()),
  /** Right side of a comparison. */
  right: Type.Optional(Type.String()),
});

const savedSearchSummarySchema = Type.Object({
  /** Id of the saved search: `savedSearch` of an alert. */
  id: Type.String(),
  /** Name of the saved search. */
  name: Type.Optional(Type.String()),
  /** Id of the source that is searched. */
  sourceId: Type.Optional(Type.String()),
  /** Columns or expressions that are shown. */
  select: Type.Optional(Type.String()),
  /** Query that selects records. */
  where: Type.Optional(Type.String()),
  /** Language of `where`. */
  whereLanguage: Type.Optional(openSetOf(["lucene", "sql"])),
  /** Order of the records, in SQL. */
  orderBy: Type.Optional(Type.String()),
  /** Tags of the saved search. */
  tags: Type.Optional(Type.Array(Type.String())),
  /** Conditions beside `where`. */
  filters: Type.Optional(Type.Array(searchFilter)),
});

/** A saved search in the service. */
export interface SavedSearchSummary extends ResultOf<typeof savedSearchSummarySchema> {}

const savedSearchArguments = inService({
  /** Name of the saved search, exactly. */
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
    const all = await listed("listSavedSearches", args, session);
    return onlyOne(all, "saved search", { name: args.name }) as SavedSearchSummary;
  },
};

/** Arguments of {@link getSavedSearch}. */
export interface GetSavedSearchArgs extends Static<typeof savedSearchArguments> {}
