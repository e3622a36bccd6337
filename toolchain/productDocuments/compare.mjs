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
  const addresses = Object.keys(paths ?? {});
  if (addresses.some((path) => path.startsWith("/v1/organizations"))) return "management";
  if (addresses.some((path) => path.startsWith("/api/v2/"))) return "observability";
  throw new Error("it is no OpenAPI document of ClickHouse Cloud or HyperDX: it has none of their paths");
}

/**
 * Differences between a document and what the provider knows, a line for each.
 * @param {Schema} document
 * @param {readonly KnownOperation[]} [providerOperations] those of the document's API
 * @returns {string[]}
 */
export function differencesIn(document, providerOperations = knownOperations(apiOf(document))) {
  const api = apiOf(document);
  const operationsByRequest = new Map(
    Object.entries(/** @type {Schema} */ (document.paths)).flatMap(([path, operations]) =>
      methods
        .filter((method) => operations[method])
        .map((method) => [`${method.toUpperCase()} ${withoutNames(path)}`, { path, ...operations[method] }]),
    ),
  );
  const requests = providerOperations.map(({ method, path }) => `${method} ${withoutNames(path)}`);
  /** The operations of which the same is to be said, by type and words. @type {Map<string, string[]>} */
  const differing = new Map();
  const missing = providerOperations.flatMap((operation, index) => {
    const { type, name, method, path } = operation;
    const entry = operationsByRequest.get(/** @type {string} */ (requests[index]));
    if (!entry) return [`${type}: ${name}: ${method} ${path} is gone`];
    for (const [part, providerSchema, documentSchema] of /** @type {const} */ ([
      ["request", operation.body, bodyIn(entry, document)],
      ["answer", operation.answer, answerIn(entry, operation, api, document)],
    ]))
      for (const line of inSchemas(type, part, providerSchema, documentSchema, document)) {
        const key = JSON.stringify([type, part, line]);
        differing.set(key, [...(differing.get(key) ?? []), name]);
      }
    return [];
  });
  const further = [...operationsByRequest].filter(([request]) => !requests.includes(request));
  return [
    ...missing,
    ...[...differing].map(([key, names]) => {
      const [type, part, line] = JSON.parse(key);
      return `${type}: ${part} of ${names.join(", ")}: ${line}`;
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
  const target = schema.$ref ? resolved(schema.$ref, document) : schema;
  const { properties = {}, allOf = [] } = target;
  return (
    properties[name] ??
    allOf.map((/** @type {Schema} */ part) => memberIn(part, name, document)).find(Boolean)
  );
}

/**
 * @param {string} type
 * @param {"request" | "answer"} part
 * @param {Schema | undefined} providerSchema
 * @param {Schema | undefined} documentSchema
 * @param {Schema} document
 * @returns {string[]}
 */
function inSchemas(type, part, providerSchema, documentSchema, document) {
  if (!providerSchema) return [];
  if (!documentSchema) return ["it has no schema"];
  const [providerFacts, documentFacts] = [
    ofOne(factsIn(providerSchema)),
    ofOne(factsIn(documentSchema, document)),
  ];
  const inDocuments = membersInDocuments(type);
  const isDecided = (/** @type {string} */ path) => inDocuments.has(path.replaceAll("[]", ""));
  const added = [...documentFacts.keys()].filter(
    (path) => !providerFacts.has(path) && !isInOpen(path, providerFacts) && !isDecided(path),
  );
  const missing = [...providerFacts.keys()].filter(
    (path) => !documentFacts.has(path) && !isInOpen(path, documentFacts),
  );
  return [
    ...outermost(added, providerFacts).map((path) => `${path} is new${wordsOf(documentFacts.get(path))}`),
    ...outermost(missing, documentFacts).map((path) => `${path} is gone`),
    ...[...providerFacts].flatMap(([path, fact]) => {
      const documentFact = documentFacts.get(path);
      return documentFact ? changesOf(fact, documentFact, part).map((line) => `${path} ${line}`) : [];
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

/** The paths whose owner the other side has: a new member is named alone, without its own members. @param {string[]} paths @param {Map<string, Fact>} facts */
function outermost(paths, facts) {
  return paths.filter((path) => facts.has(ownerOf(path)));
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
 * @param {Fact} providerFact
 * @param {Fact} documentFact
 * @param {"request" | "answer"} part
 * @returns {string[]}
 */
function changesOf(providerFact, documentFact, part) {
  const values = changedValues(providerFact.values, documentFact.values);
  if (part === "answer") return values;
  return [
    ...values,
    ...(documentFact.isRequired && !providerFact.isRequired ? ["is required"] : []),
    ...[...documentFact.limits].flatMap(([name, limits]) => {
      const [before, after] = [numbersIn(providerFact.limits.get(name)), numbersIn(limits)];
      return before === after ? [] : [`has the ${name} ${after}, not ${before}`];
    }),
  ];
}

/** @param {Set<number>} [limits] */
function numbersIn(limits) {
  return limits ? [...limits].sort((a, b) => a - b).join(" or ") : "none";
}

/** @param {Set<string>} providerValues @param {Set<string>} documentValues @returns {string[]} */
function changedValues(providerValues, documentValues) {
  if (providerValues.size === 0) return [];
  if (documentValues.size === 0) return [];
  const added = [...documentValues].filter((value) => !providerValues.has(value));
  const missing = [...providerValues].filter((value) => !documentValues.has(value));
  return [
    ...(added.length > 0 ? [`has the new values ${added.join(", ")}`] : []),
    ...(missing.length > 0 ? [`has lost the values ${missing.join(", ")}`] : []),
  ];
}
