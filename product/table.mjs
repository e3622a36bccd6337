/**
 * @typedef {{ [keyword: string]: any }} Schema a JSON Schema, whose references name schemas of the same table
 * @typedef {object} Operation the facts about an operation in an API document
 * @property {string} id the name of the operation in the document
 * @property {readonly string[]} [permissions] the permissions that an API key needs
 * @property {boolean} [deprecated]
 * @property {{ [name: string]: Schema }} [path] the parameters in the operation's path
 * @property {{ [name: string]: Schema }} [query] the parameters in the query, with `isRequired`
 * @property {{ [name: string]: Schema }} [header] the request headers
 * @property {Schema} [request] the request body
 * @property {boolean} [bodyIsOptional] whether the request may have no body
 * @property {{ [status: string]: Schema }} answers the successful answers by status, without `status` and `requestId`
 * @property {readonly number[]} errors the statuses of failures
 * @typedef {object} Table
 * @property {{ [methodAndPath: string]: Operation }} operations
 * @property {{ [name: string]: Schema }} schemas
 */

/** The tables of API documents by name, and how the paths in their documents begin. */
export const tables = { cloud: "/v1/", server: "/api/v2/" };

/** @typedef {keyof typeof tables} TableName */

const methods = ["get", "post", "put", "patch", "delete"];

/**
 * The keywords of schemas that the tables of API documents keep, in this order. Other keywords are prose, or say nothing about
 * values.
 */
const keywords = [
  ...["$ref", "type", "format", "const", "enum", "pattern", "minLength", "maxLength"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "default"],
  ...["minItems", "maxItems", "uniqueItems", "items", "minProperties", "maxProperties", "propertyNames"],
  ...["deprecated", "readOnly", "writeOnly", "allOf", "anyOf", "oneOf", "not"],
  ...["required", "properties", "additionalProperties"],
];

/**
 * Tells by the paths in an API document to which table it belongs.
 * @param {Schema} document
 * @returns {TableName}
 */
export function tableNameOf({ paths = {} }) {
  for (const [name, start] of Object.entries(tables))
    if (Object.keys(paths).some((path) => path.startsWith(start))) return /** @type {TableName} */ (name);
  throw new Error("it is no OpenAPI document of ClickHouse Cloud or HyperDX: it has none of their paths");
}

/**
 * Reduces an OpenAPI document to its facts, without sentences and examples. Of its schemas, those that operations use remain.
 * @param {Schema} document
 * @returns {Table}
 */
export function tableOf(document) {
  const operations = Object.entries(/** @type {Schema} */ (document.paths))
    .flatMap(([path, item]) =>
      methods
        .filter((method) => item[method])
        .map(
          (method) =>
            /** @type {const} */ ([`${method.toUpperCase()} ${path}`, operationOf(item, item[method])]),
        ),
    )
    .sort(([one], [other]) => byPath(one, other));
  const all = document.components?.schemas ?? {};
  const used = new Set();
  const follow = (/** @type {unknown} */ facts) => {
    for (const name of namesIn(facts)) {
      if (used.has(name)) continue;
      if (!all[name]) throw new Error(`it has no schema ${name}, to which it refers`);
      used.add(name);
      follow(factsOf(all[name]));
    }
  };
  follow(operations);
  return {
    operations: Object.fromEntries(operations),
    schemas: Object.fromEntries([...used].sort().map((name) => [name, factsOf(all[name])])),
  };
}

/** Compares two texts, to sort the operations and schemas of a table. @param {string} one @param {string} other */
function byPath(one, other) {
  const keys = [one, other].map((request) => {
    const [method = "", path] = request.split(" ");
    return `${path} ${methods.indexOf(method.toLowerCase())}`;
  });
  return /** @type {string} */ (keys[0]) < /** @type {string} */ (keys[1]) ? -1 : 1;
}

/** The names of the schemas to which facts of an API document refer. @param {unknown} facts @returns {string[]} */
function namesIn(facts) {
  return [...JSON.stringify(facts).matchAll(/"#\/schemas\/(\w+)"/g)].map(
    ([, name]) => /** @type {string} */ (name),
  );
}

/**
 * The facts of one operation in an OpenAPI document.
 * @param {Schema} item of a path
 * @param {Schema} operation
 * @returns {Operation}
 */
