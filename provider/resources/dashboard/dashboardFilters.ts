import { enums } from "../../api/enums.golden";
import type { PropertyMap } from "../../values/data";
import { kindOf, oneOf, oneOfKinds } from "../../values/schema";
import { type Static, type TSchema, Type } from "../../values/schemaBuilders";
import { isRenamedFilter } from "../tiles/renames";
import { metricTypes } from "../tiles/tileSelect";
import { identified, tilesIn } from "../tiles/tiles";

const named = {
  /** Name of the dashboard filter. */
  name: Type.String({ minLength: 1 }),
};

const variableName = Type.String({
  pattern: "^[a-zA-Z][a-zA-Z0-9_]*$",
  maxLength: 64,
  rule: "a letter, then letters, digits and underscores, at most 64 characters",
});

const variable = {
  /**
   * Name by which queries of tiles use the value of the dashboard filter, as `$variableName`: a letter, then letters, digits
   * and underscores, up to 64 characters. Only with `isVariableEnabled`. Default: from `name`.
   */
  variableName: Type.Optional(variableName),
  /** 1 makes tiles wait until somebody has chosen a value of the dashboard filter. Default: 0. */
  minSelections: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, since: "2.38" })),
  /** 1 limits people to one value of the dashboard filter. Default: any number of values. */
  maxSelections: Type.Optional(Type.Integer({ minimum: 1, maximum: 1, rule: "1", since: "2.38" })),
  /**
   * Whether all tiles wait until somebody has chosen a value of the filter, and not only those that use the value. Has an
   * effect only with `minSelections: 1`. Default: false.
   */
  isGlobalRequirement: Type.Optional(Type.Boolean({ since: "2.38" })),
};

const isVariableEnabled = Type.Optional(Type.Unsafe<true>({ type: "boolean", enum: [true], rule: "true" }));

const onlyVariable = {
  /**
   * Must be false if declared: the types `STATIC_LIST` and `PROMETHEUS_LABEL` only set a variable, and never filter tiles by
   * themselves.
   */
  isBroadcastEnabled: Type.Optional(Type.Unsafe<false>({ type: "boolean", enum: [false], rule: "false" })),
  /** Must be true if declared: dashboard filters of the types `STATIC_LIST` and `PROMETHEUS_LABEL` always set a variable. */
  isVariableEnabled,
  ...variable,
};

const ofExpression = {
  /** Expression whose values the dashboard filter offers. */
  expression: Type.String({ minLength: 1 }),
  /** Id of the data source whose values the dashboard filter offers; `getSources` lists the ids. */
  sourceId: Type.String({ minLength: 1, of: "Source" }),
  /** Ids of the data sources to whose tiles the dashboard filter applies, in any order. Default: the sources of all tiles. */
  appliesToSourceIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, of: "Source" }), { comparison: "set" }),
  ),
  /** Whether the dashboard filter selects the records of tiles. Default: true. */
  isBroadcastEnabled: Type.Optional(Type.Boolean()),
};

