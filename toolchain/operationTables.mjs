/**
 * The tables of API operations, with their permissions and limits, from the table of operations.
 *
 * @typedef {import("../provider/api/operation.js").Operation} Operation
 * @typedef {import("../provider/api/dialect.js").Dialect} Dialect
 * @typedef {import("../provider/lifecycle/resource.js").Resource} Resource
 * @typedef {import("../provider/functions/definition.js").FunctionDefinition} FunctionDefinition
 * @typedef {{
 *   resources: Record<string, Resource>, functions: Record<string, FunctionDefinition>, operations: Record<string, Operation>,
 *   isWrite: (operation: Operation) => boolean, limits: Dialect["limits"],
 * }} Provider the facts of the provider that the pages show beyond the package schema
 */

/**
 * The API operation that a provider function calls first. The function runs with a session that records the operation and never
 * answers.
 * @param {FunctionDefinition} definition
 * @returns {string[]}
 */
export function operationsOf(definition) {
  /** @type {string[]} */
  const used = [];
  const takeDown = (/** @type {string} */ operation) => {
    used.push(operation);
    // This program only records which API operation the function calls first, and has no answer for it. So the call stays
    // pending, and the function does not go on.
    return new Promise(() => {});
  };
  // The dialect in which all provider functions exist.
  const settings = { organizationId: "o", serviceId: "s", dialect: "clickhouse" };
  const session = { settings, observabilityVia: "both", call: takeDown, lists: { read: takeDown } };
  void definition.run({ series: [] }, /** @type {never} */ (session));
  return used;
}

/**
 * The table of the API operations that the steps of a resource call.
 * @param {(readonly string[])[]} used each step of the resource with its API operation
 * @param {Provider} provider
 */
export function operationTable(used, provider) {
  const { isWrite } = provider;
  const rows = used.map(([step, name = ""]) => {
    const operation = operationIn(provider, name);
    const { api, method, path } = operation;
    const role = api === "observability" ? "access token" : isWrite(operation) ? "admin" : "developer";
    return `| ${step} | \`${name}\` (${api} API) | \`${method} ${path}\` | ${role} | ${permissionsOf(operation)} | ${limitOf(provider, api)} |`;
  });
  return [
    "| step | operation | request | [role](../../docs/roles.md) | [permission](../../docs/roles.md#permissions-of-clickhouse-cloud) | [limit](../../docs/rate-limits.md) |",
    "|---|---|---|---|---|---|",
    ...rows,
  ];
}

/** An API operation by its name. @param {Provider} provider @param {string} name */
function operationIn({ operations }, name) {
  const operation = operations[name];
  if (!operation) throw new Error(`there is no operation ${name}`);
  return operation;
}

/** The permissions that an API operation needs, as a cell of a table. @param {Operation} operation */
function permissionsOf({ permissions = [] }) {
  return permissions.map((permission) => `\`${permission}\``).join(", ") || "–";
}

/** The known rate limit of an API, as a cell of a table. @param {Provider} provider @param {Operation["api"]} api */
function limitOf({ limits }, api) {
  const limit = limits[api];
  return limit ? `${limit.requests} in ${limit.seconds} s` : "–";
}

/**
 * The table of permissions that the steps of each resource type and each function need on ClickHouse Cloud, with the rate
 * limits of both APIs. Types with the same permissions share a row.
 * @param {Provider} provider
 */
export function permissionTable(provider) {
  const { resources, functions } = provider;
  /**
   * The cells of a resource type in the table of permissions.
   * @param {Record<string, string>} used
   * @param {readonly string[]} calls further operations that the steps of the type call
   */
  const cellsOf = ({ get, list = get, create, update, delete: remove }, calls = []) => {
    const further = (/** @type {RegExp} */ verb) => calls.filter((name) => verb.test(name));
    const cell = (/** @type {(string | undefined)[]} */ ...names) => {
      const operations = names
        .filter((name) => name !== undefined)
        .map((name) => operationIn(provider, name));
      return [...new Set(operations.map(permissionsOf))].join(", ") || "–";
    };
    const used = [get, list, create, update, remove].flatMap((name) =>
      name === undefined ? [] : operationIn(provider, name),
    );
    const apis = /** @type {const} */ (["management", "observability"]).filter((api) =>
      used.some((operation) => operation.api === api || operation.otherPath !== undefined),
    );
    const limits = apis.map((api) => limitOf(provider, api)).join(" or ");
    return [
      cell(get, list, ...further(/^(get|list)/)),
      cell(create, ...further(/^create/)),
      cell(update, ...further(/^(update|put)/)),
      cell(remove, ...further(/^delete/)),
      limits,
    ].join(" | ");
  };
  /** @type {Map<string, string[]>} */
  const rows = new Map();
  /**
   * Adds a resource type to the rows of the table of permissions.
   * @param {string} name
   * @param {Record<string, string>} used
   * @param {readonly string[]} [calls]
   */
  const add = (name, used, calls) => {
    const cells = cellsOf(used, calls);
    rows.set(cells, [...(rows.get(cells) ?? []), `\`${name}\``]);
  };
  for (const [type, { operations, calls }] of Object.entries(resources)) add(type, { ...operations }, calls);
  for (const [name, definition] of Object.entries(functions))
    add(name, Object.fromEntries(operationsOf(definition).map((operation) => ["get", operation])));
  add("pipestack drift", { get: "listActivities" });
  return [
    "| type, function or command | reading | create | update | delete | [limit](rate-limits.md) |",
    "|---|---|---|---|---|---|",
    ...[...rows].map(([cells, names]) => `| ${names.join(", ")} | ${cells} |`),
  ];
}
