import * as pipestack from "pipestack";

const traces = pipestack.getSourceOutput({ kind: "trace" }).id;
const logs = pipestack.getSourceOutput({ kind: "log" }).id;

// Series without a filter are of requests: the spans of servers, by the defaults of the dashboard.
const requests = { aggFn: "count", alias: "requests" } as const;
const failed = { aggFn: "count", where: "SpanKind:Server StatusCode:Error" } as const;
const inSeconds = { numberFormat: { output: "duration", factor: 1e-9 } } as const;
const p95 = { aggFn: "quantile", level: 0.95, valueExpression: "Duration", alias: "p95" } as const;
const errors = { aggFn: "count", where: "SeverityText:error" } as const;

const lines = { displayType: "line", groupBy: "ServiceName" } as const;
const ratio = { asRatio: true, numberFormat: { output: "percent" } } as const;
const table = { displayType: "table", groupBy: "ServiceName, SpanName", orderBy: "p95 DESC" } as const;
const bars = { displayType: "stacked_bar", groupBy: "ServiceName", sourceId: logs } as const;
const rows = { displayType: "search", sourceId: logs, select: "Timestamp, ServiceName, Body" } as const;

const dashboard = new pipestack.Dashboard("overview", {
  name: "Services",
  filters: [{ type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId: traces }],
  defaults: { sourceId: traces, where: "SpanKind:Server", w: 8, h: 8 },
  tiles: [
    { name: "Requests", config: { ...lines, select: [requests] } },
    { name: "Error rate", config: { ...lines, ...ratio, select: [failed, requests] } },
    { name: "Duration", config: { ...lines, ...inSeconds, select: [p95] } },
    { name: "Slowest operations", w: 24, config: { ...table, select: [{ ...p95, ...inSeconds }, requests] } },
    { name: "Errors by service", config: { ...bars, select: [errors] } },
    { name: "Recent errors", w: 16, config: { ...rows, where: errors.where } },
  ],
});

export const dashboardId = dashboard.id;
