import { readFileSync } from "node:fs";
import { require as requireTypeScript } from "tsx/cjs/api";
import { inCheckout } from "../checkout.mjs";

/**
 * @typedef {import("./schemaFacts.mjs").Schema} Schema
 * @typedef {"management" | "observability"} Api
 *
 * @typedef {object} KnownOperation an operation as the product's servers have it
 * @property {string} name
 * @property {string} type the type that uses it, else the kind of its objects
 * @property {string} method
 * @property {string} path
 * @property {boolean} [isBare] whether the answer has no envelope
 * @property {Schema} [body] of its request, where it has one that is known
 * @property {Schema} [answer] inside the envelope, where that is known
 */

/** @template Module @param {string[]} path @returns {Module} */
const load = (...path) => requireTypeScript(inCheckout(...path), import.meta.url);

/**
 * What the provider knows of an API: the table of operations, in the product's words, and the strict schemas of its documents.
 * @param {Api} api
 * @returns {KnownOperation[]}
 */
export function knownOperations(api) {
  /** @type {typeof import("../../provider/api/operations.js")} */
  const { operations, operationOn } = load("provider", "api", "operations.ts");
  /** @type {typeof import("../../provider/api/dialect.js")} */
  const { dialects, pathIn } = load("provider", "api", "dialect.ts");
  /** @type {typeof import("../../provider/resources/registry.js")} */
  const { resources, typeNames } = load("provider", "resources", "registry.ts");
  /** @type {typeof import("../../test/strictProduct/judge.js")} */
  const { documentedAnswer, documentedBody } = load("test", "strictProduct", "judge.ts");
  const names = /** @type {(keyof typeof operations)[]} */ (Object.keys(operations));
  return names.flatMap((name) => {
    const { api: apiOfOperation, method, path: template, isBare } = operationOn(api, name);
    if (apiOfOperation !== api) return [];
    const path = pathIn(dialects.clickhouse, template);
    const type = typeNames.find((candidate) =>
      /** @type {string[]} */ (Object.values(resources[candidate].operations)).includes(name),
    );
    const [body, answer] = [documentedBody(api, name), documentedAnswer(api, name)];
    return [
      {
        ...{ name, method, path, type: type ?? kindOf(path) },
        ...(isBare && api === "observability" && { isBare }),
        ...(body && { body }),
        ...(answer && { answer }),
      },
    ];
  });
}

/** The kind of objects that a path is about: what follows the last owner in it. @param {string} path */
export function kindOf(path) {
  const [, , ...segments] = path
    .replace(/^\/v1\/organizations(\/\{\w*\}\/services)?\/\{\w*\}/, "//")
    .split("/");
  const words = (
    path.startsWith("/v1/organizations/") ? segments : path.split("/").slice(path.startsWith("/api/") ? 3 : 2)
  ).filter((word) => word !== "" && !word.startsWith("{"));
  return words.join("/") || "organizations";
}

/**
 * The members that docs/members.md lists of a type, such as `tiles.config`: their treatment is decided.
 * @param {string} type
 * @returns {Set<string>}
 */
export function membersInDocuments(type) {
  const page = readFileSync(inCheckout("docs", "members.md"), "utf8");
  const [, section = ""] = page.split(`\n## ${type}\n`);
  const [table = ""] = section.split("\n## ");
  const cells = table.matchAll(/^\| (`[\w.]+`(?:, `[\w.]+`)*) \|/gm);
  return new Set([...cells].flatMap(([, members = ""]) => members.match(/[\w.]+/g) ?? []));
}
