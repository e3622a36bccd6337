/**
 * These programs of the benchmark declare the same objects for each of the compared providers. A program in JSON is also valid
 * YAML.
 */

export interface Objects {
  readonly alerts?: number;
  readonly dashboards?: number;
  /** The address of a webhook, which is a secret. If present, the benchmark's program also declares this webhook. */
  readonly webhookUrl?: string;
  /**
   * The threshold of the first alert in the benchmark's program. The thresholds of the other alerts and a number in each
   * dashboard follow from it, so another threshold changes all objects.
   */
  readonly threshold: number;
  /** The interval of the declared alerts, `5m` if absent. */
  readonly interval?: string;
}

/** The ids of objects on the server to which the benchmark's programs refer. */
export interface Used {
  readonly webhookId: string;
  readonly savedSearchId: string;
  readonly sourceId: string;
}

export type Json = Record<string, unknown>;

interface Words {
  /** Converts the name of a property in camel case to the spelling in programs of a compared provider. */
  readonly word: (camelCase: string) => string;
  /** Puts the content of a dashboard into the property in which the compared provider expects it as JSON text. */
  readonly dashboard: (content: Json) => Json;
}

const message = "More errors than usual while loading data";
const count = (length = 0) => Array.from({ length }, (_, index) => index);

export function pipestackProgram(objects: Objects, used: Used): Json {
  const alerts = count(objects.alerts).map((index) => {
    const properties = {
      source: "search",
      savedSearch: used.savedSearchId,
      ...alertOf(objects, used, index),
    };
    return [`alert-${index}`, { type: "pipestack:index:Alert", properties }];
  });
  const dashboards = dashboardsOf(objects, used).map((properties, index) => [
    `dashboard-${index}`,
    { type: "pipestack:index:Dashboard", properties },
  ]);
  const webhooks = webhookOf(objects).map((properties) => [
    "webhook",
    { type: "pipestack:index:Webhook", properties },
  ]);
  return { resources: Object.fromEntries([...alerts, ...dashboards, ...webhooks]) };
}

export function bridgeProgram(objects: Objects, used: Used): Json {
  const words = { word: (name: string) => name, dashboard: asText("dashboardJson") };
  const named = terraformObjects(objects, used, words).map(([type, name, properties]) => [
    name,
    { type: `clickhouse:Clickstack${type[0]?.toUpperCase()}${type.slice(1)}`, properties },
  ]);
  return { resources: Object.fromEntries(named) };
}

export function terraformProgram(objects: Objects, used: Used): Json {
  const words = { word: snakeCase, dashboard: asText("dashboard_json") };
  const resource: Record<string, Json> = {};
  for (const [type, name, properties] of terraformObjects(objects, used, words))
    resource[`clickhouse_clickstack_${type}`] = {
      ...resource[`clickhouse_clickstack_${type}`],
      [name]: properties,
    };
  return {
    terraform: { required_providers: { clickhouse: { source: "ClickHouse/clickhouse" } } },
    provider: { clickhouse: {} },
    ...(Object.keys(resource).length > 0 ? { resource } : {}),
  };
}

function terraformObjects(
  objects: Objects,
  used: Used,
  { word, dashboard }: Words,
): [string, string, Json][] {
  const named = (properties: Json): Json =>
    Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [
        word(name),
        typeof value === "object" && value !== null ? named(value as Json) : value,
      ]),
    );
  return [
    ...count(objects.alerts).map((index): [string, string, Json] => {
      const properties = { savedSearchId: used.savedSearchId, ...alertOf(objects, used, index) };
      return ["alert", `alert-${index}`, named(properties)];
    }),
    ...dashboardsOf(objects, used).map((content, index): [string, string, Json] => [
      "dashboard",
      `dashboard-${index}`,
      dashboard(content),
    ]),
    ...webhookOf(objects).map((properties): [string, string, Json] => [
      "webhook",
      "webhook",
      named(properties),
    ]),
  ];
}

function alertOf({ threshold, interval = "5m" }: Objects, { webhookId }: Used, index: number): Json {
  return {
    ...{ name: `Alert ${index}`, message, threshold: threshold + index, thresholdType: "above", interval },
    channel: { type: "webhook", webhookId },
  };
}

function webhookOf({ webhookUrl }: Objects): Json[] {
  return webhookUrl === undefined ? [] : [{ name: "On call", service: "generic", url: webhookUrl }];
}

function dashboardsOf({ dashboards, threshold }: Objects, { sourceId }: Used): Json[] {
  return count(dashboards).map((index) => ({
    name: `Dashboard ${index}`,
    tags: ["bench"],
    tiles: [
      tileOf("Errors", 0, {
        displayType: "line",
        sourceId,
        select: [{ aggFn: "count", where: "SeverityText:error" }],
      }),
      tileOf("Slow", 12, {
        ...{ displayType: "number", sourceId },
        select: [{ aggFn: "count", where: `Duration:>${threshold}` }],
      }),
    ],
  }));
}

function tileOf(name: string, x: number, config: Json): Json {
  return { name, x, y: 0, w: 12, h: 4, config };
}

function asText(property: string) {
  return (content: Json): Json => ({ [property]: JSON.stringify(content) });
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
