import { dialects } from "../../api/dialect";
import { enums } from "../../api/enums.golden";
import { observabilityViaOf } from "../../api/settings";
import type { Settings } from "../../api/settingsSchema";
import { resourceOf } from "../../lifecycle/lifecycle";
import { adoptable, inService } from "../../lifecycle/scope";
import { isObject } from "../../values/data";
import { oneOf, oneOfKinds, withoutOuterBlanks } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import type { Failure } from "../../values/validate";

const expression = { longest: 8192 };

const condition = Type.Object({
  /**
   * Language of the filter's condition. Default: `sql`. People make filters in `lucene`, and filters of type `sql_ast`, in the
   * HyperDX console. Servers accept these only from a saved search that already has them, so a program repeats them unchanged.
   */
  type: Type.Optional(oneOf(enums.whereLanguage)),
  /**
   * Condition of the filter on one column, up to 8192 characters: `column IN ('a', 'b')`, `column NOT IN (…)` or `column
   * BETWEEN 1 AND 2`.
   */
  condition: Type.String({ minLength: 1, ...expression }),
});

/** A filter condition, as text, that a saved search applies in addition to its query. */
export interface SearchCondition extends Static<typeof condition> {}

const comparison = Type.Object({
  /** The filter is a comparison that was made in the HyperDX console. */
  type: Type.Literal("sql_ast"),
  /** Operator by which the filter compares its left side with its right side. */
  operator: oneOf(enums.savedSearchOperator),
  /** Left side of the filter's comparison, up to 8192 characters. */
  left: Type.String(expression),
  /** Right side of the filter's comparison, up to 8192 characters. */
  right: Type.String(expression),
});

/** A comparison that a saved search applies as a filter in addition to its query. */
export interface SearchComparison extends Static<typeof comparison> {}

/** A filter that a saved search applies in addition to its query. */
export type SearchFilter = SearchCondition | SearchComparison;

const searchFilter = oneOfKinds<SearchFilter>([condition, comparison], {}, { additionalProperties: false });

/** Inputs of a saved search, from the documentation of HyperDX, since the API document does not describe it. */
export const savedSearchInputs = inService({
  /**
   * Adopts the existing saved search with this id instead of creating one. Has no effect once the search is in the Pulumi
   * state; a change that replaces the search is refused while `adoptId` is declared.
   */
  adoptId: adoptable,
  /** Name of the saved search, up to 1024 characters. Default: the name of the resource. */
  name: Type.Optional(Type.String({ ...withoutOuterBlanks, longest: 1024 })),
  /** Id of the data source that is searched; `getSources` lists the ids. */
  sourceId: Type.String({ minLength: 1, of: "Source" }),
  /**
   * Columns or expressions that the saved search shows, separated by commas, up to 4096 characters. Default: the columns of the
   * data source.
   */
  select: Type.Optional(Type.String({ longest: 4096, reset: "" })),
  /** Query that selects the records of the saved search, up to 8192 characters. Default: all records. */
  where: Type.Optional(Type.String({ longest: 8192, reset: "" })),
  /** Language of the query `where`: `lucene` or `sql`. Default: lucene. */
  whereLanguage: Type.Optional(oneOf(enums.whereLanguage, { reset: "lucene" })),
  /** Order of the found records, in SQL, up to 1024 characters. Default: the newest first. */
  orderBy: Type.Optional(Type.String({ longest: 1024, reset: "" })),
  /** Tags of the saved search: up to 50 tags of up to 32 characters, in any order. Default: none. */
  tags: Type.Optional(
    Type.Array(Type.String({ longest: 32 }), {
      uniqueItems: true,
      comparison: "set",
      most: 50,
      reset: [],
      defaultTags: "texts",
    }),
  ),
  /** Up to 100 filters that the saved search applies in addition to `where`. Default: none. */
  filters: Type.Optional(Type.Array(searchFilter, { most: 100, reset: [] })),
});

/** Outputs of a saved search beyond its inputs. */
export const savedSearchOutputs = Type.Object({
  /** Id of the HyperDX team that the saved search belongs to. */
  team: Type.Optional(Type.String()),
  /** When the saved search was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
  /** When the saved search was last changed (ISO 8601). */
  updatedAt: Type.Optional(Type.String({ volatile: true })),
  /**
   * Address of the saved search's page in the console. Absent if the provider does not know where the console is: set the
   * provider's `pageUrl`.
   */
  url: Type.Optional(Type.String({ volatile: true, sent: "never" })),
});

type Inputs = Static<typeof savedSearchInputs>;

export const savedSearchResource = resourceOf({
  type: "SavedSearch",
  noun: "saved search",
  inputs: savedSearchInputs,
  outputs: savedSearchOutputs,
  scope: "observability",
  operations: {
    create: "createSavedSearch",
    list: "listSavedSearches",
    get: "getSavedSearch",
    update: "updateSavedSearch",
    delete: "deleteSavedSearch",
  },
  namedBy: "name",

  page: (id) => ["search", id],

  failures: filterFailures,

  uses: { Source: "A search in a deleted source finds nothing, and the service refuses to update it" },

  completenessField: "sourceId",
});

/**
 * The failures for filters of a saved search that the management API refuses, since its API document does not describe them.
 */
function filterFailures({ filters }: Partial<Inputs>, _olds: unknown, settings: Settings): Failure[] {
  const takesSql = dialects[settings.dialect].enforcesLimits && observabilityViaOf(settings) === "management";
  if (!takesSql || !Array.isArray(filters)) return [];
  return filters.flatMap((filter, index) => {
    const type = isObject(filter) ? filter.type : undefined;
    const message = "must be sql, unless the setting observabilityVia is observability";
    return type === "lucene" || type === "sql_ast" ? [{ path: `filters[${index}].type`, message }] : [];
  });
}
