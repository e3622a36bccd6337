import { expect } from "chai";
import {
  answerOf,
  operationAt,
  type Operation as ProductOperation,
  pagingOf,
  type Schema,
  type TableName,
  tableOf,
} from "../../../product/read";
import { dialects, pathIn } from "../../../provider/api/dialect";
import { ForeignRefusal, MissingObject, RefusedRequest } from "../../../provider/api/errors";
import type { Operation } from "../../../provider/api/operation";
import { type OperationName, operationOn, operations } from "../../../provider/api/operations";
import { payloadOf, refusalOf } from "../../../provider/api/responses";
import { isObject } from "../../../provider/values/json";
import { expectMade } from "../../golden";
import { answersModule } from "./answerTypes";

type Api = Operation["api"];

const tables: { readonly [api in Api]: TableName } = { management: "cloud", observability: "server" };

const anonymous = (request: string) => request.replace(/\{\w+\}/g, "{}");

interface Documented {
  readonly table: TableName;
  readonly request: string;
  readonly documented: ProductOperation;
}

/** Finds the operation in the API document of ClickHouse Cloud or HyperDX; undefined if the document lacks it. */
function documentedOn(api: Api, name: OperationName): Documented | undefined {
  const { method, path, api: served } = operationOn(api, name);
  if (served !== api) return undefined;
  const request = anonymous(`${method} ${pathIn(dialects.clickhouse, path)}`);
  const table = tables[api];
  const found = Object.keys(tableOf(table).operations).find((candidate) => anonymous(candidate) === request);
  if (found === undefined) throw new Error(`the documents have no ${request}`);
  return { table, request: found, documented: operationAt(table, found) };
}

const names = Object.keys(operations) as OperationName[];
const apis = ["management", "observability"] as const;

/** Makes the text of the generated module with the permissions that each operation needs on ClickHouse Cloud. */
function permissionsModule(): string {
  const lines = names.flatMap((name) => {
    const { permissions = [] } = documentedOn("management", name)?.documented ?? {};
    const texts = permissions.map((permission) => `"${permission.replace("control-plane:", "")}"`);
    return texts.length === 0 ? [] : [`  ${name}: [${texts.join(", ")}],`];
  });
  return [
    "// Made of product/cloud.json by `npm run golden`.",
    "",
    "/** The permissions that each operation takes on ClickHouse Cloud, without their `control-plane:`. */",
    `export const permissions: {`,
    "  readonly [operation: string]:",
    `    | readonly \`\${"organization" | "service" | "postgres-service"}:\${string}\`[]`,
    "    | undefined;",
    "} = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

/**
 * Makes a value with every property of a schema, and one element in each list, since API documents hardly say which properties
 * are always present.
 */
function sampleOf(schema: Schema): unknown {
  const [part] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const type = [schema.type].flat()[0] ?? (schema.properties || schema.allOf ? "object" : undefined);
  if (schema.enum) return schema.enum[0];
  if (type === "array") return schema.items ? [sampleOf(schema.items)] : [];
  if (type === "object") {
    const own = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sampleOf(member)]);
    const parts = [...(schema.allOf ?? []), ...(part ? [part] : [])].map(sampleOf);
    return Object.assign({}, ...parts.filter(isObject), Object.fromEntries(own));
  }
  if (part) return sampleOf(part);
  return { string: "text", integer: 1, number: 1, boolean: true, null: null }[type ?? "string"];
}

function answerTo({ table, request }: Documented, name: OperationName, status: number) {
  const isDeletion = operations[name].method === "DELETE";
  const sample = isDeletion ? {} : (sampleOf(answerOf(table, request)) as object);
  return { ...sample, ...(table === "cloud" && { status, requestId: "r" }) };
}

const plain = (text: string) => text;
const responseWith = (status: number, body: unknown) => ({ status, headers: {}, data: JSON.stringify(body) });

/** The files with which operations are answered in place of JSON. */
const files: { readonly [name in OperationName]?: string } = {
  getPostgresCertificates: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
};

const refusalIn = (api: Api, status: number, words: string) =>
  api === "management" ? { status, error: words, requestId: "r" } : { message: words };

describe("The operations of the provider", () => {
  it("the permissions of operations equal those of the product's table (npm run golden writes them)", () => {
    expectMade("provider/api/permissions.ts", permissionsModule());
  });

  it("the types of answers equal the schemas of the product's table (npm run golden writes them)", () => {
    const results = names.map((name) => {
      const [answer] = Object.values(documentedOn("management", name)?.documented.answers ?? {});
      return [name, answer?.properties?.result] as const;
    });
    expectMade("provider/api/answers.golden.ts", answersModule(new Map(results)));
  });

  for (const name of names)
    for (const api of apis) {
      const place = documentedOn(api, name);
      if (place === undefined) continue;
      const { table, request, documented } = place;
      const operation = operationOn(api, name);
      const called = { operation: name, method: operation.method, path: operation.path } as never;

      it(`the client accepts the documented statuses and answer of ${name} on the ${api} API`, () => {
        for (const status of Object.keys(documented.answers).map(Number)) {
          const answer = responseWith(status, answerTo(place, name, status));
          payloadOf(operation, called, { ...answer, data: files[name] ?? answer.data }, plain);
        }
      });

      it(`the client tells refusals of ${name} by the ${api} API from those of a gateway`, () => {
        const refused = { dialect: dialects.clickhouse, isAddressRight: true };
        const words = { 400: "Invalid body", 403: "Forbidden", 409: "Conflict", 422: "Unprocessable" };
        for (const [status, text] of Object.entries(words).filter(([status]) =>
          documented.errors.includes(Number(status)),
        )) {
          const answer = responseWith(Number(status), refusalIn(api, Number(status), text));
          const error = refusalOf(operation, called, answer, plain, refused);
          // A gateway in front of the observability API may itself answer 403 or 409, so only 400 is certainly the API's own
          // refusal.
          const isForeign = api === "observability" && status !== "400";
          expect(error, `${status}`).to.be.instanceOf(isForeign ? ForeignRefusal : RefusedRequest);
        }
      });

      if (operation.object !== undefined)
        it(`the client recognizes a missing object of ${name} on the ${api} API by status 404`, () => {
          expect(api === "observability" || documented.errors.length > 0).to.equal(true);
          const { object = "" } = operation;
          const isBare = api === "observability" && ["dashboard", "connection"].includes(object);
          const data = isBare ? "Not Found" : JSON.stringify(refusalIn(api, 404, `${object} not found`));
          const refused = { dialect: dialects.clickhouse, isAddressRight: true };
          const error = refusalOf(operation, called, { status: 404, headers: {}, data }, plain, refused);
          expect(error).to.be.instanceOf(MissingObject);
        });

      if (name.startsWith("list") && api === "management")
        it(`the client reads the pages of ${name} as the product's documents describe`, () => {
          const { by, maximum } = pagingOf(table, request);
          const known: Operation = operations[name];
          expect([known.hasOffsets === true, known.pageSize]).to.deep.equal([
            by === "offset",
            by === "cursor" ? maximum : undefined,
          ]);
        });
    }
});
