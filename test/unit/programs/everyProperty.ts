import type { TObject, TSchema } from "@sinclair/typebox";
import { settingNames } from "../../../provider/api/settingsSchema";
import { type DeclarableName, declarable, type TypeName } from "../../../provider/resources/registry";
import { validArguments } from "../functions/validArguments";
import type { JsonObject } from "../resources/example";
import { sourcesByKind } from "../resources/source.example";
import { configs } from "../resources/tileConfigs";
import { validInputs } from "../resources/validInputs";

/** Names of the properties in a schema at every depth, such as `tiles.series.groupBy`. */
export function propertiesIn(
  { properties = {}, items, patternProperties = {} }: TSchema,
  path: string,
): string[] {
  const [entry] = Object.values<TSchema>(patternProperties);
  // Programs here have one entry in a map of objects.
  if (entry?.properties) return propertiesIn(entry, `${path}.my`);
  if (items) return propertiesIn(items as TSchema, path);
  return Object.entries(properties as TObject["properties"]).flatMap(([name, schema]) => [
    `${path}.${name}`,
    ...propertiesIn(schema, `${path}.${name}`),
  ]);
}

/** Sources of each kind that together have all members that sources can have. */
const { trace, metric, session } = sourcesByKind;
const allSources = [
  {
    ...validInputs.Source,
    ...{ serviceVersionExpression: "a", orderByExpression: "a", tableFilterExpression: "a" },
    ...{ severityNumberExpression: "a", eventNameExpression: "a" },
    highlightedRowAttributeExpressions: validInputs.Source.highlightedTraceAttributeExpressions,
    filterSettings: { databaseName: "a", tableName: "b", columns: [{ name: "c", label: "d" }] },
  },
  {
    ...trace,
    ...{ durationPrecision: 3, logSourceId: "1", sessionSourceId: "1" },
    ...{ statusCodeExpression: "a", statusMessageExpression: "a", spanEventsValueExpression: "a" },
    ...{ spanLinksValueExpression: "a", sampleRateExpression: "a" },
  },
  {
    ...metric,
    metricTables: { gauge: "a", histogram: "b", sum: "c", summary: "d", exponentialHistogram: "e" },
    ...{ seriesTable: "a", minAutoGranularity: "15 second" },
  },
  session,
];

/** What no program can declare at once, or only in another dialect, is there in an editor all the same. */
const withAllDialects: { readonly [type in TypeName]: object } = {
  ...validInputs,
  Source: allSources[0] ?? {},
  ServiceScaling: {
    ...validInputs.ServiceScaling,
    ...{ minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16 },
    ...{ autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 4 },
  },
  ServiceScalingSchedule: {
    ...validInputs.ServiceScalingSchedule,
    entries: [
      {
        ...{ name: "Nights", weekdays: [1], startHourUtc: 19, endHourUtc: 7, autoscalingMode: "horizontal" },
        ...{ minReplicaMemoryGb: 8, maxReplicaMemoryGb: 8, numReplicas: 2, minReplicas: 1, maxReplicas: 3 },
        ...{ idleScaling: true, idleTimeoutMinutes: 5 },
      },
    ],
  },
  ApiKey: {
    ...validInputs.ApiKey,
    assignedRoleIds: ["c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204"],
    rotateAfterDays: 90,
  },
  Alert: {
    ...{ ...validInputs.Alert, thresholdMax: 9, savedSearch: "search", groupBy: "host", note: "note" },
    ...{ numConsecutiveWindows: 2, scheduleOffsetMinutes: 1, scheduleStartAt: "2026-01-31T08:00:00Z" },
    channel: {
      ...{ type: "webhook", webhookId: "1", webhookService: "slack_api", slackChannelId: "C1" },
      ...{ severity: "error", emailRecipients: ["a@b.example"] },
    },
    channels: [{ type: "webhook", webhookId: "1" }],
  },
  SavedSearch: {
    ...validInputs.SavedSearch,
    filters: [
      { type: "sql", condition: "a IN ('b')" },
      { type: "sql_ast", operator: "=", left: "a", right: "b" },
    ],
  },
  Dashboard: {
    ...validInputs.Dashboard,
    defaults: { sourceId: "1", connectionId: "1", where: "", whereLanguage: "sql", w: 1, h: 1 },
    tiles: [
      ...(validInputs.Dashboard.tiles as object[]),
      {
        ...{ name: "Lines", x: 0, y: 9, w: 1, h: 1, containerId: "ingest", tabId: "errors" },
        config: configs.markdown,
      },
      { name: "Next", row: true, config: configs.markdown },
      ...Object.values(configs).map((config) => ({ name: "Tile", x: 0, y: 9, w: 1, h: 1, config })),
    ],
    filters: [
      {
        ...{ type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId: "1" },
        ...{ sourceMetricType: "sum", where: "", whereLanguage: "sql", appliesToSourceIds: ["1"] },
        ...{ isBroadcastEnabled: true, isVariableEnabled: true, variableName: "service" },
        ...{ minSelections: 1, maxSelections: 1, isGlobalRequirement: true },
      },
      { type: "STATIC_LIST", name: "Region", options: ["eu"] },
      { type: "PROMETHEUS_LABEL", name: "Pod", sourceId: "1", label: "pod", match: "up" },
    ],
    savedQuery: "level:error",
    savedQueryLanguage: "lucene",
    savedFilterValues: [
      { type: "sql", condition: "a IN ('b')" },
      { type: "variable", name: "region", values: ["eu"] },
      { type: "adhoc", name: "more", conditions: [{ key: "a", operator: "=", value: "b" }] },
    ],
    containers: [
      {
        ...{ id: "ingest", title: "Ingest", collapsed: true, collapsible: true, bordered: true },
        tabs: [{ id: "errors", title: "Errors" }],
      },
    ],
  },
};

