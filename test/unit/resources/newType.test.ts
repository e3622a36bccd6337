import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tableOf } from "../../../product/read";
import { type OperationName, operations } from "../../../provider/api/operations";
import * as programs from "../../../provider/index";
import type { Resource } from "../../../provider/lifecycle/resource";
import { operationsOf } from "../../../provider/lifecycle/resource";
import { type DeclarableName, declarable, sets } from "../../../provider/resources/registry";
import { plural } from "../../../provider/values/wording";
import { Model } from "../../../sandbox/core/model";
import { collectionNames } from "../../../sandbox/core/resources/registry";
import { requestOfOperation } from "../../productJudge";
import { judgedTypes, kindOf } from "../../promises/kinds";
import { draws } from "../../simulation/draws";

const checkout = join(__dirname, "..", "..", "..");
const read = (path: string) => readFileSync(join(checkout, path), "utf8");
const exists = (path: string) => existsSync(join(checkout, path));

const models = (["clickhouse", "neutral"] as const).map((dialect) => new Model({ dialect }));

interface Subject {
  readonly type: DeclarableName;
  /** The first part of the type's file names, such as `apiKey`. */
  readonly name: string;
  readonly definition: Resource;
  /** The operations of the type's own objects. */
  readonly own: readonly OperationName[];
}

/** The places that a type needs beside its definition, in the order of CONTRIBUTING.md. Each says what it lacks, and where. */
const places: readonly ((subject: Subject) => string | undefined)[] = [
  ({ type, name }) =>
    type in programs
      ? undefined
      : `${type} has no class for programs: add it in provider/hosts/dynamic/${name}.ts and export that from provider/index.ts`,

  ({ type }) =>
    exists(`toolchain/cli/sdk-generator/examples/${type}.pp`)
      ? undefined
      : `${type} has no example for the plugin: add toolchain/cli/sdk-generator/examples/${type}.pp and run npm run sdk -- --examples`,

  ({ type, name, own }) => {
    const missing = own.filter((operation) => !isServed(operation));
    return missing.length === 0
      ? undefined
      : `the sandbox does not serve ${missing.join(", ")} of ${type}: add sandbox/core/resources/${plural(name)}.ts and name it in sandbox/core/resources/registry.ts`;
  },

  ({ type, own }) => {
    const kind = kindOf(type);
    return !isJudged(type) || !own.every(isServed) || collectionNames.includes(kind)
      ? undefined
      : `the sandbox has no collection ${kind} of the objects of ${type}: call it so in sandbox/core/resources/registry.ts, or name the one that it has in otherNames of test/promises/kinds.ts`;
  },

  ({ type, own }) => {
    const unknown = own.filter((operation) => requestOf(operation) === undefined);
    return unknown.length === 0
      ? undefined
      : `the judge of requests does not know ${unknown.join(", ")} of ${type}: name their path in places of test/productJudge.ts`;
  },

  ({ type, own }) => {
    const documented = new Set(
      (["cloud", "server"] as const).flatMap((table) => Object.keys(tableOf(table).operations)),
    );
    const requests = own.map(requestOf).filter((request) => request !== undefined);
    const unknown = requests.filter((request) => !documented.has(request));
    return unknown.length === 0
      ? undefined
      : `no document of the product has ${unknown.join(", ")} of ${type}: correct the path in test/productJudge.ts and provider/api/operations.ts, or take over newer documents with node product/update.mjs`;
  },

  ({ type, name }) =>
    type in sets || exists(`test/unit/resources/${name}.example.ts`)
      ? undefined
      : `${type} has no example, without which no test of all types runs: add test/unit/resources/${name}.example.ts, which exports ${name}Example`,

  ({ type, name, definition: { failures, warnings } }) =>
    (!failures && !warnings) || exists(`test/unit/resources/${name}.test.ts`)
      ? undefined
      : `the rules of ${type} have no tests: add test/unit/resources/${name}.test.ts`,

  ({ type }) =>
    !isJudged(type) || type in draws
      ? undefined
      : `no simulated history has ${type}: add what they draw of it to test/simulation/draws.ts`,

  ({ type }) =>
    read("docs/resources.md").includes(`\n| \`${type}\` |`)
      ? undefined
      : `no page says what ${type} is: add a row to docs/resources.md`,

  ({ type }) => {
    const named: readonly (readonly [file: string, text: string])[] = [
      ["provider/schema.json", `"pipestack:index:${type}": {`],
      ["docs/roles.md", `\`${type}\``],
      ["llms.txt", `\n- ${type}: `],
    ];
    const missing = named.filter(([file, text]) => !read(file).includes(text)).map(([file]) => file);
    return missing.length === 0
      ? undefined
      : `${type} is not in ${missing.join(", ")}, which are made of the definitions: run npm run build && npm run golden`;
  },
];

function isServed(operation: OperationName): boolean {
  return models.some(({ apis }) => Object.values(apis).some((api) => api.routeOf(operation)));
}

function isJudged(type: DeclarableName): boolean {
  return judgedTypes.some((judged) => judged === type);
}

/** The request that the product's documents have for an operation, if the judge knows its path. */
function requestOf(operation: OperationName): string | undefined {
  try {
    return requestOfOperation(operations[operation].api, operation);
  } catch {
    return undefined;
  }
}

describe("What a resource type needs beside its definition", () => {
  for (const type of Object.keys(declarable) as DeclarableName[])
    it(`${type} has all that a type needs`, () => {
      const definition: Resource = declarable[type];
      const name = type.charAt(0).toLowerCase() + type.slice(1);
      const own = operationsOf({ operations: definition.operations });
      const lacking = places.flatMap((lackOf) => lackOf({ type, name, definition, own }) ?? []);
      if (lacking.length > 0) throw new Error(lacking.join("\n"));
    });
});
