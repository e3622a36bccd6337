import {
  flag,
  list,
  nullable,
  number,
  oneOf,
  orNull,
  type Server,
  strict,
  text,
  upTo,
  variants,
  when,
  whenOneOf,
  whole,
} from "./schema";
import { alertChartSchema, configSchema, seriesSchema } from "./tileSchemas";

/** The body of create and update of an alert. */
export function alertSchema(server: Server): object {
  const webhook = strict(
    {
      type: oneOf("webhook"),
      webhookId: text,
      ...(server === "clickstack" && {
        webhookService: nullable,
        slackChannelId: nullable,
        severity: oneOf("critical", "error", "warning", "info", null),
      }),
    },
    ["type", "webhookId"],
  );
  const email = strict({ type: oneOf("email"), emailRecipients: list(text) }, ["type", "emailRecipients"]);
  const channel = server === "clickstack" ? { anyOf: [webhook, email] } : webhook;
  const note = orNull(upTo(4096, 1));
  return {
    ...strict(
      {
        name: orNull(upTo(512, 1)),
        message: note,
        note,
        numConsecutiveWindows: orNull({ type: "integer", minimum: 1 }),
        scheduleOffsetMinutes: { type: "integer", minimum: 0, maximum: 1439 },
        scheduleStartAt: orNull({ type: "string", pattern: "Z$" }),
        threshold: number,
        thresholdMax: number,
        interval: oneOf("1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"),
        thresholdType: oneOf(
          ...["above", "below", "above_exclusive", "below_or_equal"],
          ...["equal", "not_equal", "between", "not_between"],
        ),
        source: oneOf("tile", "saved_search", ...(server === "api" ? ["inline"] : [])),
        ...(server === "api" && {
          chartConfig: {},
          displayName: orNull(upTo(512, 1)),
          tags: orNull(list(upTo(32), { maxItems: 50 })),
        }),
        dashboardId: nullable,
        tileId: nullable,
        savedSearchId: nullable,
        groupBy: nullable,
        channel,
        ...(server === "api" && {
          channels: list(channel, { minItems: 1, maxItems: 10, uniqueItems: true }),
        }),
      },
      ["threshold", "interval", "thresholdType", "source"],
    ),
    allOf: [
      { oneOf: [{ required: ["channel"] }, { required: ["channels"] }] },
      whenOneOf("source", ["tile"], {
        required: ["dashboardId", "tileId"],
        properties: { dashboardId: text, tileId: text },
      }),
      whenOneOf("source", ["saved_search"], {
        required: ["savedSearchId"],
        properties: { savedSearchId: text },
      }),
      ...(server === "api"
        ? [
            whenOneOf(
              "source",
              ["inline"],
              { required: ["chartConfig"], properties: { chartConfig: alertChartSchema() } },
              { properties: { chartConfig: { type: "null" } } },
            ),
          ]
        : []),
      whenOneOf("thresholdType", ["between", "not_between"], { required: ["thresholdMax"] }),
    ],
  };
}

/** The body of a dashboard: filters have ids in an update, and only there. */
export function dashboardSchema(server: Server, purpose: "create" | "update"): object {
  const id = upTo(256, 1);
  const place = server === "clickstack" ? whole : number;
  const tile = {
    ...strict(
      {
        id: upTo(36),
        name: text,
        x: { ...place, minimum: 0, maximum: 23 },
        y: { ...place, minimum: 0 },
        w: { ...place, minimum: 1, maximum: 24 },
        h: { ...place, minimum: 1 },
        containerId: id,
        tabId: id,
        asRatio: flag,
        series: list(seriesSchema(server), { minItems: 1 }),
        config: configSchema(server),
      },
      ["name", "x", "y", "w", "h"],
    ),
    oneOf: [
      { required: ["series"], not: { required: ["config"] } },
      { required: ["config"], not: { anyOf: [{ required: ["series"] }, { required: ["asRatio"] }] } },
    ],
  };
  const tab = strict({ id, title: id }, ["id", "title"]);
  const container = strict(
    { id, title: id, collapsed: flag, collapsible: flag, bordered: flag, tabs: list(tab, { maxItems: 20 }) },
    ["id", "title", "collapsed"],
  );
  return strict(
    {
      name: upTo(1024),
      tiles: list(tile, { maxItems: 500 }),
      tags: list(upTo(32), { maxItems: 50 }),
      filters: list(filterSchema(server, purpose)),
      savedQuery: orNull(text),
      savedQueryLanguage: oneOf("sql", "lucene", null),
      savedFilterValues: list(savedValueSchema(server)),
      containers: list(container, { maxItems: 50 }),
    },
    ["name", "tiles"],
  );
}