const filterKinds = {
  queryExpression: Type.Object({
    /** The dashboard filter offers the values of an expression over a data source. */
    type: Type.Optional(Type.Literal("QUERY_EXPRESSION")),
    ...{ ...named, ...ofExpression },
    /** Kind of metric, if the filter's data source holds metrics. */
    sourceMetricType: Type.Optional(oneOf(metricTypes)),
    /** Condition on the records whose values the dashboard filter offers. Default: all records. */
    where: Type.Optional(Type.String()),
    /** Language of the filter's condition `where`: `sql` or `lucene`. */
    whereLanguage: Type.Optional(oneOf(enums.whereLanguage)),
    /** Whether queries of tiles can name the value of the dashboard filter. Default: false. */
    isVariableEnabled: Type.Optional(Type.Boolean()),
    ...variable,
  }),
  staticList: Type.Object({
    /** The dashboard filter offers texts that the program lists. */
    type: Type.Literal("STATIC_LIST"),
    ...named,
    /** Texts that the dashboard filter offers: 1 to 1000 texts of up to 10,000 characters. */
    options: Type.Array(Type.String({ minLength: 1, longest: 10_000 }), {
      minItems: 1,
      most: 1000,
      uniqueItems: true,
    }),
    ...onlyVariable,
  }),
  prometheusLabel: Type.Object({
    /** The dashboard filter offers the values of a Prometheus label. */
    type: Type.Literal("PROMETHEUS_LABEL"),
    ...named,
    /** Id of the data source, of the kind `promql`, whose labels the dashboard filter reads. */
    sourceId: Type.String({ minLength: 1, of: "Source" }),
    /** The Prometheus label whose values the dashboard filter offers, up to 1024 characters. */
    label: Type.String({ minLength: 1, longest: 1024 }),
    /** PromQL selector of the time series whose label values the filter offers. Default: all series. */
    match: Type.Optional(Type.String({ minLength: 1 })),
    ...onlyVariable,
  }),
  sourceFilter: Type.Object({
    /**
     * The dashboard filter offers the values of an expression, and queries of tiles use the chosen value by `variableName`.
     * Only ClickHouse Cloud has it.
     */
    type: Type.Literal("SOURCE_FILTER"),
    ...{ ...named, ...ofExpression },
    /**
     * Whether queries of tiles can use the value of the dashboard filter. A filter of the type `SOURCE_FILTER` always allows
     * this, so only true is valid.
     */
    isVariableEnabled,
    ...variable,
    /**
     * Name by which queries of tiles use the value of the dashboard filter, as `$variableName`: a letter, then letters, digits
     * and underscores.
     */
    variableName,
  }),
};

/** A dashboard filter that offers the values of an expression over a data source. */
export interface QueryExpressionFilter extends Static<typeof filterKinds.queryExpression> {}
/** A dashboard variable whose possible values the program lists. */
export interface StaticListFilter extends Static<typeof filterKinds.staticList> {}
/** A dashboard variable whose possible values are those of a Prometheus label. */
export interface PrometheusLabelFilter extends Static<typeof filterKinds.prometheusLabel> {}

/**
 * A dashboard filter that offers the values of an expression, and whose value queries of tiles can use. Only ClickHouse Cloud
 * has it.
 */
export interface SourceFilter extends Static<typeof filterKinds.sourceFilter> {}

/** A filter or variable that people set above the dashboard. Its `type` determines which properties it has. */
export type DashboardFilter = QueryExpressionFilter | StaticListFilter | PrometheusLabelFilter | SourceFilter;

const ofKnownTypes = (
  kinds: readonly TSchema[],
  since: { readonly [type: string]: string },
  suffix: string,
) => {
  const words = kinds.map(({ properties }) => properties.type.const as string);
  return { type: oneOf(words, { rule: `one of ${words.join(", ")}${suffix}`, since }) };
};

const modes = filterKinds.queryExpression.properties;

export const dashboardFilter = oneOfKinds<DashboardFilter>(
  Object.values(filterKinds),
  {
    isBroadcastEnabled: modes.isBroadcastEnabled,
    isVariableEnabled: modes.isVariableEnabled,
    ...ofKnownTypes(
      Object.values(filterKinds),
      { STATIC_LIST: "2.38", PROMETHEUS_LABEL: "2.39" },
      "; filters of other types are made in the console, and every update keeps them",
    ),
  },
  { additionalProperties: false },
);

