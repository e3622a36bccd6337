import { expect } from "chai";
import { pagingOf, type TableName, tableOf } from "../../../product/read";
import { dialects, pathIn } from "../../../provider/api/dialect";
import {
  type Operation,
  type OperationName,
  operationOn,
  operations,
} from "../../../provider/api/operations";

const tables: { readonly [api in Operation["api"]]: TableName } = {
  management: "cloud",
  observability: "server",
};

const anonymous = (request: string) => request.replace(/\{\w+\}/g, "{}");

/** The operation of the product's document of an API, with its name there; undefined where that has none. */
function documented(api: Operation["api"], name: OperationName) {
  const { method, path, api: served } = operationOn(api, name);
  if (served !== api) return undefined;
  const request = anonymous(`${method} ${pathIn(dialects.clickhouse, path)}`);
  const entries = Object.entries(tableOf(tables[api]).operations);
  const [found, operation] = entries.find(([candidate]) => anonymous(candidate) === request) ?? [];
  if (found === undefined || operation === undefined) throw new Error(`the documents have no ${request}`);
  return { request: found, operation };
}

describe("The operations of the provider", () => {
  for (const name of Object.keys(operations) as OperationName[]) {
    const known: Operation = operations[name];

    it(`${name} is in the product's documents, with its permission`, () => {
      const [cloud] = [documented("management", name), documented("observability", name)];
      const [permission] = cloud?.operation.permissions ?? [];
      expect(known.permission).to.equal(permission?.replace("control-plane:", ""));
    });

    if (name.startsWith("list"))
      it(`${name} is read page by page as the product's documents have it`, () => {
        const { request } = documented("management", name) ?? {};
        if (request === undefined) return;
        const { by, maximum } = pagingOf("cloud", request);
        expect([known.hasOffsets === true, known.pageSize]).to.deep.equal([
          by === "offset",
          by === "cursor" ? maximum : undefined,
        ]);
      });
  }
});
