import { type TSchema, Type } from "@sinclair/typebox";
import type { ApiName } from "../request";
import type { DashboardParts } from "./dashboardParts";
import { anyText, either, flag, language, list, metricType, oneOf, strict, text } from "./jsonSchema";
import { contentsSchemas } from "./tileSchemas";

/** The body of create or update, as the gateway of the management API or the server of the observability API takes it. */
export function dashboardBody(api: ApiName, purpose: "create" | "update", has: DashboardParts): TSchema {
  return Type.Unsafe<unknown>(
    strict(
      {
        name: text(1024),
        tiles: list(tileSchema(api, has), { maxItems: 500 }),
        tags: list(text(32), { maxItems: 50 }),
        filters: list(filterSchema(api, purpose, has)),
        savedQuery: { type: ["string", "null"] },
        savedQueryLanguage: { enum: ["sql", "lucene", null] },
        savedFilterValues: list(savedValueSchema(has)),
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

function tileSchema(api: ApiName, has: DashboardParts): object {
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
      ...contentsSchemas(api, has),
    },
    ["name", "x", "y", "w", "h"],
  );
}

const variableName = { type: "string", maxLength: 64, pattern: "^[A-Za-z][A-Za-z0-9_]*$" };
const needed = { type: "string", minLength: 1 };

/** Each type of filter: its own members, and those of them that it needs. */
function filterTypes(has: DashboardParts): { [type: string]: readonly [object, string[]] } {
  const variable = {
    ...{ isBroadcastEnabled: { const: false }, isVariableEnabled: { const: true }, variableName },
    ...selections,
  };
  const flags = { isBroadcastEnabled: flag, isVariableEnabled: flag, variableName };
  return {
    QUERY_EXPRESSION: [
      {
        expression: needed,
        ...{ sourceId: has.sourceId, sourceMetricType: metricType, where: anyText, whereLanguage: language },
        ...{ appliesToSourceIds: list(needed), ...flags, ...(has.filterTypes && selections) },
      },
      ["expression", "sourceId"],
    ],
    ...(has.filterTypes && {
      STATIC_LIST: [
        { options: list(text(10_000, 1), { minItems: 1, maxItems: 1000, uniqueItems: true }), ...variable },
        ["options"],
      ],
      PROMETHEUS_LABEL: [
        { sourceId: has.sourceId, label: text(1024, 1), match: needed, ...variable },
        ["sourceId", "label"],
      ],
    }),
  };
}

const selections = {
  minSelections: { enum: [0, 1] },
  maxSelections: { const: 1 },
  isGlobalRequirement: flag,
};

/** Unknown members of a filter are refused, even by the observability API, which drops them elsewhere. */
function filterSchema(api: ApiName, purpose: "create" | "update", has: DashboardParts): object {
  const id = purpose === "update" ? { id: anyText } : {};
  const required = ["type", "name", ...Object.keys(id)];
  const variants = Object.entries(filterTypes(has)).map(([type, [specific, needs]]) => {
    const members = { ...id, type: { const: type }, name: needed, ...specific };
    if (api === "management") return strict(members, [...required, ...needs]);
    // Refuses unknown members where a schema that names all of them would have them dropped.
    const names = { propertyNames: { enum: Object.keys(members) } };
    return { type: "object", properties: members, required: [...required, ...needs], ...names };
  });
  // No document has the members of this one.
  const open = { type: "object", properties: { ...id, type: { const: "ADHOC" }, name: needed }, required };
  return oneOf("type", ...variants, ...(has.adHocFilters ? [open] : []));
}

function savedValueSchema(has: DashboardParts): object {
  const sql = strict({ type: { const: "sql" }, condition: text(10_000) }, ["condition"]);
  if (!has.filterTypes) return sql;
  const name = text(1024, 1);
  const ofVariable = { type: { const: "variable" }, name, values: list(text(10_000), { maxItems: 1000 }) };
  const condition = strict(
    {
      key: text(10_000, 1),
      operator: { enum: ["=", "!=", "=~", "!~", "LIKE", "NOT LIKE", "IN"] },
      value: text(10_000),
    },
    ["key", "operator", "value"],
  );
  const ofAdHoc = { type: { const: "adhoc" }, name, conditions: list(condition, { maxItems: 100 }) };
  const ofAdHocFilter = strict(ofAdHoc, ["name", "conditions"]);
  const otherwise = has.adHocFilters ? either("type", "adhoc", ofAdHocFilter, sql) : sql;
  return either("type", "variable", strict(ofVariable, ["name", "values"]), otherwise);
}
