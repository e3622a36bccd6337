import { badRequest } from "../apiError";
import { seededCredentials } from "../credentials";
import { documented } from "../documented";
import { isObjectId } from "../identifiers";
import type { Records } from "../records";
import { type Call, madeOnce, type Route, type RouteContext } from "../routes";
import { connections } from "./connections";
import { listedRoutes, usualOperations } from "./listed";
import type { Resource } from "./resource";

/** The properties of a data source. Its kind decides which optional properties it has. */
interface Members {
  name: string;
  kind: "log" | "trace" | "metric" | "session" | "promql";
  section?: string;
  disabled: boolean;
  connection: string;
  from: { databaseName: string; tableName: string };
  querySettings: { setting: string; value: string }[];
  timestampValueExpression: string;
  [expression: `${string}Expression`]: string | undefined;
  useTextIndexForImplicitColumn?: "auto" | "enabled" | "disabled";
  highlightedTraceAttributeExpressions?: object[];
  highlightedRowAttributeExpressions?: object[];
  materializedViews?: object[];
  metadataMaterializedViews?: object;
  filterSettings?: object;
  durationPrecision?: number;
  metricTables?: Record<string, string>;
  seriesTable?: string;
  minAutoGranularity?: string;
  logSourceId?: string | null;
  traceSourceId?: string;
  metricSourceId?: string;
  sessionSourceId?: string;
}

export interface Source extends Members {
  id: string;
  serviceId: string;
}

/** The properties of a data source that a client sends. HyperDX's server adds the others. */
type SourceInput = Partial<Members> &
  Pick<Members, "name" | "kind" | "connection" | "from" | "timestampValueExpression">;

/** The data sources of a service in the sandbox. A source can be deleted although other objects still refer to it. */
export const sources = {
  place: "stack",
  operations: usualOperations("Source", "Sources"),
  path: () => "sources",

  seed: (): Source[] =>
    sourcesOfOtel(seededCredentials.serviceId, "65f1c0a2b3d4e5f607182900", [
      "65f1c0a2b3d4e5f607182911",
      "65f1c0a2b3d4e5f607182912",
      "65f1c0a2b3d4e5f607182913",
    ]),

  columns: ["kind", "from", "connection"],

  routes(context: RouteContext): Route[] {
    const body = neutralBody(context);
    const isObservability = context.name === "observability";
    return listedRoutes<Source>(context, {
      collection: sources,
      noun: "Source",
      showsMore: true,
      ...(body && { bodies: { create: body, update: body } }),
      membersOf: (call) => membersOf(call, context.store),
      show: ({ serviceId, filterSettings, ...source }) =>
        isObservability ? source : { ...source, filterSettings },
    });
  },
} as const satisfies Resource;

/**
 * The schema of a data source's request body in the dialect `neutral`, whose API document does not describe the body. The
 * schema comes from ClickHouse Cloud's document for the management API, and from HyperDX's document for the observability API.
 */
const neutralBody = madeOnce(({ name }) =>
  name === "management"
    ? documented(name, { method: "POST" }, `${serviceOfCloud}/clickstack/sources`, {})?.body
    : documented(name, { method: "POST" }, "/api/v2/sources", { version: "2.36" })?.body,
);

const serviceOfCloud = "/v1/organizations/:organizationId/services/:serviceId";

/** Returns the properties of a data source that a request body sets. A replacement clears omitted properties. */
function membersOf({ body: input, service }: Call<SourceInput>, records: Records): Members {
  const failures = failuresIn(input);
  if (failures.length > 0) throw badRequest(`Body validation failed: ${failures.join("; ")}`);
  if (!isObjectId(input.connection)) throw badRequest("connection must be a valid connection id");
  if (records.of(connections).get(input.connection)?.serviceId !== service.id)
    throw badRequest("connection must be an existing connection id");
  return completed(input);
}

/** The expressions that HyperDX requires of each kind of data source, and that may not be empty. */
const needed: { readonly [kind in Members["kind"]]: readonly string[] } = {
  log: ["defaultTableSelectExpression"],
  trace: [
    ...["defaultTableSelectExpression", "durationExpression", "traceIdExpression", "spanIdExpression"],
    ...["parentSpanIdExpression", "spanNameExpression", "spanKindExpression"],
  ],
  metric: ["resourceAttributesExpression"],
  session: ["traceSourceId"],
  promql: [],
};

const nullable = ["logSourceId", "minDate", "keyRollupTable"];

