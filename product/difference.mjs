import { factsIn, ownerOf } from "./facts.mjs";

/**
 * @typedef {import("./table.mjs").Table} Table
 * @typedef {import("./table.mjs").Operation} Operation
 * @typedef {import("./table.mjs").Schema} Schema
 * @typedef {import("./facts.mjs").Fact} Fact
 * @typedef {object} Change a fact that differs between two versions of an API document
 * @property {string} part the part of the operation: `request`, `answer`, `query`, …
 * @property {string} kind the kind of change, such as `new`
 * @property {string} what the changed thing, such as the path of a property
 */

/**
 * Describes in words how two versions of an API document's table differ. Equal differences in the same operations share a line.
 * @param {Table} before
 * @param {Table} after
 * @returns {string[]}
 */
export function differenceOf(before, after) {
  const [beforeNames, afterNames] = [namesOf(before), namesOf(after)];
  const lines = [
    ...operationLines("new", afterNames, beforeNames, after),
    ...operationLines("gone", beforeNames, afterNames, before),
  ];
  /** The operations in which each change of the API document occurs. @type {Map<string, string[]>} */
  const operationsByChange = new Map();
  for (const [anonymous, request] of afterNames) {
    const was = beforeNames.get(anonymous);
    if (was === undefined) continue;
    for (const change of changesOf(operationIn(before, was), operationIn(after, request), before, after)) {
      const key = JSON.stringify([change.part, change.kind, change.what]);
      operationsByChange.set(key, [...(operationsByChange.get(key) ?? []), request]);
    }
  }
  return [...permissionLine(before, after), ...lines, ...changeLines(operationsByChange)];
}

/**
 * Makes a line about the permissions, if the new API document is the first to state any.
 * @param {Table} before
 * @param {Table} after
 * @returns {string[]}
 */
function permissionLine(before, after) {
  const counts = [before, after].map(
    ({ operations }) => Object.values(operations).filter(({ permissions }) => permissions).length,
  );
  return counts[0] === 0 && counts[1] !== 0
    ? [`all: the permission of ${counts[1]} operations is stated`]
    : [];
}

/**
 * Maps each operation of an API document to its request. The keys leave out the names of path parameters, since a document may
 * rename a parameter without any effect on clients.
 * @param {Table} table
 */
const namesOf = (table) =>
  new Map(Object.keys(table.operations).map((request) => [request.replace(/\{\w+\}/g, "{}"), request]));

/**
 * Finds the operation of a request in an API document's table.
 * @param {Table} table
 * @param {string} request
 * @returns {Operation}
 */
const operationIn = (table, request) => /** @type {Operation} */ (table.operations[request]);

/**
 * Returns the kind of objects that an operation is about: the part of its path after the organization or the service.
 * @param {string} request
 */
