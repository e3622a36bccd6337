import cloud from "./cloud.json";
import { corrected } from "./correct";
import type { Correction } from "./correction";
import { corrections } from "./corrections";
import { withLimitsOf } from "./limits";
import type { Operation, Schema, Table, TableName } from "./schema";
import server from "./server.json";

export type { Operation, Schema, Table, TableName };

/** How an API splits a list into pages: by a cursor, by an offset that starts at 0, or not at all. */
export interface Paging {
  readonly by: "cursor" | "offset" | "nothing";
  readonly limit?: number;
  readonly maximum?: number;
}

/** The server whose facts are to be read from the tables of the API documents. */
export interface Asked {
  /**
   * The version of a HyperDX server, such as `2.42`. If absent, it is the newest version that the corrections of the API
   * documents name.
   */
  readonly version?: string;
  /**
   * Whether schemas refuse properties that they do not name, as ClickHouse Cloud does. The schema of an object that names no
   * property accepts any property.
   */
  readonly closed?: boolean;
  /**
   * Whether to leave out rules across several properties, for a check that has its own messages for them. If false, the schema
   * contains the rules.
   */
  readonly withoutRules?: boolean;
}

type Mutable = { [keyword: string]: unknown };

const raw = { cloud, server } as unknown as { readonly [name in TableName]: Table };

const tables = new Map<string, Table>();

/** Reads the table of an API document's facts, with the corrections that hold for a version of the server. */
export function tableOf(name: TableName, { version }: Asked = {}): Table {
  const key = `${name} ${version ?? ""}`;
  const table = tables.get(key) ?? corrected(raw[name], correctionsFor(name, version));
  tables.set(key, table);
  return table;
}

export function correctionsFor(name: TableName, version?: string): readonly Correction[] {
  return corrections.filter(
    ({ table, since, until }) =>
      table === name &&
      (version === undefined || since === undefined || !isOlder(version, since)) &&
      (until === undefined || (version !== undefined && isOlder(version, until))),
  );
}

function isOlder(version: string, other: string): boolean {
  const [own, others] = [version, other].map((text) => text.split(".").map(Number));
  const place = [0, 1, 2].find((index) => (own?.[index] ?? 0) !== (others?.[index] ?? 0));
  return place !== undefined && (own?.[place] ?? 0) < (others?.[place] ?? 0);
}

/**
 * Finds the facts about an API operation by its method and path, such as `GET /v1/organizations/{organizationId}`, with the
 * names of the API document.
 */
export function operationAt(name: TableName, methodAndPath: string, asked?: Asked): Operation {
  const operation = tableOf(name, asked).operations[methodAndPath];
  if (!operation) throw new Error(`the table ${name} has no operation ${methodAndPath}`);
  return operation;
}

/** Makes the schema of an operation's request body, without references; undefined for an operation without a body. */
export function requestOf(name: TableName, methodAndPath: string, asked?: Asked): Schema | undefined {
  const { request } = operationAt(name, methodAndPath, asked);
  if (!request) return undefined;
  const schema = resolved(request, name, asked);
  const behind = behindCloud(methodAndPath);
  const limits = behind && requestOf("server", behind, { version: asked?.version });
  return finished(limits ? withLimitsOf(schema, limits) : schema, asked);
}

/** Finds the operation of the HyperDX server that carries out an operation of ClickHouse Cloud; undefined if there is none. */
function behindCloud(methodAndPath: string): string | undefined {
  const [, method, path = ""] = /^(\w+) \S+\/clickstack(\/\S+)$/.exec(methodAndPath) ?? [];
  const request = `${method} /api/v2${path.replace(/\{\w+\}/, "{id}")}`;
  return request in raw.server.operations ? request : undefined;
}

/** Makes the schema of an operation's successful answer with its envelope, without references. */
export function answerOf(name: TableName, methodAndPath: string, asked?: Asked): Schema {
  const [answer = {}] = Object.values(operationAt(name, methodAndPath, asked).answers);
  return finished(resolved(answer, name, asked), asked);
}