function operationOf(item, operation) {
  const { operationId, security = [], deprecated, requestBody, responses } = operation;
  const permissions = security.flatMap((/** @type {Schema} */ one) => Object.values(one).flat());
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
  const within = (/** @type {string} */ place) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, required, schema }) => [
          name,
          { ...factsOf(schema), ...(required && place !== "path" && { isRequired: true }) },
        ]),
    );
  const [request] = schemasIn(requestBody);
  const succeeded = Object.entries(/** @type {Schema} */ (responses)).filter(([status]) => status < "300");
  return {
    id: operationId,
    ...(permissions.length > 0 && { permissions }),
    ...(deprecated && { deprecated }),
    ...filled({ path: within("path"), query: within("query"), header: within("header") }),
    ...(request && { request: factsOf(request) }),
    ...(requestBody && !requestBody.required && { bodyIsOptional: true }),
    answers: Object.fromEntries(
      succeeded.map(([status, response]) => [status, withoutReceipt(factsOf(schemasIn(response)[0] ?? {}))]),
    ),
    errors: Object.keys(responses)
      .map(Number)
      .filter((status) => status >= 400),
  };
}

/**
 * Removes from the schema of an answer its status and request id, which every answer of ClickHouse Cloud has.
 * @param {Schema} answer
 */
function withoutReceipt(answer) {
  if (!answer.properties) return answer;
  const { status: _, requestId: __, ...properties } = answer.properties;
  const required = answer.required?.filter((/** @type {string} */ name) => name in properties);
  return { ...answer, ...(required && { required }), properties };
}

/**
 * Returns those parts of an operation in an API document that are not empty.
 * @template {{ [name: string]: object }} Parts
 * @param {Parts} parts
 * @returns {Partial<Parts>}
 */
function filled(parts) {
  return /** @type {Partial<Parts>} */ (
    Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0))
  );
}

/**
 * The JSON schemas of a request body or a response in an OpenAPI document.
 * @param {Schema | undefined} carrier a body or a response
 * @returns {Schema[]}
 */
function schemasIn(carrier) {
  return Object.entries(/** @type {Schema} */ (carrier?.content ?? {}))
    .filter(([type]) => /json/.test(type))
    .map(([, { schema }]) => schema);
}

/**
 * Reduces a schema of an API document to its facts. The keyword `nullable` of OpenAPI 3.0 becomes the type `null`, as in later
 * versions.
 * @param {Schema | boolean} schema
 * @returns {any}
 */
function factsOf(schema) {
  if (typeof schema !== "object" || schema === null) return schema;
  const { nullable, ...rest } = schema;
  if (nullable && (rest.$ref || rest.allOf || rest.oneOf || rest.anyOf)) {
    const { default: initial, ...own } = rest;
    return { ...(initial !== undefined && { default: initial }), anyOf: [factsOf(own), { type: "null" }] };
  }
  const facts = Object.fromEntries(
    keywords.filter((keyword) => keyword in rest).map((keyword) => [keyword, factOf(keyword, rest[keyword])]),
  );
  if (facts.type && nullable) facts.type = [facts.type, "null"].flat();
  // Both API documents leave null out of the `enum` of a property that may be null, so this function adds null to it.
  if (facts.type?.includes("null") && facts.enum && !facts.enum.includes(null)) facts.enum.push(null);
  return facts;
}

/**
 * Reduces the value of a schema keyword, with all schemas inside it, to the form in which the tables of API documents keep it.
 * @param {string} keyword
 * @param {any} value
 */
function factOf(keyword, value) {
  switch (keyword) {
    case "$ref":
      return value.replace("#/components/", "#/");
    case "properties":
      return sorted(value, factsOf);
    case "allOf":
    case "anyOf":
    case "oneOf":
      return value.map(factsOf);
    case "items":
    case "not":
    case "propertyNames":
    case "additionalProperties":
      return factsOf(value);
    case "required":
    case "enum":
      return [...value].sort();
    default:
      return value;
  }
}

/** Applies a function to each property's schema. @param {Schema} members @param {(schema: Schema) => Schema} change */
function sorted(members, change) {
  return Object.fromEntries(
    Object.keys(members)
      .sort()
      .map((name) => [name, change(members[name])]),
  );
}

const width = 160;

/**
 * Writes the table of an API document as JSON text. A value is on one line if it fits, so that a change of one property is a
 * change of one line.
 * @param {unknown} value
 * @param {string} [indent]
 * @param {number} [taken] the number of characters that precede the value on its line
 * @returns {string}
 */
export function textOf(value, indent = "", taken = 0) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(
    ([name, entry]) => /** @type {const} */ ([isList ? "" : `${JSON.stringify(name)}: `, entry]),
  );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return open + close;
  const line = onOneLine(value);
  if (indent.length + taken + line.length <= width) return line;
  const deeper = `${indent}  `;
  const lines = entries.map(([name, entry]) => `${deeper}${name}${textOf(entry, deeper, name.length + 1)}`);
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

/**
 * Writes a value as JSON on a single line, as the files with the tables of API documents contain it.
 * @param {unknown} value
 * @returns {string}
 */
function onOneLine(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  const entries = Object.entries(value).map(
    ([name, entry]) => `${JSON.stringify(name)}: ${onOneLine(entry)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
