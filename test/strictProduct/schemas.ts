import Ajv, { type ValidateFunction } from "ajv";
import { flag, list, oneOf, orNull, strict, text, upTo } from "./schema";
import { sourceSchema } from "./sourceSchemas";
import { alertSchema, dashboardSchema } from "./stackSchemas";
import type { Server } from "./tileSchemas";

const ipAccessList = list(strict({ source: text, description: text }, ["source"]));
const replicas = {
  numReplicas: { type: "integer", minimum: 1, maximum: 20 },
  idleScaling: flag,
  idleTimeoutMinutes: { type: "number", minimum: 5 },
};
const totalMemory = { type: "number", minimum: 24, maximum: 1068, multipleOf: 12 };
const replicaMemory = { type: "number", minimum: 8, maximum: 356, multipleOf: 4 };
const positive = { type: "integer", minimum: 1 };

const key = {
  name: text,
  expireAt: { type: ["string", "null"] },
  state: oneOf("enabled", "disabled"),
  roles: list(oneOf("admin", "developer", "query_endpoints"), { minItems: 1 }),
  ipAccessList,
  assignedRoleIds: list(text),
};

/** Texts by name, which a webhook sends along. */
const texts = (longestName: number) => ({
  type: "object",
  maxProperties: 100,
  propertyNames: upTo(longestName, 1),
  additionalProperties: upTo(4096),
});

/** The members of a query, saved or behind an endpoint: none of its texts may be blank. */
const query = {
  name: { type: "string", pattern: "\\S" },
  sql: { type: "string", pattern: "\\S", maxLength: 4_194_304 },
  database: { type: "string", pattern: "\\S" },
  parameters: { type: "object", additionalProperties: text },
};

/** A search. The document has filters in SQL alone; the server takes those of its page, too, if it has them already. */
function savedSearchSchema(server: Server): object {
  const sql = strict({ type: oneOf("sql"), condition: { ...upTo(8192), pattern: " (IN|BETWEEN) ?" } }, [
    "condition",
  ]);
  const onPage = [
    strict({ type: oneOf("sql", "lucene"), condition: upTo(8192) }, ["condition"]),
    strict(
      {
        type: oneOf("sql_ast"),
        operator: oneOf("=", "<", ">", "!=", "<=", ">="),
        left: upTo(8192),
        right: upTo(8192),
      },
      ["type", "operator", "left", "right"],
    ),
  ];
  return strict(
    {
      name: { ...upTo(1024), pattern: "\\S" },
      sourceId: text,
      select: upTo(4096),
      where: upTo(8192),
      whereLanguage: oneOf("lucene", "sql"),
      orderBy: upTo(1024),
      tags: list(upTo(32), { maxItems: 50 }),
      filters: list(server === "api" ? { anyOf: onPage } : sql, { maxItems: 100 }),
    },
    ["name", "sourceId"],
  );
}