/**
 * Makes the schema of the content of an answer's envelope, `result` or `data`. Without an envelope it is the schema of the
 * whole answer.
 */
export function resultOf(name: TableName, methodAndPath: string, asked?: Asked): Schema {
  const answer = answerOf(name, methodAndPath, asked);
  return answer.properties?.[name === "cloud" ? "result" : "data"] ?? answer;
}

/** Reads from the API documents how the API splits the list of an operation into pages. */
export function pagingOf(name: TableName, methodAndPath: string, asked?: Asked): Paging {
  const { query = {} } = operationAt(name, methodAndPath, asked);
  const { default: limit, maximum } = (query.limit ?? {}) as { default?: number; maximum?: number };
  return {
    by: query.cursor ? "cursor" : query.offset ? "offset" : "nothing",
    ...(limit !== undefined && { limit }),
    ...(maximum !== undefined && { maximum }),
  };
}

const parts = ["allOf", "anyOf", "oneOf"] as const;
const wholes = ["items", "not", "if", "then", "else", "additionalProperties", "propertyNames"] as const;

/**
 * Replaces the references in a schema by the schemas that they name. In corrections, `cloud#/schemas/…` names a schema of
 * ClickHouse Cloud's table. A schema that contains itself accepts any value at that place.
 */
export function resolved(
  schema: Schema,
  name: TableName,
  asked: Asked = {},
  within: readonly string[] = [],
): Schema {
  const { $ref: reference, default: _, ...beside } = schema;
  if (reference !== undefined) {
    const [, other = "", target = ""] = /^(\w*)#\/schemas\/(\w+)$/.exec(reference) ?? [];
    const owner = (other || name) as TableName;
    const found = tableOf(owner, asked).schemas[target];
    if (!found) throw new Error(`the table ${owner} has no schema ${target}`);
    if (within.includes(reference)) return {};
    const named = resolved(found, owner, asked, [...within, reference]);
    return Object.keys(beside).length === 0 ? named : { ...beside, allOf: [named] };
  }
  const inside = (part: Schema): Schema => resolved(part, name, asked, within);
  const copy: Mutable = { ...schema };
  for (const keyword of parts) if (schema[keyword]) copy[keyword] = schema[keyword].map(inside);
  for (const keyword of wholes)
    if (typeof schema[keyword] === "object") copy[keyword] = inside(schema[keyword] as Schema);
  if (schema.properties)
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([member, part]) => [
        member,
        typeof part === "object" ? inside(part) : part,
      ]),
    );
  return copy as Schema;
}

/**
 * Makes a schema from a corrected schema of the API document: with the rules of the corrections, and without further properties
 * if the caller asks for that.
 */
function finished(schema: Schema, { closed, withoutRules }: Asked = {}, isPart = false): Schema {
  const { rules: all = [], ...copy } = schema as Mutable & { rules?: readonly Schema[] };
  const rules = withoutRules ? all.filter(isLimit) : all;
  const isObject = schema.properties !== undefined || (schema.allOf ?? []).some((part) => part.properties);
  for (const keyword of parts)
    if (schema[keyword])
      copy[keyword] = schema[keyword].map((part) =>
        finished(part, { closed, withoutRules }, isPart || isObject),
      );
  if (schema.items) copy.items = finished(schema.items, { closed, withoutRules });
  if (schema.properties)
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([member, part]) => [
        member,
        typeof part === "object" ? finished(part, { closed, withoutRules }) : part,
      ]),
    );
  // The API document of ClickHouse Cloud leaves out the type of some objects, without which a schema accepts values of any
  // type.
  if (schema.properties && !schema.type) copy.type = "object";
  if (closed && isObject && !isPart && schema.additionalProperties === undefined)
    copy.unevaluatedProperties = false;
  if (rules.length > 0) copy.allOf = [...((copy.allOf as Schema[]) ?? []), ...rules];
  return copy as Schema;
}

/** Whether a correction's rule only limits single properties, without a condition that depends on several properties. */
function isLimit(rule: Schema): boolean {
  return Object.keys(rule).every((keyword) => keyword === "properties" || keyword === "required");
}
