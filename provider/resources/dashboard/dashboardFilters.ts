import type { Data } from "../../values/data";
import { kindOf, oneOf, oneOfKinds } from "../../values/schema";
import { type Static, type TSchema, Type } from "../../values/schemaBuilders";
import { isRenamedFilter } from "./renames";
import { metricTypes } from "./tileSelect";
import { identified, tilesIn } from "./tiles";

const named = {
  /** Name of the filter. */
  name: Type.String({ minLength: 1 }),
};

const variableName = Type.String({
  pattern: "^[a-zA-Z][a-zA-Z0-9_]*$",
  maxLength: 64,
  rule: "a letter, then letters, digits and underscores, at most 64 characters",
});

const variable = {
  /**
   * Name by which queries use the value of the filter, as `$variableName`: a letter, then letters, digits and
   * underscores, up to 64 characters. Only with `isVariableEnabled`. Default: from `name`.
   */
  variableName: Type.Optional(variableName),
  /** 1 makes tiles wait until people have chosen a value. Default: 0. */
  minSelections: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, since: "2.38" })),
  /** 1 lets people choose one value only. Default: any number. */
  maxSelections: Type.Optional(Type.Integer({ minimum: 1, maximum: 1, rule: "1", since: "2.38" })),
  /**
   * Whether all tiles wait for a value, and not only those that use it. Has an effect with `minSelections: 1` alone.
   * Default: false.
   */
  isGlobalRequirement: Type.Optional(Type.Boolean({ since: "2.38" })),
};

const isVariableEnabled = Type.Optional(Type.Unsafe<true>({ type: "boolean", enum: [true], rule: "true" }));

const onlyVariable = {
  /** Must be false if declared: a filter of this type never filters tiles, and only sets a variable. */
  isBroadcastEnabled: Type.Optional(Type.Unsafe<false>({ type: "boolean", enum: [false], rule: "false" })),
  /** Must be true if declared: a filter of this type always sets a variable. */
  isVariableEnabled,
  ...variable,
};

const ofExpression = {
  /** Expression whose values people choose from. */
  expression: Type.String({ minLength: 1 }),
  /** Id of the source of the values; `getSources` lists the ids. */
  sourceId: Type.String({ minLength: 1 }),
  /** Ids of the sources whose tiles the filter applies to, in any order. Default: the sources of all tiles. */
  appliesToSourceIds: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { comparison: "set" })),
  /** Whether the filter applies to tiles. Default: true. */
  isBroadcastEnabled: Type.Optional(Type.Boolean()),
};

const filterKinds = {
  queryExpression: Type.Object({
    /** People choose among the values of an expression. */
    type: Type.Optional(Type.Literal("QUERY_EXPRESSION")),
    ...{ ...named, ...ofExpression },
    /** Kind of metric, where the source is one of metrics. */
    sourceMetricType: Type.Optional(oneOf(metricTypes)),
    /** Condition on the records whose values people choose from. Default: all records. */
    where: Type.Optional(Type.String()),
    /** Language of `where`: `sql` or `lucene`. */
    whereLanguage: Type.Optional(oneOf(["sql", "lucene"])),
    /** Whether queries of tiles can name the value of the filter. Default: false. */
    isVariableEnabled: Type.Optional(Type.Boolean()),
    ...variable,
  }),
  staticList: Type.Object({
    /** People choose among texts that the program lists. */
    type: Type.Literal("STATIC_LIST"),
    ...named,
    /** Texts that people choose among, 1 to 1000 of up to 10,000 characters. */
    options: Type.Array(Type.String({ minLength: 1, longest: 10_000 }), {
      minItems: 1,
      most: 1000,
      uniqueItems: true,
    }),
    ...onlyVariable,
  }),
  prometheusLabel: Type.Object({
    /** People choose among the values of a label in Prometheus. */
    type: Type.Literal("PROMETHEUS_LABEL"),
    ...named,
    /** Id of a source of the kind `promql`. */
    sourceId: Type.String({ minLength: 1 }),
    /** The label, up to 1024 characters. */
    label: Type.String({ minLength: 1, longest: 1024 }),
    /** Selector of the series whose values people choose from. Default: all. */
    match: Type.Optional(Type.String({ minLength: 1 })),
    ...onlyVariable,
  }),
  sourceFilter: Type.Object({
    /** People choose among the values of an expression, as queries name them by `variableName`. ClickHouse Cloud has it. */
    type: Type.Literal("SOURCE_FILTER"),
    ...{ ...named, ...ofExpression },
    /** Must be true if declared: queries always can name the value of such a filter. */
    isVariableEnabled,
    ...variable,
    /**
     * Name by which queries use the value of the filter, as `$variableName`: a letter, then letters, digits and
     * underscores.
     */
    variableName,
  }),
};

