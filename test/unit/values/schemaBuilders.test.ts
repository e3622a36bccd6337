import * as typebox from "@sinclair/typebox";
import { expect } from "chai";
import { Type } from "../../../provider/values/schemaBuilders";

const plain = (schema: unknown) => JSON.parse(JSON.stringify(schema));

describe("The builders of JSON schemas", () => {
  const cases: Record<string, (builder: typeof Type) => unknown> = {
    array: (type) => type.Array(type.String(), { minItems: 1, uniqueItems: true }),
    boolean: (type) => type.Boolean({ secret: true }),
    integer: (type) => type.Integer({ minimum: 1, maximum: 20, rule: "a number" }),
    literal: (type) => type.Union([type.Literal("word"), type.Literal(5), type.Literal(true)]),
    null: (type) => type.Null(),
    number: (type) => type.Number({ multipleOf: 4 }),
    "empty object": (type) => type.Object({}),
    object: (type) =>
      type.Object(
        {
          needed: type.String({ minLength: 1 }),
          optional: type.Optional(type.Number({ minimum: 0 })),
          nested: type.Optional(type.Object({ inside: type.Optional(type.Boolean()) }, { secret: true })),
        },
        { additionalProperties: false },
      ),
    "object without a required member": (type) => type.Object({ a: type.Optional(type.Unknown()) }),
    record: (type) => type.Record(type.String(), type.String(), { local: true }),
    string: (type) => type.String({ pattern: "^a", format: "date-time" }),
    union: (type) => type.Union([type.String(), type.Array(type.String())], { comparison: "set" }),
    unknown: (type) => type.Unknown({ title: "any" }),
    unsafe: (type) => type.Unsafe<string>({ type: "string", enum: ["a", "b"] }),
  };
  for (const [title, build] of Object.entries(cases)) {
    it(`a schema builder returns the same schema as TypeBox: ${title}`, () => {
      expect(plain(build(Type))).to.deep.equal(plain(build(typebox.Type as unknown as typeof Type)));
    });
  }

  it("the tests compare every schema builder of the provider with that of TypeBox", () => {
    const used = new Set<string>();
    const noting = new Proxy(Type, {
      get: (target, name) => used.add(String(name)) && Reflect.get(target, name),
    });
    for (const build of Object.values(cases)) build(noting);
    expect([...used].sort()).to.deep.equal(Object.keys(Type).sort());
  });
});
