import { flag, list, number, oneOf, orNull, strict, text, upTo, whenOneOf, whole } from "./schema";
import { alertChartSchema, configSchema, seriesSchema, type Where } from "./tileSchemas";

/** The body of create and update of an alert. */
export function alertSchema(where: Where): object {
  const nullable = orNull(text);
  const webhook = strict(
    {
      type: oneOf("webhook"),
      webhookId: text,
      ...(where === "clickstack" && {
        webhookService: nullable,
        slackChannelId: nullable,
        severity: oneOf("critical", "error", "warning", "info", null),
      }),
    },
    ["type", "webhookId"],
  );
  const email = strict({ type: oneOf("email"), emailRecipients: list(text) }, ["type", "emailRecipients"]);
  const channel = where === "clickstack" ? { anyOf: [webhook, email] } : webhook;
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
        source: oneOf("tile", "saved_search", ...(where === "api" ? ["inline"] : [])),
        ...(where === "api" && {
          chartConfig: {},
          displayName: orNull(upTo(512, 1)),
          tags: orNull(list(upTo(32), { maxItems: 50 })),
        }),
        dashboardId: nullable,
        tileId: nullable,
        savedSearchId: nullable,
        groupBy: nullable,
        channel,
        ...(where === "api" && { channels: list(channel, { minItems: 1, maxItems: 10, uniqueItems: true }) }),
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
      whenOneOf(
        "source",
        ["inline"],
        { required: ["chartConfig"], properties: { chartConfig: alertChartSchema() } },
        { properties: { chartConfig: { type: "null" } } },
      ),
      whenOneOf("thresholdType", ["between", "not_between"], { required: ["thresholdMax"] }),
    ],
  };
}

/** The body of a dashboard: filters have ids in an update, and only there. */
export function dashboardSchema(where: Where, purpose: "create" | "update"): object {
  const id = upTo(256, 1);
  const place = where === "clickstack" ? whole : number;
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
        series: list(seriesSchema(where), { minItems: 1 }),
        config: configSchema(where),
      },
      ["name", "x", "y", "w", "h"],
    ),
    oneOf: [
      { required: ["series"], not: { required: ["config"] } },
      { required: ["config"], not: { anyOf: [{ required: ["series"] }, { required: ["asRatio"] }] } },
    ],
  };
  const filter = strict(
    {
      ...(purpose === "update" && { id: text }),
      type: oneOf("QUERY_EXPRESSION"),
      name: upTo(1e6, 1),
      expression: upTo(1e6, 1),
      sourceId: text,
      sourceMetricType: oneOf("sum", "gauge", "histogram", "summary", "exponential histogram"),
      where: text,
      whereLanguage: oneOf("sql", "lucene"),
      appliesToSourceIds: list(text),
      ...(where === "api" && {
        isBroadcastEnabled: flag,
        isVariableEnabled: flag,
        variableName: { type: "string", maxLength: 64, pattern: "^[A-Za-z][A-Za-z0-9_]*$" },
      }),
    },
    ["type", "name", "expression", "sourceId", ...(purpose === "update" ? ["id"] : [])],
  );
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
      filters: list(filter),
      savedQuery: orNull(text),
      savedQueryLanguage: oneOf("sql", "lucene", null),
      savedFilterValues: list(strict({ type: oneOf("sql"), condition: upTo(10_000) }, ["condition"])),
      containers: list(container, { maxItems: 50 }),
    },
    ["name", "tiles"],
  );
}
