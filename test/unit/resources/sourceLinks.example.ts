import type { PropertyMap } from "../../../provider/values/data";
import { type Example, organizationId, serviceId } from "./example";
import { addSource, sourcesByKind } from "./source.example";

const [logs, traces, metrics] = [
  "65f1c0a2b3d4e5f607182911",
  "65f1c0a2b3d4e5f607182912",
  "65f1c0a2b3d4e5f607182913",
];
const [otherLogs, sessions, spans] = [
  "65f1c0a2b3d4e5f607182914",
  "65f1c0a2b3d4e5f607182915",
  "65f1c0a2b3d4e5f607182916",
];

const linksOf = (record: PropertyMap | undefined) =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => /SourceId$/.test(name)));

const ofBoth = {
  connection: "65f1c0a2b3d4e5f607182900",
  timestampValueExpression: "Timestamp",
  ...{ disabled: false, querySettings: [], materializedViews: [] },
  ...{ highlightedTraceAttributeExpressions: [], highlightedRowAttributeExpressions: [] },
};

/** What the service has of two sources, which a request about their links repeats. */
const wholes: { readonly [id: string]: PropertyMap } = {
  [logs]: {
    ...ofBoth,
    ...{ name: "Logs", kind: "log", from: { databaseName: "otel", tableName: "otel_logs" } },
    defaultTableSelectExpression: "Timestamp, ServiceName, SeverityText, Body",
    ...{
      severityTextExpression: "SeverityText",
      bodyExpression: "Body",
      serviceNameExpression: "ServiceName",
    },
  },
  [spans]: { ...ofBoth, ...sourcesByKind.trace, durationPrecision: 3 },
};

/** The source whose links a program declares; that of logs for an id that no source has. */
export const sourceOfLinks = (id: string): PropertyMap => wholes[id] ?? wholes[logs] ?? {};

export const sourceLinksExample: Example = {
  valid: { organizationId, serviceId, sourceId: logs, traceSourceId: traces, onDestroy: "keep" },
  wholes: {
    "of logs": { sourceId: logs, traceSourceId: traces, metricSourceId: metrics },
    "of traces": { sourceId: spans, logSourceId: otherLogs, sessionSourceId: sessions },
  },
  alternatives: {
    logSourceId: [logs],
    traceSourceId: [sessions],
    metricSourceId: [otherLogs],
    sessionSourceId: [otherLogs],
  },
  programs: () => [
    { sourceId: logs, traceSourceId: traces },
    { sourceId: logs, traceSourceId: traces, metricSourceId: metrics },
  ],
  bodyOf: ({ sourceId, ...links }) => ({ ...sourceOfLinks(String(sourceId)), ...links }),
  find: ({ store }, id) => {
    const source = store.sources.get(id) as PropertyMap | undefined;
    const links = linksOf(source);
    return Object.keys(links).length > 0 ? { id, ...links } : undefined;
  },
  furnish({ sandbox }) {
    addSource(sandbox, { id: otherLogs, name: "Access" });
    addSource(sandbox, { ...sourcesByKind.trace, id: spans, durationPrecision: 3 });
    addSource(sandbox, { id: sessions, name: "Sessions", kind: "session", traceSourceId: traces });
  },
};