export function kindOf(request) {
  const [, path = ""] = request.split(" ");
  const below = path
    .replace(/^\/api\/v2\//, "")
    .replace(/^\/v1\/organizations\/\{\w+\}\/(services\/\{\w+\}\/)?/, "")
    .replace(/^\/v1\//, "");
  return (
    below
      .split("/")
      .filter((word) => word !== "" && !word.startsWith("{"))
      .join("/") || (path.includes("/services/") ? "services" : "organizations")
  );
}

/**
 * Returns the method of an operation, such as `GET`, or `GET one` if the path ends with the id of an object.
 * @param {string} request
 */
function verbOf(request) {
  const [method = "", path = ""] = request.split(" ");
  return path.endsWith("}") ? `${method} one` : method;
}

/** HTTP statuses that nearly every operation has, so the description of a new operation leaves them out. */
const usual = ["200", "400", "500"];

/**
 * Makes the lines about the operations of an API document that are new or gone, one for each kind of objects.
 * @param {string} kind
 * @param {Map<string, string>} names
 * @param {Map<string, string>} others
 * @param {Table} table
 */
function operationLines(kind, names, others, table) {
  const found = [...names].filter(([anonymous]) => !others.has(anonymous)).map(([, request]) => request);
  return [...grouped(found, kindOf)].map(([of, requests]) => {
    const operations = requests.map((request) => operationIn(table, request));
    const permissions = operations.flatMap((operation) => operation.permissions ?? []).map(shortPermission);
    const statuses = operations.flatMap(statusesOf).filter((status) => !usual.includes(status));
    const query = operations.flatMap((operation) => Object.keys(operation.query ?? {}));
    const details = [permissions, query, statuses]
      .map((list) => [...new Set(list)].join(" "))
      .filter(Boolean);
    const suffix = details.length > 0 ? ` (${details.join("; ")})` : "";
    return `${of}: ${kind}: ${requests.map(verbOf).join(", ")}${suffix}`;
  });
}

/** The name of a permission without its prefix. @param {string} permission */
const shortPermission = (permission) => permission.replace("control-plane:", "");

/** All HTTP statuses that an API document names for an operation. @param {Operation} operation */
const statusesOf = ({ answers, errors }) => [...Object.keys(answers), ...errors.map(String)];

/**
 * Makes the lines about the changed operations of an API document. A line describes the changes of one part, such as the
 * answer, in all operations on the same kinds of objects.
 * @param {Map<string, string[]>} operationsByChange
 * @returns {string[]}
 */
function changeLines(operationsByChange) {
  const changes = [...operationsByChange].map(([key, requests]) => {
    const [part, kind, what] = /** @type {[string, string, string]} */ (JSON.parse(key));
    return { where: `${capped([...new Set(requests.map(kindOf))]).join(", ")}: ${part}`, kind, what };
  });
  return [...grouped(changes, ({ where }) => where)].flatMap(([where, ofPlace]) => {
    const kinds = [...grouped(ofPlace, ({ kind }) => kind)].map(
      ([kind, those]) => `${kind} ${shortened(those.map(({ what }) => what))}`,
    );
    const lines = /** @type {string[]} */ ([]);
    for (const kind of kinds) {
      const line = `${lines.at(-1)}; ${kind}`;
      if (lines.length > 0 && line.length <= longestLine) lines[lines.length - 1] = line;
      else lines.push(`${where}: ${kind}`);
    }
    return lines;
  });
}

/** The most characters of a list of changes, and of a line with several kinds of them: others go on in a line of their own. */
const longestLine = 300;

const most = 12;

/** Lists the paths of properties by their owners: `tiles[].{id, name}`. @param {readonly string[]} paths */
function shortened(paths) {
  const owners = [...grouped(paths, (path) => (path.includes(" ") ? "" : ownerOf(path)))];
  return owners
    .flatMap(([owner, members]) => {
      const names = members.map((path) => path.slice(owner.length).replace(/^\./, ""));
      return owner === "" || names.length === 1
        ? capped(members)
        : [`${owner}.{${capped(names).join(", ")}}`.replace(".{[]}", "[]")];
    })
    .join(", ");
}

/**
 * Lists the first of many changed properties; the difference of the tables in git shows all of them.
 * @param {readonly string[]} texts
 */
function capped(texts) {
  let length = 0;
  const tooFar = texts.findIndex((text, at) => {
    length += text.length + 2;
    return at > 0 && length > longestLine;
  });
  const fitting = tooFar < 0 ? texts.length : tooFar;
  const shown = texts.length > most + 1 ? Math.min(fitting, most) : fitting;
  return shown === texts.length ? texts : [...texts.slice(0, shown), `${texts.length - shown} more`];
}

/**
 * Groups items by a key.
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} key
 * @returns {Map<string, Item[]>}
 */
function grouped(items, key) {
  /** @type {Map<string, Item[]>} */
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

/**
 * Lists the changes between two versions of an operation in an API document.
 * @param {Operation} was
 * @param {Operation} is
 * @param {Table} before
 * @param {Table} after
 * @returns {Change[]}
 */
function changesOf(was, is, before, after) {
  const inParts = [
    ...inSchemas("request", was.request, is.request, before, after),
    ...inSchemas("answer", answerOf(was), answerOf(is), before, after),
    ...["query", "header"].flatMap((name) => {
      const part = /** @type {"query" | "header"} */ (name);
      return inSchemas(part, parametersOf(was[part]), parametersOf(is[part]), before, after);
    }),
  ];
  // The permissions of an operation are compared only if the old API document states any. Otherwise the first permissions would
  // be a change of every operation.
  const isStated = Object.values(before.operations).some(({ permissions }) => permissions);
  const permissions = [was, is].map((operation) => (operation.permissions ?? []).map(shortPermission));
  const mayLackBody = [was, is].map(({ bodyIsOptional = false }) => bodyIsOptional);
  return [
    ...inParts,
    ...(was.request && is.request && mayLackBody[0] !== mayLackBody[1]
      ? [{ part: "request", kind: mayLackBody[1] ? "optional" : "required", what: "body" }]
      : []),
    ...(isStated ? listed("permission", permissions[0] ?? [], permissions[1] ?? []) : []),
    ...listed("status", statusesOf(was), statusesOf(is)),
    ...(is.deprecated && !was.deprecated ? [{ part: "operation", kind: "deprecated", what: "now" }] : []),
  ];
}

/**
 * Lists the names that a new version of an API document adds to a part of an operation, or removes from it.
 * @param {string} part
 * @param {readonly string[]} before
 * @param {readonly string[]} after
 * @returns {Change[]}
 */
function listed(part, before, after) {
  return [
    ...after.filter((value) => !before.includes(value)).map((what) => ({ part, kind: "new", what })),
    ...before.filter((value) => !after.includes(value)).map((what) => ({ part, kind: "gone", what })),
  ];
}

/** The schema of an operation's successful answer. @param {Operation} operation @returns {Schema | undefined} */
const answerOf = ({ answers }) => Object.values(answers)[0];

/**
 * Makes the parameters of an operation the properties of an object schema, so that they are compared like a body.
 * @param {{ [name: string]: Schema } | undefined} parameters
 * @returns {Schema | undefined}
 */
function parametersOf(parameters) {
  if (!parameters) return { properties: {} };
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  return { properties: parameters, required };
}

/**
 * Lists the changes between two versions of a schema in an operation of an API document.
 * @param {string} part
 * @param {Schema | undefined} was
 * @param {Schema | undefined} is
 * @param {Table} before
 * @param {Table} after
 * @returns {Change[]}
 */
function inSchemas(part, was, is, before, after) {
  if (!was || !is) return was === is ? [] : [{ part, kind: is ? "new" : "gone", what: "body" }];
  const [old, now] = [factsIn(was, before.schemas), factsIn(is, after.schemas)];
  const withoutEnvelope = (/** @type {string} */ path) =>
    path.replace(/^(result|data)(\[\])?\.?/, "") || "all of it";
  const absent = (/** @type {Map<string, Fact>} */ one, /** @type {Map<string, Fact>} */ other) =>
    [...one.keys()].filter((path) => !other.has(path) && other.has(ownerOf(path)));
  const changes = [...now].flatMap(([path, fact]) => {
    const earlier = old.get(path);
    if (!earlier) return [];
    // A property may have moved from one alternative of a union type to another. Its path exists in both versions of the API
    // document then, so the change names the schema that contains the property now.
    const owners = [...fact.owners].filter((owner) => !earlier.owners.has(owner) && before.schemas[owner]);
    const taken = owners.map((owner) => ({ part, kind: `new in ${owner}`, what: withoutEnvelope(path) }));
    return [...inFacts(part, withoutEnvelope(path), earlier, fact), ...taken];
  });
  const names = (/** @type {string[]} */ paths, /** @type {string} */ kind) =>
    paths.map((path) => ({ part, kind, what: path === "" ? "all of it" : withoutEnvelope(path) }));
  const added = absent(now, old).map((path) => ({
    ...{ part, what: withoutEnvelope(path) },
    kind: now.get(path)?.isRequired && part !== "answer" ? "new and required" : "new",
  }));
  return [...added, ...names(absent(old, now), "gone"), ...changes];
}

/**
 * Lists the changes between two versions of the facts about one place in a schema.
 * @param {string} part
 * @param {string} path
 * @param {Fact} was
 * @param {Fact} is
 * @returns {Change[]}
 */
function inFacts(part, path, was, is) {
  const change = (/** @type {string} */ kind, /** @type {string} */ what) => ({ part, kind, what });
  const added = [...is.values].filter((value) => !was.values.has(value));
  const lost = [...was.values].filter((value) => !is.values.has(value));
  const types = [was, is].map((fact) =>
    [...fact.types]
      .filter((type) => type !== "null")
      .sort()
      .join(" or "),
  );
  const [wasNull, isNull] = [was.types.has("null"), is.types.has("null")];
  const limits = new Set([...was.limits.keys(), ...is.limits.keys()]);
  return [
    ...(added.length > 0 && (was.values.size > 0 || is.types.size > 0)
      ? [change(was.values.size > 0 ? "may be" : "is one of", `${path} ${capped(added).join(" ")}`)]
      : []),
    ...(lost.length > 0
      ? [
          change(
            is.values.size > 0 ? "is no longer" : "is any, no longer one of",
            `${path} ${capped(lost).join(" ")}`,
          ),
        ]
      : []),
    ...(types[0] !== types[1] && types[0] && types[1]
      ? [change("type", `${path} ${types[1]}, was ${types[0]}`)]
      : []),
    ...(isNull && !wasNull ? [change("may be null", path)] : []),
    ...(wasNull && !isNull ? [change("is not null any more", path)] : []),
    ...(is.isRequired && !was.isRequired
      ? [change(part === "answer" ? "always there" : "required", path)]
      : []),
    ...(was.isRequired && !is.isRequired
      ? [change(part === "answer" ? "may be absent" : "optional", path)]
      : []),
    ...(is.isDeprecated && !was.isDeprecated ? [change("deprecated", path)] : []),
    ...(is.isOpen && !was.isOpen ? [change("members unknown", path)] : []),
    ...(was.isOpen && !is.isOpen ? [change("members known", path)] : []),
    ...(was.isOpen === is.isOpen && was.isClosed !== is.isClosed
      ? [change(is.isClosed ? "takes no other members" : "takes other members", path)]
      : []),
    ...[...limits].flatMap((name) => {
      const [before, now] = [was, is].map((fact) =>
        [...(fact.limits.get(name) ?? ["none"])].sort().join(" or "),
      );
      if (before === now) return [];
      const isLimit = name !== "default" && name !== "format";
      return [change(isLimit ? "limit" : name, `${path}${isLimit ? ` ${name}` : ""} ${now}, was ${before}`)];
    }),
  ];
}
