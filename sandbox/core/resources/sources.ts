import { Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { seededCredentials } from "../credentials";
import { isObjectId } from "../identifiers";
import type { Records } from "../records";
import type { Call, Route, RouteContext } from "../routes";
import { connections } from "./connections";
import { listedRoutes } from "./listed";
import type { Resource } from "./resource";
import { sourceBodies } from "./sourceBody";

/** A data source of a service; answers omit `serviceId`. Which of the optional members it has follows from its kind. */
export interface Source {
  id: string;
  serviceId: string;
  name: string;
  kind: "log" | "trace" | "metric" | "session" | "promql";
  section?: string;
  disabled: boolean;
  connection: string;
  from: { databaseName: string; tableName: string };
  querySettings: { setting: string; value: string }[];
  timestampValueExpression: string;
  defaultTableSelectExpression?: string;
  serviceNameExpression?: string;
  serviceVersionExpression?: string;
  severityTextExpression?: string;
  bodyExpression?: string;
  eventAttributesExpression?: string;
  resourceAttributesExpression?: string;
  displayedTimestampValueExpression?: string;
  implicitColumnExpression?: string;
  knownColumnsListExpression?: string;
  useTextIndexForImplicitColumn?: "auto" | "enabled" | "disabled";
  highlightedTraceAttributeExpressions?: object[];
  highlightedRowAttributeExpressions?: object[];
  materializedViews?: object[];
  metadataMaterializedViews?: object;
  filterSettings?: object;
  orderByExpression?: string;
  tableFilterExpression?: string;
  durationExpression?: string;
  durationPrecision?: number;
  traceIdExpression?: string;
  spanIdExpression?: string;
  parentSpanIdExpression?: string;
  spanNameExpression?: string;
  spanKindExpression?: string;
  statusCodeExpression?: string;
  statusMessageExpression?: string;
  spanEventsValueExpression?: string;
  spanLinksValueExpression?: string;
  sampleRateExpression?: string;
  metricTables?: Record<string, string>;
  seriesTable?: string;
  logSourceId?: string | null;
  traceSourceId?: string;
  metricSourceId?: string;
  sessionSourceId?: string;
}

/** What a client sends: the server fills in the rest. */
type Sent = Omit<Source, "id" | "serviceId" | "disabled" | "querySettings"> & Partial<Source>;

/** The data sources of a service: list, create, get, replace and delete. Nothing holds one: what refers to it dangles. */
export const sources = {
  place: "stack",
  operations: ["listSources", "createSource", "getSource", "updateSource", "deleteSource"],
  path: () => "sources",

  seed: (): Source[] => [
    seededSource("65f1c0a2b3d4e5f607182911", "Logs", {
      kind: "log",
      from: { databaseName: "otel", tableName: "otel_logs" },
      timestampValueExpression: "Timestamp",
      defaultTableSelectExpression: "Timestamp, ServiceName, SeverityText, Body",
      serviceNameExpression: "ServiceName",
      severityTextExpression: "SeverityText",
      bodyExpression: "Body",
    }),
    seededSource("65f1c0a2b3d4e5f607182912", "Traces", {
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
      logSourceId: "65f1c0a2b3d4e5f607182911",
    }),
    seededSource("65f1c0a2b3d4e5f607182913", "Metrics", {
      kind: "metric",
      from: { databaseName: "otel", tableName: "" },
      timestampValueExpression: "TimeUnix",
      metricTables: { gauge: "otel_metrics_gauge", sum: "otel_metrics_sum" },
      resourceAttributesExpression: "ResourceAttributes",
    }),
  ],

  onConsole: ({ id, serviceId, name, kind, from, metricTables = {} }: Source) => ({
    id,
    serviceId,
    name,
    kind,
    table: `${from.databaseName}.${from.tableName || Object.values(metricTables).join(", ")}`,
  }),

  routes(context: RouteContext): Route[] {
    const body = Type.Unsafe<Sent>(sourceBodies[context.name]);
    const isObservability = context.name === "observability";
    return listedRoutes<Source>(context, {
      collection: sources,
      operations: sources.operations,
      noun: "Source",
      bodies: { create: body, update: body },
      membersOf: (call) => membersOf(call, context.store),
      show: ({ serviceId, filterSettings, ...source }) =>
        isObservability || filterSettings === undefined ? source : { ...source, filterSettings },
    });
  },
} as const satisfies Resource;

/** A replacement loses what it omits. */
function membersOf({ body: sent, service }: Call<Sent>, records: Records): Omit<Source, "id" | "serviceId"> {
  if (!isObjectId(sent.connection)) throw badRequest("connection must be a valid connection id");
  if (records.of(connections).get(sent.connection)?.serviceId !== service.id)
    throw badRequest("connection must be an existing connection id");
  return completed(sent);
}

/** A source with what the server fills in. */
function completed(sent: Sent): Omit<Source, "id" | "serviceId"> {
  const isSearched = sent.kind === "log" || sent.kind === "trace";
  return {
    disabled: false,
    querySettings: [],
    ...(isSearched && {
      highlightedTraceAttributeExpressions: [],
      highlightedRowAttributeExpressions: [],
      materializedViews: [],
    }),
    ...(sent.kind === "trace" && { durationPrecision: 3 }),
    ...sent,
  };
}

function seededSource(id: string, name: string, own: Omit<Sent, "name" | "connection">): Source {
  const { serviceId } = seededCredentials;
  return { id, serviceId, ...completed({ name, connection: "65f1c0a2b3d4e5f607182900", ...own } as Sent) };
}
