import { enums } from "../../api/enums.golden";
import { oneOf, openSetOf } from "../../values/schema";
import { type Static, type TOptional, Type } from "../../values/schemaBuilders";
import { aggregateFunctions } from "../tiles/tileSelect";

const expression = { minLength: 1 };
const duration = { pattern: "^[1-9]\\d*[smhd]$", rule: "a count and a unit (s, m, h or d), such as 5m" };

const from = Type.Object(
  {
    /** Name of the database that holds the source's records. */
    databaseName: Type.String({ minLength: 1 }),
    /**
     * Name of the table that holds the source's records. Required unless `kind` is `metric`, whose tables are in
     * `metricTables`.
     */
    tableName: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

const querySetting = Type.Object(
  {
    /** Name of a ClickHouse setting that applies to queries of the source. */
    setting: Type.String({ minLength: 1 }),
    /** Value of the ClickHouse setting, as text. */
    value: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
);

const attribute = Type.Object(
  {
    /** SQL expression of an attribute that the console shows first in a record. */
    sqlExpression: Type.String({ minLength: 1 }),
    /** Lucene expression of the record's attribute, for searches. */
    luceneExpression: Type.Optional(Type.String({ minLength: 1 })),
    /** Name under which the console shows the attribute of a record. Default: the expression. */
    alias: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

const aggregatedColumn = Type.Object(
  {
    /** Function whose results the materialized view's column holds, such as `count` or `sum`. */
    aggFn: openSetOf([...aggregateFunctions, "histogram"]),
    /** Column of the materialized view that holds the results. */
    mvColumn: Type.String({ minLength: 1 }),
    /** Column of the source table whose values the materialized view aggregates. Required unless `aggFn` is `count`. */
    sourceColumn: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

const materializedView = Type.Object(
  {
    /** Database of the materialized view. */
    databaseName: Type.String({ minLength: 1 }),
    /** Table of the materialized view. */
    tableName: Type.String({ minLength: 1 }),
    /** Columns by which the materialized view groups, separated by commas. */
    dimensionColumns: Type.String(),
    /** Shortest interval for which the materialized view has values: a count and a unit, such as `5m`. */
    minGranularity: Type.String(duration),
    /** Time from which on the materialized view has values (ISO 8601). Default: it has values for all times. */
    minDate: Type.Optional(Type.String({ format: "date-time", comparison: "instant" })),
    /** Column of the materialized view that holds the time. */
    timestampColumn: Type.String({ minLength: 1 }),
    /** Columns of the materialized view that hold aggregated values, at least one. */
    aggregatedColumns: Type.Array(aggregatedColumn, { minItems: 1 }),
  },
  { additionalProperties: false },
);

const metadataViews = Type.Object(
  {
    /** Table from which the names of the records' attributes are read faster than from the records. */
    keyRollupTable: Type.Optional(Type.String({ minLength: 1 })),
    /** Table from which the values of the records' attributes are read faster than from the records. */
    kvRollupTable: Type.String({ minLength: 1 }),
    /** Interval of the rows in the tables of attribute names and values: a count and a unit, such as `15m`. */
    granularity: Type.String(duration),
  },
  { additionalProperties: false },
);

const filterColumn = Type.Object(
  {
    /** Name of a column that searches of the source offer as a filter. */
    name: Type.String({ minLength: 1 }),
    /** Name under which the filter column is shown. */
    label: Type.String({ minLength: 1 }),
    /** SQL expression for the filter column's values. Default: the column itself. */
    valueExpression: Type.Optional(Type.String(expression)),
    /** Whether people can choose all values of the filter column at once. Default: chosen by the service. */
    allowAll: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const filterSettings = Type.Object(
  {
    /** Database of the table whose columns are offered as filters. */
    databaseName: Type.String({ minLength: 1 }),
    /** Name of the table whose columns are offered as filters. */
    tableName: Type.String({ minLength: 1 }),
    /** The columns that are offered as filters, up to 10. */
    columns: Type.Array(filterColumn, { most: 10 }),
  },
  { additionalProperties: false, droppedBy: "observability" },
);

const metricTables = Type.Object(
  {
    /** Name of the table that holds gauge metrics. */
    gauge: Type.Optional(Type.String({ minLength: 1 })),
    /** Name of the table that holds histogram metrics. */
    histogram: Type.Optional(Type.String({ minLength: 1 })),
    /** Table of sums. */
    sum: Type.Optional(Type.String({ minLength: 1 })),
    /** Name of the table that holds summary metrics. */
    summary: Type.Optional(Type.String({ minLength: 1 })),
    /** Name of the table that holds exponential histogram metrics. */
    exponentialHistogram: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false, minProperties: 1, rule: "an object with the table of at least one kind" },
);

/** The properties of every data source. */
export const requiredMembers = {
  /** Id of the connection to the database. For a database that an existing source already uses, `getSource` returns it. */
  connection: Type.String({ minLength: 1, of: "Connection" }),
  /** Database and table that hold the source's records. */
  from,
  /** Column or expression with the time of a record in the source. */
  timestampValueExpression: Type.String(expression),
};

export type RequiredMembers = typeof requiredMembers;

/**
 * The properties of data sources that not every kind of source requires. The `kind` of a source determines which of them it may
 * have.
 */
const furtherMembers = {
  /** Heading under which the console lists the source, up to 256 characters. Default: none. */
  section: Type.String({ minLength: 1, longest: 256 }),
  /** Whether the console hides the source where people choose one. Default: false. */
  disabled: Type.Boolean({ default: false }),
  /** Up to 10 ClickHouse settings that apply to every query of the source. Default: none. */
  querySettings: Type.Array(querySetting, { most: 10, default: [] }),
  /** Columns that a search in the source shows, separated by commas. */
  defaultTableSelectExpression: Type.String(expression),
  /** SQL expression for the name of the service that wrote a record. */
  serviceNameExpression: Type.String(expression),
  /** SQL expression for the version of the service that wrote a record. */
  serviceVersionExpression: Type.String(expression),
  /** SQL expression for the severity of a log record. */
  severityTextExpression: Type.String(expression),
  /** SQL expression for the text of a log record. */
  bodyExpression: Type.String(expression),
  /** SQL expression for the severity of a log record as a number. The API document of ClickHouse Cloud lacks this property. */
  severityNumberExpression: Type.String({ ...expression, since: "2.42" }),
  /**
   * SQL expression for the name of the event that a log record describes. The API document of ClickHouse Cloud lacks this
   * property.
   */
  eventNameExpression: Type.String({ ...expression, since: "2.42" }),
  /** SQL expression for the attributes of a record in the source. */
  eventAttributesExpression: Type.String(expression),
  /** SQL expression for the attributes of the OpenTelemetry resource that made the record. */
  resourceAttributesExpression: Type.String(expression),
  /** SQL expression for the time that is shown with a record. Default: `timestampValueExpression`. */
  displayedTimestampValueExpression: Type.String(expression),
  /** Expression that a search looks through if the query names no column. */
  implicitColumnExpression: Type.String(expression),
  /** SQL expression for the names of columns that a search in the source may name. */
  knownColumnsListExpression: Type.String(expression),
  /** Whether searches use the text index of `implicitColumnExpression`. Default: auto. */
  useTextIndexForImplicitColumn: oneOf(enums.textIndexUse, { default: "auto" }),
  /** Attributes of a trace that the console shows first. Default: none. */
  highlightedTraceAttributeExpressions: Type.Array(attribute, { default: [] }),
  /** Attributes of a record that the console shows first. Default: none. */
  highlightedRowAttributeExpressions: Type.Array(attribute, { default: [] }),
  /** Materialized views that answer queries of the source faster. Default: none. */
  materializedViews: Type.Array(materializedView, { default: [] }),
  /** Materialized views from which the names and values of attributes are read faster. Default: none. */
  metadataMaterializedViews: metadataViews,
  /** Columns that searches of the source offer as filters. Management API only. */
  filterSettings,
  /** Order of the records that a search finds, in SQL. Default: the newest first. */
  orderByExpression: Type.String(expression),
  /**
   * Condition, in SQL, that is added to every query of the source. The API document of ClickHouse Cloud lacks this property.
   * @deprecated use a row policy of the database, which people cannot get around
   */
  tableFilterExpression: Type.String({
    ...expression,
    deprecated: "use a row policy of the database, which people cannot get around",
  }),
  /** SQL expression for the duration of a span in a trace. */
  durationExpression: Type.String(expression),
  /** Unit of a span's duration: 0 is seconds, 3 milliseconds, 9 nanoseconds. Default: 3. */
  durationPrecision: Type.Integer({ minimum: 0, maximum: 9, default: 3 }),
  /** SQL expression for the id of a span's trace. */
  traceIdExpression: Type.String(expression),
  /** SQL expression for the id of a span in a trace. */
  spanIdExpression: Type.String(expression),
  /** SQL expression for the id of a span's parent span. */
  parentSpanIdExpression: Type.String(expression),
  /** SQL expression for the name of a span. */
  spanNameExpression: Type.String(expression),
  /** SQL expression for the kind of a span. */
  spanKindExpression: Type.String(expression),
  /** SQL expression for the status of a span. */
  statusCodeExpression: Type.String(expression),
  /** SQL expression for the message of a span's status. */
  statusMessageExpression: Type.String(expression),
  /** SQL expression for the events of a span. */
  spanEventsValueExpression: Type.String(expression),
  /** SQL expression for the links of a span. */
  spanLinksValueExpression: Type.String(expression),
  /** SQL expression for the rate at which the spans of a trace are sampled. */
  sampleRateExpression: Type.String(expression),
  /** The table of each kind of metric in the source, at least one. */
  metricTables,
  /** Table that holds the series of all metrics. The API document of ClickHouse Cloud lacks this property. */
  seriesTable: Type.String(expression),
  /**
   * Shortest interval that charts choose by themselves: a count and a unit, such as `15 second` or `1 minute`. Set it to the
   * interval at which metrics arrive; `$__rate_interval` in PromQL follows from it. Default: none, and 15 seconds for
   * `$__rate_interval`. The API document of ClickHouse Cloud lacks this property.
   */
  minAutoGranularity: Type.String({
    pattern: "^[1-9]\\d* (second|minute|hour|day)$",
    rule: "a count and a unit (second, minute, hour or day), such as 15 second",
    since: "2.40",
  }),
  /** Id of the data source of the logs that belong to the source's records: the `id` of another `Source`. */
  logSourceId: Type.String({ minLength: 1, of: "Source" }),
  /** Id of the data source of the traces that belong to the source's records: the `id` of another `Source`. */
  traceSourceId: Type.String({ minLength: 1, of: "Source" }),
  /** Id of the data source of the metrics that belong to the source's records: the `id` of another `Source`. */
  metricSourceId: Type.String({ minLength: 1, of: "Source" }),
  /** Id of the data source of the sessions that belong to the source's records: the `id` of another `Source`. */
  sessionSourceId: Type.String({ minLength: 1, of: "Source" }),
};

type Schemas = RequiredMembers & typeof furtherMembers;

/** The types of all properties that data sources can have. */
export type SourceMembers = { readonly [Name in keyof Schemas]: Static<Schemas[Name]> };

/** The types of the properties of data sources that not every kind of source requires. */
export type OptionalMembers = {
  [Name in keyof typeof furtherMembers]: TOptional<(typeof furtherMembers)[Name]>;
};

export const optionalMembers = Object.fromEntries(
  Object.entries(furtherMembers).map(([name, schema]) => [name, Type.Optional(schema)]),
) as OptionalMembers;
