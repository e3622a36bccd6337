import {
  answered,
  type Documented,
  flag,
  list,
  nullable,
  number,
  objects,
  oneOf,
  orNull,
  type Server,
  strict,
  text,
  texts,
  upTo,
  when,
  whenOneOf,
  whole,
} from "./schema";
import { sourceSchema } from "./sourceSchemas";
import { alertSchema, dashboardSchema } from "./stackSchemas";
import { alertChartSchema, configSchema } from "./tileSchemas";

/** Texts by name, which a webhook sends along. */
const textsByName = (longestName: number) => ({
  type: "object",
  maxProperties: 100,
  propertyNames: upTo(longestName, 1),
  additionalProperties: upTo(4096),
});

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

/** The bodies of what the observability API has, by operation or noun. No member that is not named here is tolerated. */
export const observabilityBodies = {
  Dashboard: (server) => dashboardSchema(server, "create"),
  updateDashboard: (server) => dashboardSchema(server, "update"),
  Alert: alertSchema,
  Source: sourceSchema,
  SavedSearch: savedSearchSchema,
  getChartSeries: strict(
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
  Connection: strict(
    {
      ...{ name: text, host: text, username: text, password: text },
      hyperdxSettingPrefix: orNull({ type: "string", pattern: "^[a-zA-Z0-9_]+$" }),
      isPrometheusEndpoint: flag,
    },
    ["name", "host", "username"],
  ),
  Webhook: strict(
    {
      name: { ...upTo(1024), pattern: "\\S" },
      service: oneOf("slack", "incidentio", "generic"),
      url: { ...upTo(2048), pattern: "^https?://" },
      description: upTo(2048),
      body: upTo(16_384),
      headers: textsByName(256),
      queryParams: textsByName(1024),
    },
    ["name", "service", "url"],
  ),
} satisfies Record<string, Documented>;

/** What an answer shows of an alert. The document of the management API has every member in each; a list has no charts. */
function answeredAlert(server: Server, isListed: boolean): object {
  const always = server === "clickstack" ? "*" : "";
  const webhook = answered(
    [text, "type* webhookId*"],
    ...(server === "clickstack" ? [[nullable, "webhookService slackChannelId severity"] as const] : []),
  );
  const email = answered([text, "type*"], [texts, "emailRecipients*"]);
  const channel = { anyOf: [webhook, email] };
  return answered(
    [text, "id* interval* thresholdType* source* state* teamId* createdAt updatedAt"],
    [number, "threshold*"],
    [nullable, `name* message* note* dashboardId${always} tileId${always} savedSearchId${always}`],
    [nullable, `groupBy${always} scheduleStartAt${always}`],
    [orNull(number), `thresholdMax${always}`],
    [orNull(whole), `numConsecutiveWindows* scheduleOffsetMinutes${always}`],
    [orNull({ type: "object" }), `silenced${always}`],
    [objects, `executionErrors${always}`],
    [channel, "channel*"],
    ...(server === "api"
      ? ([
          [list(channel), "channels*"],
          [{ allOf: [alertChartSchema(), byDefault] }, isListed ? "" : "chartConfig"],
          [text, "displayName"],
          [texts, "tags"],
        ] as const)
      : []),
  );
}

/** Every tile comes back with `config`, and with the members that it has by default. */
function answeredDashboard(): object {
  // What an answer shows is the same on both servers: the members of either.
  const tile = answered(
    [text, "id* name* containerId tabId"],
    [number, "x* y* w* h*"],
    [{ allOf: [configSchema("api"), byDefault] }, "config*"],
  );
  return answered(
    [text, "id* name*"],
    [list(tile), "tiles*"],
    [texts, "tags*"],
    [list({ type: "object", required: ["id", "type", "name"] }), "filters*"],
    [nullable, "savedQuery* savedQueryLanguage*"],
    [objects, "savedFilterValues*"],
    [{ ...objects, minItems: 1 }, "containers"],
  );
}

const built = { not: { required: ["configType"] } };

/** What the server sets in a tile where the body says nothing. */
const byDefault = {
  allOf: [
    whenOneOf("displayType", ["line", "stacked_bar"], { required: ["fillNulls"] }),
    when(
      { ...built, properties: { displayType: oneOf("line", "stacked_bar", "table") } },
      { required: ["asRatio"] },
    ),
    whenOneOf("displayType", ["search", "event_patterns"], { required: ["where", "whereLanguage"] }),
    when(
      { properties: { displayType: oneOf("heatmap") }, not: { required: ["heatmapMode"] } },
      { required: ["where", "whereLanguage"] },
    ),
    when(
      {
        ...built,
        properties: { select: { type: "array", items: { required: ["aggFn"] } } },
        required: ["select"],
      },
      { properties: { select: { items: { required: ["valueExpression", "where", "whereLanguage"] } } } },
    ),
  ],
};

/** A source shows what it was sent, and the lists that every kind has. */
const answeredSource = {
  type: "object",
  required: "id name kind connection from timestampValueExpression disabled querySettings".split(" "),
  not: { anyOf: [{ required: ["serviceId"] }, { required: ["teamId"] }] },
  ...whenOneOf("kind", ["log", "trace"], {
    required: ["materializedViews", "highlightedTraceAttributeExpressions"],
  }),
};

const dates = [text, "createdAt* updatedAt*"] as const;

const answeredWebhook = {
  ...answered([text, "id* name* service* url* description body"], dates),
  // Of other services the body is not shown.
  ...when({ required: ["body"] }, { properties: { service: oneOf("generic") } }),
};

const answeredSearch = answered(
  [text, "id* teamId* name* sourceId* select* where* whereLanguage* orderBy*"],
  [texts, "tags*"],
  [objects, "filters*"],
  dates,
);

const answeredConnection = answered(
  [text, "id* name* host* username* hyperdxSettingPrefix"],
  [flag, "isPrometheusEndpoint"],
  dates,
);
const answeredOutcome = {
  ...strict(
    {
      valid: flag,
      errors: list(strict({ path: text, message: text }, ["path", "message"])),
      normalized: {},
    },
    ["valid", "errors", "normalized"],
  ),
  ...whenOneOf(
    "valid",
    [true],
    { properties: { errors: { maxItems: 0 }, normalized: { type: "object" } } },
    { properties: { errors: { minItems: 1 }, normalized: { type: "null" } } },
  ),
};

/** What answers show of it, by operation or noun. */
export const observabilityAnswers = {
  validateDashboard: answeredOutcome,
  getChartSeries: objects,
  Alert: answeredAlert,
  Dashboard: answeredDashboard,
  Source: answeredSource,
  Webhook: answeredWebhook,
  SavedSearch: answeredSearch,
  Connection: answeredConnection,
} satisfies Record<string, Documented>;
