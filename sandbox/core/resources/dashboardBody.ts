import { type TSchema, Type } from "@sinclair/typebox";
import type { ApiName } from "../request";
import { anyText, flag, language, list, metricType, objectId, strict, text } from "./jsonSchema";
import { contentsSchemas } from "./tileSchemas";

/** The body of create or update, as the gateway of the management API or the server of the observability API takes it. */
export function dashboardBody(api: ApiName, purpose: "create" | "update"): TSchema {
  return Type.Unsafe<unknown>(
    strict(
      {
        name: text(1024),
        tiles: list(tileSchema(api), { maxItems: 500 }),
        tags: list(text(32), { maxItems: 50 }),
        filters: list(filterSchema(api, purpose)),
        savedQuery: { type: ["string", "null"] },
        savedQueryLanguage: { enum: ["sql", "lucene", null] },
        savedFilterValues: list(strict({ type: { const: "sql" }, condition: text(10_000) }, ["condition"])),
        containers: list(containerSchema, { maxItems: 50 }),
      },
      ["name", "tiles"],
    ),
  );
}

const tab = strict({ id: text(256, 1), title: text(256, 1) }, ["id", "title"]);

const containerSchema = strict(
  {
    id: text(256, 1),
    title: text(256, 1),
    collapsed: flag,
    collapsible: flag,
    bordered: flag,
    tabs: list(tab, { maxItems: 20 }),
  },
  ["id", "title", "collapsed"],
);

function tileSchema(api: ApiName): object {
  // The document has whole numbers; the server alone takes others, too.
  const number = { type: api === "management" ? "integer" : "number" };
  return strict(
    {
      id: text(36),
      name: { type: "string" },
      x: { ...number, minimum: 0, maximum: 23 },
      y: { ...number, minimum: 0 },
      w: { ...number, minimum: 1, maximum: 24 },
      h: { ...number, minimum: 1 },
      containerId: text(256, 1),
      tabId: text(256, 1),
      asRatio: flag,
      ...contentsSchemas[api],
    },
    ["name", "x", "y", "w", "h"],
  );
}

/** The server takes no unknown member in a filter either: on the observability API they are not dropped there. */
function filterSchema(api: ApiName, purpose: "create" | "update"): object {
  const members = {
    type: { const: "QUERY_EXPRESSION" },
    name: { type: "string", minLength: 1 },
    expression: { type: "string", minLength: 1 },
    ...{ sourceId: objectId, sourceMetricType: metricType, where: anyText, whereLanguage: language },
    appliesToSourceIds: list({ type: "string", minLength: 1 }),
    ...(api === "observability" && {
      isBroadcastEnabled: flag,
      isVariableEnabled: flag,
      variableName: { type: "string", maxLength: 64, pattern: "^[A-Za-z][A-Za-z0-9_]*$" },
    }),
    ...(purpose === "update" && { id: { type: "string" } }),
  };
  const required = ["type", "name", "expression", "sourceId", ...(purpose === "update" ? ["id"] : [])];
  if (api === "management") return strict(members, required);
  // Refuses unknown members where a schema that names all of them would have them dropped.
  return { type: "object", properties: members, required, propertyNames: { enum: Object.keys(members) } };
}