/** Metrics have members beyond those of logs. */
const selected = [configs.line, configs.table].flatMap(({ select }) => select as JsonObject[]);

/** What a type has in other programs, since the members of one exclude those of another. */
const furtherPrograms: { readonly [type in TypeName]?: readonly object[] } = {
  Source: allSources.slice(1),
  Alert: Object.values(configs)
    .filter(({ displayType }) => ["line", "stacked_bar", "number"].includes(String(displayType)))
    .map((config) => ({
      ...{ name: "Errors", threshold: 5, thresholdType: "above", interval: "5m", source: "inline" },
      ...{ displayName: "Errors", tags: ["team"], channel: { type: "webhook", webhookId: "1" } },
      chartConfig: {
        ...{ ...config, name: "Errors" },
        ...("select" in config ? { select: selected } : {}),
        ...("configType" in config ? {} : { where: "a = 1", whereLanguage: "sql" }),
      },
    })),
};

/** Types of the entries of lists, by the word that tells their kinds apart. */
const entryTypes: { readonly [kind: string]: string } = {
  sql_ast: "SearchComparison",
  QUERY_EXPRESSION: "QueryExpressionFilter",
  STATIC_LIST: "StaticListFilter",
  PROMETHEUS_LABEL: "PrometheusLabelFilter",
  variable: "VariableFilterValue",
  adhoc: "AdhocFilterValue",
};

/** Name of the type of one kind: over what several kinds of one union have, editors show documentation only there. */
function typeOf(name: string, value: JsonObject | undefined): string | undefined {
  if (name !== "config" && name !== "chartConfig") return entryTypes[String(value?.type)];
  const kind = `${value?.configType ? "sql_" : ""}${value?.displayType}`;
  const words = kind.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  if (name === "chartConfig") return `${words}AlertChart`;
  return `${words}${value?.heatmapMode ? "Series" : ""}TileConfig`;
}

const { organizationId, serviceId, ...ofAlert } = withAllDialects.Alert as JsonObject;

/** A set of an alert. */
const setOf = (alert: object) => ({ organizationId, serviceId, alerts: { my: alert }, retain: ["former"] });

const programsOf = (type: DeclarableName): readonly object[] =>
  type === "AlertSet"
    ? [ofAlert, ...(furtherPrograms.Alert ?? [])].map(setOf)
    : [withAllDialects[type], ...(furtherPrograms[type] ?? [])];

/** An object in a program. */
function textOf(declared: unknown): string {
  const texts: string[] = [];
  const json = JSON.stringify(declared, (name, value) => {
    const type = typeOf(name, value);
    if (!type) return value;
    const text = `${JSON.stringify(value)} satisfies pipestack.${type}Args`;
    return `typed ${texts.push(text) - 1}`;
  });
  return json.replace(/"typed (\d+)"/g, (_, at) => texts[Number(at)] ?? "");
}

/** Uses every property of every resource and every argument of every function. */
export function everything(): string {
  const lines = ['import * as pipestack from "pipestack";'];
  for (const [type, { inputs, outputs }] of Object.entries(declarable)) {
    const [declared, ...others] = programsOf(type as DeclarableName);
    lines.push(`const my${type} = new pipestack.${type}("my", ${textOf(declared)});`);
    lines.push(...others.map((other) => `new pipestack.${type}("other", ${textOf(other)});`));
    const names = [...Object.keys(inputs.properties), ...Object.keys(outputs.properties)];
    lines.push(...names.map((name) => `my${type}.${name};`));
  }
  lines.push("myServiceScaling.endpoints.apply((endpoints) => {");
  lines.push(...["protocol", "host", "port", "username"].map((name) => `  endpoints?.[0]?.${name};`));
  lines.push("});");
  for (const [name, args] of Object.entries(validArguments)) {
    lines.push(`pipestack.${name}(${JSON.stringify(args)});`);
    lines.push(`pipestack.${name}Output(${JSON.stringify(args)});`);
  }
  lines.push(`const args: pipestack.ProviderArgs = {};`, ...settingNames.map((name) => `args.${name};`));
  return lines.join("\n");
}