const savedValueKinds = {
  sql: Type.Object({
    /** Kind of the initial value of a dashboard filter: a condition in SQL. */
    type: Type.Optional(Type.Literal("sql")),
    /** Condition that is set when somebody opens the dashboard, such as `ServiceName IN ('api')`; up to 10,000 characters. */
    condition: Type.String({ longest: 10_000 }),
  }),
  variable: Type.Object({
    /** Kind of the initial value of a dashboard filter: the chosen values of a variable. */
    type: Type.Literal("variable"),
    /** Name of the dashboard variable, up to 1024 characters. */
    name: Type.String({ minLength: 1, longest: 1024 }),
    /** Chosen values of the dashboard variable: up to 1000 values of up to 10,000 characters. */
    values: Type.Array(Type.String({ longest: 10_000 }), { most: 1000 }),
    /** Whether all values of the dashboard variable are chosen. Default: false. */
    all: Type.Optional(Type.Boolean()),
  }),
  adhoc: Type.Object({
    /**
     * Kind of the initial value of a dashboard filter: the conditions of an ad hoc filter, which people fill in on the
     * dashboard.
     */
    type: Type.Literal("adhoc"),
    /** Name of the dashboard variable that the ad hoc filter sets, up to 1024 characters. */
    name: Type.String({ minLength: 1, longest: 1024 }),
    /** The conditions of the dashboard's ad hoc filter, up to 100. */
    conditions: Type.Array(
      Type.Object(
        {
          /** Column, expression or label that a condition of the ad hoc filter compares, up to 10,000 characters. */
          key: Type.String({ minLength: 1, longest: 10_000 }),
          /** Comparison in a condition of the ad hoc filter. `LIKE` and `NOT LIKE` are for SQL alone. */
          operator: oneOf(enums.savedFilterOperator),
          /** Value with which a condition of the ad hoc filter compares the `key`, up to 10,000 characters. */
          value: Type.String({ longest: 10_000 }),
        },
        { additionalProperties: false },
      ),
      { most: 100 },
    ),
  }),
};

/** A condition in SQL that is set when somebody opens the dashboard. */
export interface SqlFilterValue extends Static<typeof savedValueKinds.sql> {}
/** The values of a dashboard variable that are set when somebody opens the dashboard. */
export interface VariableFilterValue extends Static<typeof savedValueKinds.variable> {}
/** The conditions of an ad hoc filter that are set when somebody opens the dashboard. */
export interface AdhocFilterValue extends Static<typeof savedValueKinds.adhoc> {}

/** The initial value of a dashboard filter. Its `type` determines which properties it has. */
export type SavedFilterValue = SqlFilterValue | VariableFilterValue | AdhocFilterValue;

export const savedFilterValue = oneOfKinds<SavedFilterValue>(
  Object.values(savedValueKinds),
  ofKnownTypes(Object.values(savedValueKinds), { variable: "2.38", adhoc: "2.46" }, ""),
  { additionalProperties: false },
);

/**
 * The members that do not belong to the `type` of a filter or of its initial value; none if this version of the provider does
 * not know the `type`.
 */
export function foreignMembers(schema: TSchema, entry: PropertyMap): string[] {
  const kind = kindOf(schema, entry);
  return kind
    ? Object.keys(entry).filter((name) => name in schema.properties && !(name in kind.properties))
    : [];
}

/** Whether a program can declare a filter of this `type`. The members of a filter of any other type are not documented. */
function isDeclarable(filter: PropertyMap): boolean {
  return kindOf(dashboardFilter, filter) !== undefined;
}

/**
 * Whether a program can declare the saved filter values of a dashboard. The console also saves conditions in Lucene, which no
 * request takes.
 */
export function hasDeclarableValues({ savedFilterValues }: PropertyMap): boolean {
  return tilesIn(savedFilterValues).every((value) => kindOf(savedFilterValue, value) !== undefined);
}

/**
 * The filters in the body of an update request. The service needs their ids, and gives a new id to a filter whose id it does
 * not know. Filters that a program cannot declare keep their place in the list.
 */
export function updatedFilters(filters: unknown, current: PropertyMap): readonly PropertyMap[] {
  const matched = identified(filters, declarableFilters(current), filterIdsIn(current), isRenamedFilter);
  const result = matched.map((filter, index) => ({ id: `new${index}`, ...filter }) as PropertyMap);
  for (const [at, filter] of tilesIn(current.filters).entries())
    if (!isDeclarable(filter) && !result.some(({ id }) => id === filter.id)) result.splice(at, 0, filter);
  return result;
}

export function declarableFilters({ filters }: PropertyMap): readonly PropertyMap[] {
  return tilesIn(filters).filter(isDeclarable);
}

export function filterIdsIn({ filterIds }: PropertyMap): { readonly [name: string]: string } {
  return (filterIds as { [name: string]: string } | undefined) ?? {};
}
