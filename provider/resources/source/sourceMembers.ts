import { oneOf, openSetOf } from "../../values/schema";
import { type Static, type TOptional, Type } from "../../values/schemaBuilders";
import { aggregateFunctions } from "../dashboard/tileSelect";

const expression = { minLength: 1 };
const duration = { pattern: "^[1-9]\\d*[smhd]$", rule: "a count and a unit (s, m, h or d), such as 5m" };

const from = Type.Object(
  {
    /** Name of the database. */
    databaseName: Type.String({ minLength: 1 }),
    /** Name of the table. Required unless `kind` is `metric`, whose tables are `metricTables`. */
    tableName: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

const querySetting = Type.Object(
  {
    /** Name of the setting. */
    setting: Type.String({ minLength: 1 }),
    /** Value of the setting, as text. */
    value: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
);

const attribute = Type.Object(
  {
    /** Expression of the attribute in SQL. */
    sqlExpression: Type.String({ minLength: 1 }),
    /** Expression of the attribute in Lucene, for searches. */
    luceneExpression: Type.Optional(Type.String({ minLength: 1 })),
    /** Name under which the attribute is shown. Default: the expression. */
    alias: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

const aggregatedColumn = Type.Object(
  {
    /** Function whose results the column holds, such as `count` or `sum`. */
    aggFn: openSetOf([...aggregateFunctions, "histogram"]),
    /** Column of the view. */
    mvColumn: Type.String({ minLength: 1 }),
    /** Column of the table whose values are aggregated. Required unless `aggFn` is `count`. */
    sourceColumn: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

const materializedView = Type.Object(
  {
    /** Database of the view. */
    databaseName: Type.String({ minLength: 1 }),
    /** Table of the view. */
    tableName: Type.String({ minLength: 1 }),
    /** Columns by which the view groups, separated by commas. */
    dimensionColumns: Type.String(),
    /** Shortest interval for which the view has values: a count and a unit, such as `5m`. */
    minGranularity: Type.String(duration),
    /** Time from which on the view has values (ISO 8601). Default: always. */
    minDate: Type.Optional(Type.String({ format: "date-time", comparison: "instant" })),
    /** Column of the view with the time. */
    timestampColumn: Type.String({ minLength: 1 }),
    /** The columns with aggregated values, at least one. */
    aggregatedColumns: Type.Array(aggregatedColumn, { minItems: 1 }),
  },
  { additionalProperties: false },
);

const metadataViews = Type.Object(
  {
    /** Table with the names of attributes. */
    keyRollupTable: Type.Optional(Type.String({ minLength: 1 })),
    /** Table with the values of attributes. */
    kvRollupTable: Type.String({ minLength: 1 }),
    /** Interval of these tables: a count and a unit, such as `15m`. */
    granularity: Type.String(duration),
  },
  { additionalProperties: false },
);

const filterColumn = Type.Object(
  {
    /** Name of the column. */
    name: Type.String({ minLength: 1 }),
    /** Name under which the column is shown. */
    label: Type.String({ minLength: 1 }),
    /** Expression of the column's values. Default: the column itself. */
    valueExpression: Type.Optional(Type.String(expression)),
    /** Whether people can choose all values of the column at once. Default: that of the service. */
    allowAll: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const filterSettings = Type.Object(
  {
    /** Database of the table whose columns are offered. */
    databaseName: Type.String({ minLength: 1 }),
    /** Name of the table whose columns are offered. */
    tableName: Type.String({ minLength: 1 }),
    /** The columns, up to 10. */
    columns: Type.Array(filterColumn, { most: 10 }),
  },
  { additionalProperties: false, droppedBy: "observability" },
);

const metricTables = Type.Object(
  {
    /** Table of gauges. */
    gauge: Type.Optional(Type.String({ minLength: 1 })),
    /** Table of histograms. */
    histogram: Type.Optional(Type.String({ minLength: 1 })),
    /** Table of sums. */
    sum: Type.Optional(Type.String({ minLength: 1 })),
    /** Table of summaries. */
    summary: Type.Optional(Type.String({ minLength: 1 })),
    /** Table of exponential histograms. */
    exponentialHistogram: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false, minProperties: 1, rule: "an object with the table of at least one kind" },
);

/** The members of every source. */
export const requiredMembers = {
  /** Id of the connection to the database: that of another source, as `getSource` answers it. */
  connection: Type.String({ minLength: 1 }),
  /** Database and table of the records. */
  from,
  /** Column or expression with the time of a record. */
  timestampValueExpression: Type.String(expression),
};

export type RequiredMembers = typeof requiredMembers;

/** Further members of sources; the kind decides which a source may have. */
const furtherMembers = {
  /** Heading under which the source is listed, up to 256 characters. Default: none. */
  section: Type.String({ minLength: 1, longest: 256 }),
  /** Whether the source is left out of choices. Default: false. */
  disabled: Type.Boolean({ default: false }),
  /** Up to 10 settings of every query. Default: none. */
  querySettings: Type.Array(querySetting, { most: 10, default: [] }),
  /** Columns that a search shows, separated by commas. */
  defaultTableSelectExpression: Type.String(expression),
  /** Expression of the name of the service. */
  serviceNameExpression: Type.String(expression),
  /** Expression of the version of the service. */
  serviceVersionExpression: Type.String(expression),
  /** Expression of the severity of a log. */
  severityTextExpression: Type.String(expression),
  /** Expression of the text of a log. */
  bodyExpression: Type.String(expression),
  /** Expression of the severity of a log as a number. The document of ClickHouse Cloud does not have it. */
  severityNumberExpression: Type.String({ ...expression, since: "2.42" }),
  /** Expression of the name of the event that a log is about. The document of ClickHouse Cloud does not have it. */
  eventNameExpression: Type.String({ ...expression, since: "2.42" }),
  /** Expression of the attributes of a record. */
  eventAttributesExpression: Type.String(expression),
  /** Expression of the attributes of the resource that made the record. */
  resourceAttributesExpression: Type.String(expression),
  /** Expression of the time that is shown. Default: `timestampValueExpression`. */
  displayedTimestampValueExpression: Type.String(expression),
  /** Expression that is searched if a query names no column. */
  implicitColumnExpression: Type.String(expression),
  /** Expression of the names of columns that a search may name. */
  knownColumnsListExpression: Type.String(expression),
  /** Whether searches use the text index of the implicit column. Default: auto. */
  useTextIndexForImplicitColumn: oneOf(["auto", "enabled", "disabled"], { default: "auto" }),
  /** Attributes of a trace that are shown first. Default: none. */
  highlightedTraceAttributeExpressions: Type.Array(attribute, { default: [] }),
  /** Attributes of a record that are shown first. Default: none. */
  highlightedRowAttributeExpressions: Type.Array(attribute, { default: [] }),
  /** Views that answer queries faster. Default: none. */
  materializedViews: Type.Array(materializedView, { default: [] }),
  /** Views from which the names and values of attributes are read faster. Default: none. */
  metadataMaterializedViews: metadataViews,
  /** Columns that are offered as filters. Management API only. */
  filterSettings,
  /** Order of the records of a search, in SQL. Default: the newest first. */
  orderByExpression: Type.String(expression),
  /**
   * Condition of every query, in SQL. The document of ClickHouse Cloud does not have it.
   *
   * @deprecated use a row policy of the database, which people cannot get around
   */
  tableFilterExpression: Type.String({
    ...expression,
    deprecated: "use a row policy of the database, which people cannot get around",
  }),
  /** Expression of the duration of a span. */
  durationExpression: Type.String(expression),
  /** Unit of the duration: 0 is seconds, 3 milliseconds, 9 nanoseconds. Default: 3. */
  durationPrecision: Type.Integer({ minimum: 0, maximum: 9, default: 3 }),
  /** Expression of the id of the trace. */
  traceIdExpression: Type.String(expression),
  /** Expression of the id of the span. */
  spanIdExpression: Type.String(expression),
  /** Expression of the id of the parent span. */
  parentSpanIdExpression: Type.String(expression),
  /** Expression of the name of the span. */
  spanNameExpression: Type.String(expression),
  /** Expression of the kind of the span. */
  spanKindExpression: Type.String(expression),
  /** Expression of the status of the span. */
  statusCodeExpression: Type.String(expression),
  /** Expression of the message of the span's status. */
  statusMessageExpression: Type.String(expression),
  /** Expression of the events of the span. */
  spanEventsValueExpression: Type.String(expression),
  /** Expression of the links of the span. */
  spanLinksValueExpression: Type.String(expression),
  /** Expression of the rate at which spans are sampled. */
  sampleRateExpression: Type.String(expression),
  /** The table of each kind of metric, at least one. */
  metricTables,
  /** Table of the series of all metrics. The document of ClickHouse Cloud does not have it. */
  seriesTable: Type.String(expression),
  /**
   * The shortest interval that charts choose by themselves: a count and a unit, such as `15 second` or `1 minute`. Set it to
   * the interval at which the metrics come; `$__rate_interval` in PromQL follows from it, too. Default: none, and 15 seconds
   * for `$__rate_interval`. The document of ClickHouse Cloud does not have it.
   */
  minAutoGranularity: Type.String({
    pattern: "^[1-9]\\d* (second|minute|hour|day)$",
    rule: "a count and a unit (second, minute, hour or day), such as 15 second",
    since: "2.40",
  }),
  /** Id of the source of the logs that belong to these records: `logs.id`. */
  logSourceId: Type.String({ minLength: 1 }),
  /** Id of the source of the traces that belong to these records: `traces.id`. */
  traceSourceId: Type.String({ minLength: 1 }),
  /** Id of the source of the metrics that belong to these records: `metrics.id`. */
  metricSourceId: Type.String({ minLength: 1 }),
  /** Id of the source of the sessions that belong to these records: `sessions.id`. */
  sessionSourceId: Type.String({ minLength: 1 }),
};

type Schemas = RequiredMembers & typeof furtherMembers;

/** The types of all members. */
export type SourceMembers = { readonly [Name in keyof Schemas]: Static<Schemas[Name]> };

/** The further members, none of which is required of every kind. */
export type OptionalMembers = {
  [Name in keyof typeof furtherMembers]: TOptional<(typeof furtherMembers)[Name]>;
};

export const optionalMembers = Object.fromEntries(
  Object.entries(furtherMembers).map(([name, schema]) => [name, Type.Optional(schema)]),
) as OptionalMembers;