/** A filter whose values an expression over a source gives. */
export interface QueryExpressionFilter extends Static<typeof filterKinds.queryExpression> {}
/** A variable whose values the program lists. */
export interface StaticListFilter extends Static<typeof filterKinds.staticList> {}
/** A variable whose values are those of a label in Prometheus. */
export interface PrometheusLabelFilter extends Static<typeof filterKinds.prometheusLabel> {}

/** A filter of ClickHouse Cloud whose values an expression gives, and which queries can name. */
export interface SourceFilter extends Static<typeof filterKinds.sourceFilter> {}

/** A filter or a variable that people set above the dashboard: one of the kinds that `type` tells apart. */
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
      "; filters of other types are made on the product's page, and every update keeps them",
    ),
  },
  { additionalProperties: false },
);

const savedValueKinds = {
  sql: Type.Object({
    /** A condition in SQL. */
    type: Type.Optional(Type.Literal("sql")),
    /** Condition, such as `ServiceName IN ('api')`; up to 10,000 characters. */
    condition: Type.String({ longest: 10_000 }),
  }),
  variable: Type.Object({
    /** The chosen values of a variable. */
    type: Type.Literal("variable"),
    /** Name of the variable, up to 1024 characters. */
    name: Type.String({ minLength: 1, longest: 1024 }),
    /** Chosen values of the variable, up to 1000 of up to 10,000 characters. */
    values: Type.Array(Type.String({ longest: 10_000 }), { most: 1000 }),
    /** Whether all values of the variable are chosen. Default: false. */
    all: Type.Optional(Type.Boolean()),
  }),
  adhoc: Type.Object({
    /** The conditions of a filter that people fill in by themselves. */
    type: Type.Literal("adhoc"),
    /** Name of the variable, up to 1024 characters. */
    name: Type.String({ minLength: 1, longest: 1024 }),
    /** The conditions, up to 100. */
    conditions: Type.Array(
      Type.Object(
        {
          /** Column, expression or label, up to 10,000 characters. */
          key: Type.String({ minLength: 1, longest: 10_000 }),
          /** Comparison: `LIKE` and `NOT LIKE` are for SQL alone. */
          operator: oneOf(["=", "!=", "=~", "!~", "LIKE", "NOT LIKE", "IN"]),
          /** Value that the key is compared with, up to 10,000 characters. */
          value: Type.String({ longest: 10_000 }),
        },
        { additionalProperties: false },
      ),
      { most: 100 },
    ),
  }),
};

/** A condition in SQL that holds when the dashboard is opened. */
export interface SqlFilterValue extends Static<typeof savedValueKinds.sql> {}
/** The values that a variable has when the dashboard is opened. */
export interface VariableFilterValue extends Static<typeof savedValueKinds.variable> {}
/** The conditions that an ad hoc filter has when the dashboard is opened. */
export interface AdhocFilterValue extends Static<typeof savedValueKinds.adhoc> {}

/** The initial choice of a filter, by its `type`. */
export type SavedFilterValue = SqlFilterValue | VariableFilterValue | AdhocFilterValue;

export const savedFilterValue = oneOfKinds<SavedFilterValue>(
  Object.values(savedValueKinds),
  ofKnownTypes(Object.values(savedValueKinds), { variable: "2.38", adhoc: "2.46" }, ""),
  { additionalProperties: false },
);

/** The members of an entry that do not belong to its kind; none if the kind is unknown. */
export function foreignMembers(schema: TSchema, entry: Data): string[] {
  const kind = kindOf(schema, entry);
  return kind
    ? Object.keys(entry).filter((name) => name in schema.properties && !(name in kind.properties))
    : [];
}

/** Whether a program can declare a filter of this kind. The members of other kinds are not documented. */
function isDeclarable(filter: Data): boolean {
  return kindOf(dashboardFilter, filter) !== undefined;
}

/**
 * The filters in the body of an update. The service needs the id of each filter, and gives a new one to a filter whose
 * id it does not know. Filters that a program cannot declare stay where they are.
 */
export function updatedFilters(filters: unknown, current: Data): readonly Data[] {
  const matched = identified(filters, declarableFilters(current), filterIdsIn(current), isRenamedFilter);
  const result = matched.map((filter, index) => ({ id: `new${index}`, ...filter }) as Data);
  for (const [at, filter] of tilesIn(current.filters).entries())
    if (!isDeclarable(filter) && !result.some(({ id }) => id === filter.id)) result.splice(at, 0, filter);
  return result;
}

/** The filters of a dashboard that programs can declare. */
export function declarableFilters({ filters }: Data): readonly Data[] {
  return tilesIn(filters).filter(isDeclarable);
}

/** The ids of the filters of a state by their keys. */
export function filterIdsIn({ filterIds }: Data): { readonly [name: string]: string } {
  return (filterIds as { [name: string]: string } | undefined) ?? {};
}
