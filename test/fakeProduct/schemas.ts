import Ajv, { type ValidateFunction } from "ajv";

/** An object of which every member is known. */
function strict(properties: object, required: readonly string[] = []): object {
  return { type: "object", properties, required, additionalProperties: false };
}

const text = { type: "string" };
const flag = { type: "boolean" };
const number = { type: "number" };
const list = (items: object, further: object = {}) => ({ type: "array", items, ...further });
const oneOf = (...values: string[]) => ({ enum: values });

const ipAccessList = list(strict({ source: text, description: text }, ["source"]));
const replicas = {
  numReplicas: { type: "integer", minimum: 1, maximum: 20 },
  idleScaling: flag,
  idleTimeoutMinutes: { type: "number", minimum: 5 },
};
const totalMemory = { type: "number", minimum: 24, maximum: 1068, multipleOf: 12 };
const replicaMemory = { type: "number", minimum: 8, maximum: 356, multipleOf: 4 };

const key = {
  name: text,
  expireAt: { type: ["string", "null"] },
  state: oneOf("enabled", "disabled"),
  roles: list(oneOf("admin", "developer", "query_endpoints"), { minItems: 1 }),
  ipAccessList,
};

const series = strict(
  {
    type: text,
    dataSource: text,
    aggFn: text,
    where: text,
    groupBy: list(text),
    sourceId: text,
    field: text,
    level: { type: "number", minimum: 0, maximum: 1 },
    whereLanguage: oneOf("lucene", "sql"),
    alias: text,
    metricName: text,
    metricDataType: text,
  },
  ["type"],
);
const config = strict(
  {
    displayType: text,
    sourceId: text,
    asRatio: flag,
    groupBy: text,
    select: list(
      strict(
        { aggFn: text, valueExpression: text, where: text, whereLanguage: text, level: number, alias: text },
        ["aggFn"],
      ),
      { minItems: 1 },
    ),
  },
  ["displayType", "sourceId", "select"],
);
const tile = {
  ...strict(
    {
      id: text,
      name: text,
      x: { type: "integer", minimum: 0, maximum: 23 },
      y: { type: "integer", minimum: 0 },
      w: { type: "integer", minimum: 1, maximum: 24 },
      h: { type: "integer", minimum: 1 },
      asRatio: flag,
      series: list(series, { minItems: 1 }),
      config,
    },
    ["name", "x", "y", "w", "h"],
  ),
  oneOf: [{ required: ["series"] }, { required: ["config"] }],
};

const channel = strict({ type: oneOf("webhook"), webhookId: text }, ["type", "webhookId"]);
const alert = {
  ...strict(
    {
      name: text,
      message: text,
      threshold: number,
      thresholdMax: number,
      interval: oneOf("1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"),
      thresholdType: oneOf(
        ...["above", "below", "above_exclusive", "below_or_equal"],
        ...["equal", "not_equal", "between", "not_between"],
      ),
      source: oneOf("tile", "saved_search"),
      dashboardId: text,
      tileId: text,
      savedSearchId: text,
      groupBy: text,
      channel,
      channels: list(channel, { minItems: 1, maxItems: 10, uniqueItems: true }),
    },
    ["threshold", "interval", "thresholdType", "source"],
  ),
  allOf: [
    { oneOf: [{ required: ["channel"] }, { required: ["channels"] }] },
    {
      if: { properties: { source: { const: "tile" } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { required: ["dashboardId", "tileId"], not: { required: ["groupBy"] } },
      else: { required: ["savedSearchId"] },
    },
  ],
};

/** The bodies that the product takes, by what they are for. No member that is not named here is tolerated. */
const bodies = {
  scaling: strict({ ...replicas, minTotalMemoryGb: totalMemory, maxTotalMemoryGb: totalMemory }),
  replicaScaling: strict({
    ...replicas,
    minReplicaMemoryGb: replicaMemory,
    maxReplicaMemoryGb: replicaMemory,
  }),
  createKey: strict({
    ...key,
    hashData: strict({ keyIdHash: text, keyIdSuffix: text, keySecretHash: text }),
  }),
  updateKey: strict(key),
  queryEndpoint: strict({
    roles: list(oneOf("sql_console_read_only", "sql_console_admin")),
    openApiKeys: list(text),
    allowedOrigins: text,
  }),
  chartSeries: strict(
    {
      series: list(
        strict({ sourceId: text, aggFn: text, where: text, groupBy: list(text) }, [
          ...["sourceId", "aggFn", "where", "groupBy"],
        ]),
        { minItems: 1, maxItems: 5 },
      ),
      // Times in seconds are refused.
      startTime: { type: "integer", minimum: 1e12 },
      endTime: { type: "integer", minimum: 1e12 },
      granularity: text,
      seriesReturnType: oneOf("ratio", "column"),
    },
    ["series", "startTime", "endTime"],
  ),
  dashboard: strict({ name: text, tiles: list(tile), tags: list(text) }, ["name", "tiles"]),
  alert,
};

export type BodyName = keyof typeof bodies;

const ajv = new Ajv({ allErrors: true, strict: false });
const checks = Object.fromEntries(
  Object.entries(bodies).map(([name, schema]) => [name, ajv.compile(schema)]),
) as Record<BodyName, ValidateFunction>;

/** What is wrong with a body; undefined if nothing is. */
export function failureIn(name: BodyName, body: unknown): string | undefined {
  const check = checks[name];
  return check(body) ? undefined : ajv.errorsText(check.errors);
}
