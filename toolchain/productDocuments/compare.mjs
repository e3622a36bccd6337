import { kindOf, knownOperations, membersInDocuments } from "./knowledge.mjs";
import { factsIn, ownerOf, resolved } from "./schemaFacts.mjs";

/**
 * @typedef {import("./schemaFacts.mjs").Schema} Schema
 * @typedef {import("./schemaFacts.mjs").Fact} Fact
 * @typedef {import("./knowledge.mjs").Api} Api
 * @typedef {import("./knowledge.mjs").KnownOperation} KnownOperation
 */

const methods = ["get", "put", "post", "patch", "delete"];

/** Ids in paths have different names in each document. @param {string} path */
const withoutNames = (path) => path.replace(/\{\w+\}/g, "{}").replace(/(?<=.)\/$/, "");

/**
 * The API that a document describes.
 * @param {Schema} document
 * @returns {Api}
 */
export function apiOf({ paths }) {
  const all = Object.keys(paths ?? {});
  if (all.some((path) => path.startsWith("/v1/organizations"))) return "management";
  if (all.some((path) => path.startsWith("/api/v2/"))) return "observability";
  throw new Error("it is no OpenAPI document of ClickHouse Cloud or HyperDX: it has none of their paths");
}

/**
 * Differences between a document and what the provider knows, a line for each.
 * @param {Schema} document
 * @param {readonly KnownOperation[]} [known] those of the document's API
 * @returns {string[]}
 */
export function differencesIn(document, known = knownOperations(apiOf(document))) {
  const api = apiOf(document);
  const shown = new Map(
    Object.entries(/** @type {Schema} */ (document.paths)).flatMap(([path, operations]) =>
      methods
        .filter((method) => operations[method])
        .map((method) => [`${method.toUpperCase()} ${withoutNames(path)}`, { path, ...operations[method] }]),
    ),
  );
  const requests = known.map(({ method, path }) => `${method} ${withoutNames(path)}`);
  /** The operations of which the same is to be said, by type and words. @type {Map<string, string[]>} */
  const differing = new Map();
  const gone = known.flatMap((operation, index) => {
    const { type, name, method, path } = operation;
    const found = shown.get(/** @type {string} */ (requests[index]));
    if (!found) return [`${type}: ${name}: ${method} ${path} is gone`];
    for (const [where, ours, theirs] of /** @type {const} */ ([
      ["request", operation.body, bodyIn(found, document)],
      ["answer", operation.answer, answerIn(found, operation, api, document)],
    ]))
      for (const line of inSchemas(type, where, ours, theirs, document)) {
        const key = JSON.stringify([type, where, line]);
        differing.set(key, [...(differing.get(key) ?? []), name]);
      }
    return [];
  });
  const further = [...shown].filter(([request]) => !requests.includes(request));
  return [
    ...gone,
    ...[...differing].map(([key, names]) => {
      const [type, where, line] = JSON.parse(key);
      return `${type}: ${where} of ${names.join(", ")}: ${line}`;
    }),
    ...further.map(([request, { path }]) => `${kindOf(path)}: ${request.split(" ")[0]} ${path} is new`),
  ].map((line) => `${api}: ${line}`);
}

/** @param {Schema} operation @param {Schema} document @returns {Schema | undefined} */
function bodyIn({ requestBody }, document) {
  return contentOf(requestBody, document);
}

/** What is inside the envelope. @param {Schema} found @param {KnownOperation} operation @param {Api} api @param {Schema} document */
function answerIn({ responses = {} }, { isBare }, api, document) {
  const content = contentOf(responses["200"] ?? responses["201"], document);
  if (!content || isBare) return content;
  const name = api === "management" ? "result" : "data";
  return memberIn(content, name, document);
}

/** @param {Schema | undefined} carrier a request body or a response @param {Schema} document @returns {Schema | undefined} */
function contentOf(carrier, document) {
  if (!carrier) return undefined;
  const { content = {} } = carrier.$ref ? resolved(carrier.$ref, document) : carrier;
  return content["application/json"]?.schema;
}

/** @param {Schema} schema @param {string} name @param {Schema} document @returns {Schema | undefined} */
function memberIn(schema, name, document) {
  const own = schema.$ref ? resolved(schema.$ref, document) : schema;
  const { properties = {}, allOf = [] } = own;
  return (
    properties[name] ??
    allOf.map((/** @type {Schema} */ part) => memberIn(part, name, document)).find(Boolean)
  );
}