/** A filter above a dashboard: of HyperDX also a variable, whose values are listed or come from Prometheus. */
function filterSchema(server: Server, purpose: "create" | "update"): object {
  const id = purpose === "update" ? "id* " : "";
  const word = upTo(1e6, 1);
  const ofVariable = server === "api" ? "variableName minSelections maxSelections isGlobalRequirement" : "";
  const flags = server === "api" ? "isBroadcastEnabled isVariableEnabled" : "";
  const kinds = variants(
    "type",
    {
      ...{ id: text, name: word, expression: word, sourceId: text, where: text },
      sourceMetricType: oneOf("sum", "gauge", "histogram", "summary", "exponential histogram"),
      whereLanguage: oneOf("sql", "lucene"),
      appliesToSourceIds: list(text),
      ...{ isBroadcastEnabled: flag, isVariableEnabled: flag, isGlobalRequirement: flag },
      variableName: { type: "string", maxLength: 64, pattern: "^[A-Za-z][A-Za-z0-9_]*$" },
      ...{ minSelections: oneOf(0, 1), maxSelections: oneOf(1) },
      options: list(upTo(10_000, 1), { minItems: 1, maxItems: 1000, uniqueItems: true }),
      ...{ label: upTo(1024, 1), match: word },
    },
    {
      QUERY_EXPRESSION: `${id}name* expression* sourceId* sourceMetricType where whereLanguage appliesToSourceIds ${flags} ${ofVariable}`,
      ...(server === "api" && {
        STATIC_LIST: `${id}name* options* ${flags} ${ofVariable}`,
        PROMETHEUS_LABEL: `${id}name* sourceId* label* match ${flags} ${ofVariable}`,
      }),
    },
  );
  if (server === "clickstack") return kinds;
  const alone = { isBroadcastEnabled: oneOf(false), isVariableEnabled: oneOf(true) };
  const modes = whenOneOf("type", ["STATIC_LIST", "PROMETHEUS_LABEL"], { properties: alone });
  // No document has the members of an ad hoc filter.
  const isOpen = { properties: { type: oneOf("ADHOC") } };
  return when(isOpen, { required: ["type", "name"] }, { allOf: [kinds, modes] });
}

/** What is chosen when a dashboard is opened. The type may be absent where it is SQL. */
function savedValueSchema(server: Server): object {
  const sql = strict({ type: oneOf("sql"), condition: upTo(10_000) }, ["condition"]);
  if (server === "clickstack") return sql;
  const condition = strict(
    {
      key: upTo(10_000, 1),
      operator: oneOf("=", "!=", "=~", "!~", "LIKE", "NOT LIKE", "IN"),
      value: upTo(10_000),
    },
    ["key", "operator", "value"],
  );
  const further = variants(
    "type",
    {
      name: upTo(1024, 1),
      values: list(upTo(10_000), { maxItems: 1000 }),
      conditions: list(condition, { maxItems: 100 }),
    },
    { variable: "name* values*", adhoc: "name* conditions*" },
  );
  return when({ required: ["type"], properties: { type: oneOf("variable", "adhoc") } }, further, sql);
}
