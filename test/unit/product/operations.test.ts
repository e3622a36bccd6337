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

type Api = Operation["api"];

const tables: { readonly [api in Api]: TableName } = { management: "cloud", observability: "server" };

const anonymous = (request: string) => request.replace(/\{\w+\}/g, "{}");

interface Documented {
  readonly table: TableName;
  /** Its method and path in the document. */
  readonly request: string;
  readonly documented: ProductOperation;
}

/** The operation in the product's document of an API; undefined where that has none. */
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

/** The permissions of the operations of ClickHouse Cloud, as a module. */
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
    `  readonly [operation: string]: readonly \`\${"organization" | "service"}:\${string}\`[] | undefined;`,
    "} = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

/** A value with every member that a schema names, and one entry in each list: documents hardly say what answers always have. */
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

/** A successful answer to an operation as the document has it. */
function answerTo({ table, request }: Documented, name: OperationName, status: number) {
  const isDeletion = operations[name].method === "DELETE";
  const sample = isDeletion ? {} : (sampleOf(answerOf(table, request)) as object);
  return { ...sample, ...(table === "cloud" && { status, requestId: "r" }) };
}

const plain = (text: string) => text;
const responseWith = (status: number, body: unknown) => ({ status, headers: {}, data: JSON.stringify(body) });

/** The words of a refusal in the envelope of an API. */
const refusalIn = (api: Api, status: number, words: string) =>
  api === "management" ? { status, error: words, requestId: "r" } : { message: words };

describe("The operations of the provider", () => {
  it("the permission that a refusal names is that of the table (npm run golden writes them)", () => {
    expectMade("provider/api/permissions.ts", permissionsModule());
  });

  for (const name of names)
    for (const api of apis) {
      const place = documentedOn(api, name);
      if (place === undefined) continue;
      const { table, request, documented } = place;
      const operation = operationOn(api, name);
      const called = { operation: name, method: operation.method, path: operation.path } as never;

      it(`${name} takes the statuses and the answer that the documents of the ${api} API have`, () => {
        for (const status of Object.keys(documented.answers).map(Number))
          payloadOf(operation, called, responseWith(status, answerTo(place, name, status)), plain);
      });

      it(`${name} tells the refusals of the ${api} API from those of others, by their documented statuses`, () => {
        const refused = { dialect: dialects.clickhouse, isAddressRight: true };
        const words = { 400: "Invalid body", 403: "Forbidden", 409: "Conflict", 422: "Unprocessable" };
        for (const [status, text] of Object.entries(words).filter(([status]) =>
          documented.errors.includes(Number(status)),
        )) {
          const answer = responseWith(Number(status), refusalIn(api, Number(status), text));
          const error = refusalOf(operation, called, answer, plain, refused);
          // On the observability API a gateway may say 403 and 409.
          const isForeign = api === "observability" && status !== "400";
          expect(error, `${status}`).to.be.instanceOf(isForeign ? ForeignRefusal : RefusedRequest);
        }
      });

      if (operation.object !== undefined)
        it(`${name} of the ${api} API knows a missing object by status 404`, () => {
          expect(api === "observability" || documented.errors.length > 0).to.equal(true);
          const { object = "" } = operation;
          const isBare = api === "observability" && ["dashboard", "connection"].includes(object);
          const data = isBare ? "Not Found" : JSON.stringify(refusalIn(api, 404, `${object} not found`));
          const refused = { dialect: dialects.clickhouse, isAddressRight: true };
          const error = refusalOf(operation, called, { status: 404, headers: {}, data }, plain, refused);
          expect(error).to.be.instanceOf(MissingObject);
        });

      if (name.startsWith("list") && api === "management")
        it(`${name} is read page by page as the product's documents have it`, () => {
          const { by, maximum } = pagingOf(table, request);
          const known: Operation = operations[name];
          expect([known.hasOffsets === true, known.pageSize]).to.deep.equal([
            by === "offset",
            by === "cursor" ? maximum : undefined,
          ]);
        });
    }
});