/**
 * @param {string} type
 * @param {"request" | "answer"} where
 * @param {Schema | undefined} ours
 * @param {Schema | undefined} theirs
 * @param {Schema} document
 * @returns {string[]}
 */
function inSchemas(type, where, ours, theirs, document) {
  if (!ours) return [];
  if (!theirs) return ["it has no schema"];
  const [known, shown] = [ofOne(factsIn(ours)), ofOne(factsIn(theirs, document))];
  const inDocuments = membersInDocuments(type);
  const isDecided = (/** @type {string} */ path) => inDocuments.has(path.replaceAll("[]", ""));
  const added = [...shown.keys()].filter(
    (path) => !known.has(path) && !isInOpen(path, known) && !isDecided(path),
  );
  const gone = [...known.keys()].filter((path) => !shown.has(path) && !isInOpen(path, shown));
  return [
    ...outermost(added, known).map((path) => `${path} is new${wordsOf(shown.get(path))}`),
    ...outermost(gone, shown).map((path) => `${path} is gone`),
    ...[...known].flatMap(([path, fact]) => {
      const other = shown.get(path);
      return other ? changesOf(fact, other, where).map((line) => `${path} ${line}`) : [];
    }),
  ];
}

/** The facts about one object, where a list of them is answered. @param {Map<string, Fact>} facts */
function ofOne(facts) {
  const isList = facts.has("[]") && [...facts.keys()].every((path) => path === "" || path.startsWith("[]"));
  if (!isList) return facts;
  return new Map(
    [...facts].flatMap(([path, fact]) => (path === "" ? [] : [[path.replace(/^\[\]\.?/, ""), fact]])),
  );
}

/** Whether a place is in one that may have any members. @param {string} path @param {Map<string, Fact>} facts */
function isInOpen(path, facts) {
  let owner = path;
  do {
    owner = ownerOf(owner);
    const fact = facts.get(owner);
    if (fact) return fact.isOpen;
  } while (owner !== "");
  return false;
}

/** Those whose owner the other side has: what is in a new member is new, too. @param {string[]} paths @param {Map<string, Fact>} other */
function outermost(paths, other) {
  return paths.filter((path) => other.has(ownerOf(path)));
}

/** @param {Fact | undefined} fact */
function wordsOf(fact) {
  if (!fact) return "";
  const words = [
    ...(fact.isRequired ? ["required"] : []),
    ...(fact.values.size > 0 ? [`one of ${[...fact.values].join(", ")}`] : []),
    ...[...fact.limits].map(([name, limits]) => `${name} ${[...limits].join(" or ")}`),
  ];
  return words.length > 0 ? ` (${words.join("; ")})` : "";
}

/**
 * What a document rules otherwise. Rules that it does not state are no difference, since the servers have more than it says;
 * nor are those of answers, which are the server's own affair.
 * @param {Fact} ours
 * @param {Fact} theirs
 * @param {"request" | "answer"} where
 * @returns {string[]}
 */
function changesOf(ours, theirs, where) {
  const values = changedValues(ours.values, theirs.values);
  if (where === "answer") return values;
  return [
    ...values,
    ...(theirs.isRequired && !ours.isRequired ? ["is required"] : []),
    ...[...theirs.limits].flatMap(([name, limits]) => {
      const [before, after] = [numbersIn(ours.limits.get(name)), numbersIn(limits)];
      return before === after ? [] : [`has the ${name} ${after}, not ${before}`];
    }),
  ];
}

/** @param {Set<number>} [limits] */
function numbersIn(limits) {
  return limits ? [...limits].sort((one, other) => one - other).join(" or ") : "none";
}

/** @param {Set<string>} ours @param {Set<string>} theirs @returns {string[]} */
function changedValues(ours, theirs) {
  if (ours.size === 0) return [];
  if (theirs.size === 0) return [];
  const added = [...theirs].filter((value) => !ours.has(value));
  const gone = [...ours].filter((value) => !theirs.has(value));
  return [
    ...(added.length > 0 ? [`has the new values ${added.join(", ")}`] : []),
    ...(gone.length > 0 ? [`has lost the values ${gone.join(", ")}`] : []),
  ];
}
