import type { TObject, TSchema } from "@sinclair/typebox";
import { settingNames } from "../../../provider/api/settingsSchema";
import { resources, type TypeName } from "../../../provider/resources/registry";
import { validArguments } from "../functions/validArguments";
import { sourcesByKind } from "../resources/source.example";
import { configs } from "../resources/tileConfigs";
import { validInputs } from "../resources/validInputs";

/** Names of the properties in a schema at every depth, such as `tiles.series.groupBy`. */
export function propertiesIn({ properties = {}, items }: TSchema, path: string): string[] {
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
    seriesTable: "a",
  },
  session,
];

/** What no program can declare at once, or only in another dialect, is there in an editor all the same. */
const withAllDialects: { readonly [type in TypeName]: object } = {
  ...validInputs,
  ServiceScaling: {
    ...validInputs.ServiceScaling,
    ...{ minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16 },
    ...{ autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 4 },
  },
  ApiKey: { ...validInputs.ApiKey, assignedRoleIds: ["c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204"] },
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
    tiles: [
      ...(validInputs.Dashboard.tiles as object[]),
      {
        ...{ name: "Lines", x: 0, y: 9, w: 1, h: 1, containerId: "ingest", tabId: "errors" },
        config: configs.markdown,
      },
      ...Object.values(configs).map((config) => ({ name: "Tile", x: 0, y: 9, w: 1, h: 1, config })),
    ],
    filters: [
      {
        ...{ type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId: "1" },
        ...{ sourceMetricType: "sum", where: "", whereLanguage: "sql", appliesToSourceIds: ["1"] },
        ...{ isBroadcastEnabled: true, isVariableEnabled: true, variableName: "service" },
      },
    ],
    savedQuery: "level:error",
    savedQueryLanguage: "lucene",
    savedFilterValues: [{ type: "sql", condition: "a IN ('b')" }],
    containers: [
      {
        ...{ id: "ingest", title: "Ingest", collapsed: true, collapsible: true, bordered: true },
        tabs: [{ id: "errors", title: "Errors" }],
      },
    ],
  },
};

/**
 * A tile's config in a program, beside the name of its type: over what several kinds of one union have, editors show
 * documentation only where the type is named.
 */
function configText(config: object & { readonly displayType?: unknown }): string {
  const kind = `${"configType" in config ? "sql_" : ""}${config.displayType}`;
  const name = kind.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
  return `${JSON.stringify(config)} satisfies pipestack.${name}TileConfigArgs`;
}

/** The same of a comparison, which is one of the two forms of a saved search's filter. */
function comparisonText(filter: object): string {
  return `${JSON.stringify(filter)} satisfies pipestack.SearchComparisonArgs`;
}

/** An object in a program. */
function textOf(declared: unknown): string {
  const texts: string[] = [];
  const typed = (text: string) => `typed ${texts.push(text) - 1}`;
  const json = JSON.stringify(declared, (name, value) =>
    name === "config"
      ? typed(configText(value))
      : value?.type === "sql_ast"
        ? typed(comparisonText(value))
        : value,
  );
  return json.replace(/"typed (\d+)"/g, (_, at) => texts[Number(at)] ?? "");
}

/** Uses every property of every resource and every argument of every function. */
export function everything(): string {
  const lines = ['import * as pipestack from "pipestack";'];
  for (const [type, { inputs, outputs }] of Object.entries(resources)) {
    const [declared, ...others] = type === "Source" ? allSources : [withAllDialects[type as TypeName]];
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