/**
 * Checks a data source's request body by the rules of HyperDX's server that its API document does not state, and returns the
 * violations.
 */
function failuresIn(input: SourceInput): string[] {
  const { kind, name, from, timestampValueExpression, metricTables = {}, querySettings = [] } = input;
  const texts: { readonly [member: string]: unknown } = {
    ...Object.fromEntries(needed[kind].map((member) => [member, input[member as keyof SourceInput]])),
    ...{ name, timestampValueExpression, "from.databaseName": from.databaseName },
    ...(kind !== "metric" && { "from.tableName": from.tableName }),
  };
  const failures = Object.keys(texts).flatMap((member) =>
    texts[member] === "" ? `${member}: Required` : [],
  );
  if (kind === "metric" && from.tableName === undefined) failures.push("from.tableName: Required");
  if (kind === "metric" && Object.keys(metricTables).length === 0) failures.push("metricTables: Required");
  if (querySettings.length > 10) failures.push("querySettings: must NOT have more than 10 items");
  return [...failures, ...failuresInParts(input, "")];
}

/**
 * Checks every part of a data source's request body, and returns the violations: null, empty texts of settings and views, and
 * aggregates without a column.
 */
function failuresInParts(part: object, path: string): string[] {
  const { aggFn, sourceColumn } = part as { aggFn?: string; sourceColumn?: string };
  const isBare = aggFn !== undefined && aggFn !== "count" && !sourceColumn;
  const own = isBare ? [`${path}sourceColumn: Required`] : [];
  return Object.entries(part).reduce((failures, [name, member]) => {
    if (member === null && !nullable.includes(name)) failures.push(`${path}${name}: must not be null`);
    if (member === "" && path !== "" && neverEmpty.includes(name)) failures.push(`${path}${name}: Required`);
    if (typeof member === "object" && member !== null)
      failures.push(...failuresInParts(member, `${path}${name}.`));
    return failures;
  }, own);
}

const neverEmpty = [
  ...["setting", "value", "sqlExpression", "aggFn", "mvColumn", "kvRollupTable", "granularity"],
  ...["minGranularity", "timestampColumn"],
];

/** Completes a data source with the values that HyperDX's server adds. */
function completed(input: SourceInput): Members {
  const isSearched = input.kind === "log" || input.kind === "trace";
  return {
    disabled: false,
    querySettings: [],
    ...(isSearched && {
      highlightedTraceAttributeExpressions: [],
      highlightedRowAttributeExpressions: [],
      materializedViews: [],
    }),
    ...(input.kind === "trace" && { durationPrecision: 3 }),
    ...input,
  };
}

/** The data sources of the tables that an OpenTelemetry collector fills, as HyperDX's page finds them. */
export function sourcesOfOtel(
  serviceId: string,
  connection: string,
  [logs, traces, metrics]: readonly [string, string, string],
): Source[] {
  const source = (id: string, name: string, members: Omit<SourceInput, "name" | "connection">): Source => ({
    id,
    serviceId,
    ...completed({ name, connection, ...members } as SourceInput),
  });
  return [
    source(logs, "Logs", {
      kind: "log",
      from: { databaseName: "otel", tableName: "otel_logs" },
      timestampValueExpression: "Timestamp",
      defaultTableSelectExpression: "Timestamp, ServiceName, SeverityText, Body",
      serviceNameExpression: "ServiceName",
      severityTextExpression: "SeverityText",
      bodyExpression: "Body",
    }),
    source(traces, "Traces", {
      kind: "trace",
      from: { databaseName: "otel", tableName: "otel_traces" },
      timestampValueExpression: "Timestamp",
      defaultTableSelectExpression: "Timestamp, ServiceName, SpanName, Duration",
      durationExpression: "Duration",
      durationPrecision: 9,
      traceIdExpression: "TraceId",
      spanIdExpression: "SpanId",
      parentSpanIdExpression: "ParentSpanId",
      spanNameExpression: "SpanName",
      spanKindExpression: "SpanKind",
      serviceNameExpression: "ServiceName",
      logSourceId: logs,
    }),
    source(metrics, "Metrics", {
      kind: "metric",
      from: { databaseName: "otel", tableName: "" },
      timestampValueExpression: "TimeUnix",
      metricTables: { gauge: "otel_metrics_gauge", sum: "otel_metrics_sum" },
      resourceAttributesExpression: "ResourceAttributes",
    }),
  ];
}
