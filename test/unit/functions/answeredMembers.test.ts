import { expect } from "chai";
import { readDescriptions } from "../../../provider/descriptions";
import { callFunction, type FunctionDefinition } from "../../../provider/functions/definition";
import { type FunctionName, functions } from "../../../provider/functions/registry";
import type { PropertyMap } from "../../../provider/values/data";
import type { TSchema } from "../../../provider/values/schemaBuilders";
import { createSandbox, type Policy, type Sandbox } from "../../../sandbox/index";
import { Service } from "../faults/faultyService";
import { furnish } from "../faults/furnish";
import { postgresServiceId } from "../resources/postgresService.example";

const wanted: { readonly [name in FunctionName]?: PropertyMap } = {
  getUdfVersions: { functionName: "others_function" },
  getPostgresBackups: { postgresServiceId },
};

const lists = (Object.keys(functions) as FunctionName[]).filter(
  (name) => functions[name].result.type === "array" && name !== "getChartSeries",
);

/**
 * Lists the properties of an API's answer that a schema does not name. A property of a union counts as named if any part names
 * it.
 */
function unnamed(value: unknown, schema: TSchema, path = ""): string[] {
  const parts: TSchema[] = [schema, ...(schema.anyOf ?? []), ...(schema.kinds ?? [])];
  if (Array.isArray(value)) {
    const items = parts.find((part) => part.items)?.items;
    return items ? value.flatMap((entry) => unnamed(entry, items, `${path}[]`)) : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const named = parts.filter((part) => part.properties);
  if (named.length === 0) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const found = named.flatMap((part) => part.properties[name] ?? []);
    const inside = `${path}.${name}`;
    if (found.length === 0) return [inside];
    return found.map((one) => unnamed(member, one, inside)).sort((a, b) => a.length - b.length)[0] ?? [];
  });
}

describe("The properties of functions' results", () => {
  const dialect = "clickhouse";
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await createSandbox({ dialect });
    furnish(new Service(sandbox, { dialect }));
    const tags = { grants: ["GRANT SELECT ON default.*"], roleV2: "sql-console-readonly" };
    const policy: Policy = { id: "1", allowDeny: "ALLOW", permissions: [], resources: ["instance/*"], tags };
    for (const role of [...sandbox.store.roles.values()])
      sandbox.store.roles.set(role.id, { ...role, policies: [policy] });
  });
  after(() => sandbox.close());

  for (const name of Object.keys(functions) as FunctionName[])
    it(`the declared type of ${name}'s result has the properties that its schema has`, () => {
      const { result }: FunctionDefinition = functions[name];
      const declared = Object.keys(readDescriptions().functions[name]?.result ?? {});
      expect(declared.filter((path) => !path.includes(".")).sort()).to.deep.equal(
        Object.keys((result.items ?? result).properties).sort(),
      );
    });

  for (const observabilityVia of ["management", "observability"])
    for (const name of lists)
      it(`the result type of ${name} has each property that the product answers through the ${observabilityVia} API`, async () => {
        const definition = functions[name] as FunctionDefinition;
        const session = new Service(sandbox, { dialect, observabilityVia }).session();
        const result = await callFunction(definition, wanted[name] ?? {}, session);
        expect(result).to.not.deep.equal([]);
        expect([...new Set(unnamed(result, definition.result))]).to.deep.equal([]);
      });
});