/** The bodies that the product takes, by what they are for. No member that is not named here is tolerated. */
const bodies = {
  scaling: strict({ ...replicas, minTotalMemoryGb: totalMemory, maxTotalMemoryGb: totalMemory }),
  replicaScaling: strict({
    ...replicas,
    minReplicas: replicas.numReplicas,
    maxReplicas: replicas.numReplicas,
    autoscalingMode: oneOf("vertical", "horizontal"),
    minReplicaMemoryGb: replicaMemory,
    maxReplicaMemoryGb: replicaMemory,
  }),
  createKey: strict({
    ...key,
    hashData: strict({ keyIdHash: text, keyIdSuffix: text, keySecretHash: text }),
  }),
  updateKey: strict(key),
  scalingSchedule: strict(
    {
      entries: list(
        strict(
          {
            name: text,
            weekdays: list({ type: "integer", minimum: 0, maximum: 6 }, { minItems: 1 }),
            startHourUtc: { type: "integer", minimum: 0, maximum: 23 },
            endHourUtc: { type: "integer", minimum: 1, maximum: 24 },
            autoscalingMode: oneOf("vertical", "horizontal"),
            ...{ minReplicaMemoryGb: replicaMemory, maxReplicaMemoryGb: replicaMemory },
            ...{ numReplicas: positive, minReplicas: positive, maxReplicas: positive },
            idleScaling: { type: "boolean" },
            idleTimeoutMinutes: { type: "number", minimum: 5 },
          },
          ["name", "weekdays", "startHourUtc", "endHourUtc"],
        ),
      ),
    },
    ["entries"],
  ),
  queryEndpoint: strict({
    roles: list(oneOf("sql_console_read_only", "sql_console_admin")),
    openApiKeys: list(text),
    allowedOrigins: text,
  }),
  queryApiEndpoint: strict(
    {
      ...query,
      apiKeyIds: list(
        { type: "string", pattern: "^[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$" },
        { minItems: 1 },
      ),
      roles: list(upTo(Number.MAX_SAFE_INTEGER, 1), { minItems: 1 }),
      allowedOrigins: list(text),
    },
    ["name", "sql", "database", "apiKeyIds", "roles"],
  ),
  savedQuery: strict(query, ["name", "sql", "database"]),
  chartSeries: strict(
    {
      series: list(
        strict(
          {
            sourceId: text,
            aggFn: text,
            where: text,
            groupBy: list(text, { maxItems: 10 }),
            field: text,
            whereLanguage: oneOf("sql", "lucene"),
            level: { type: "number", minimum: 0, maximum: 1 },
            metricName: text,
            metricDataType: text,
            sortOrder: oneOf("asc", "desc"),
            dataSource: text,
          },
          ["sourceId", "aggFn", "where", "groupBy"],
        ),
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
  clickstackDashboard: dashboardSchema("clickstack", "create"),
  clickstackDashboardUpdate: dashboardSchema("clickstack", "update"),
  clickstackAlert: alertSchema("clickstack"),
  clickstackSource: sourceSchema("clickstack"),
  apiSource: sourceSchema("api"),
  connection: strict(
    {
      ...{ name: text, host: text, username: text, password: text },
      hyperdxSettingPrefix: orNull({ type: "string", pattern: "^[a-zA-Z0-9_]+$" }),
      isPrometheusEndpoint: flag,
    },
    ["name", "host", "username"],
  ),
  webhook: strict(
    {
      name: { ...upTo(1024), pattern: "\\S" },
      service: oneOf("slack", "incidentio", "generic"),
      url: { ...upTo(2048), pattern: "^https?://" },
      description: upTo(2048),
      body: upTo(16_384),
      headers: texts(256),
      queryParams: texts(1024),
    },
    ["name", "service", "url"],
  ),
  clickstackSavedSearch: savedSearchSchema("clickstack"),
  apiSavedSearch: savedSearchSchema("api"),
  apiDashboard: dashboardSchema("api", "create"),
  apiDashboardUpdate: dashboardSchema("api", "update"),
  apiAlert: alertSchema("api"),
};

export type BodyName = keyof typeof bodies;

const ajv = new Ajv({ allErrors: true, strict: false });
const checks = Object.fromEntries(
  Object.entries(bodies).map(([name, schema]) => [name, ajv.compile(schema)]),
) as Record<BodyName, ValidateFunction>;

export function bodySchema(name: BodyName): object {
  return bodies[name];
}

/** What is wrong with a body; undefined if nothing is. */
export function failureIn(name: BodyName, body: unknown): string | undefined {
  const check = checks[name];
  return check(body) ? undefined : ajv.errorsText(check.errors);
}

/** The paths of all members that bodies may have, such as `tiles.name`. */
export function membersOf(names: readonly BodyName[]): Set<string> {
  return new Set(names.flatMap((name) => pathsIn(bodies[name], "")));
}

function pathsIn(schema: object, path: string): string[] {
  const { properties = {}, ...parts } = schema as Record<string, unknown>;
  const further = ["allOf", "anyOf", "oneOf", "then", "else", "items"].flatMap(
    (keyword) => parts[keyword] ?? [],
  );
  return [
    ...further.flatMap((part) => pathsIn(part as object, path)),
    ...Object.entries(properties as object).flatMap(([name, member]) => {
      const memberPath = path === "" ? name : `${path}.${name}`;
      return [memberPath, ...pathsIn(member, memberPath)];
    }),
  ];
}
