import Ajv from "ajv";
import { expect } from "chai";
import fc from "fast-check";
import { operations } from "../../../provider/api/operations";
import type { TSchema } from "../../../provider/values/schemaBuilders";
import { mismatch } from "../../../provider/values/shape";

/** Generates values that fit a schema, or that do not fit it at some path. */
function almost(schema: TSchema): fc.Arbitrary<unknown> {
  const fitting = () => {
    if (schema.type === "array") return fc.array(almost(schema.items), { maxLength: 3 });
    if (schema.type !== "object")
      return schema.type === "string" ? fc.string({ maxLength: 2 }) : fc.jsonValue();
    const members = Object.entries<TSchema>(schema.properties).map(([name, member]) => [
      name,
      almost(member),
    ]);
    return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: [],
    });
  };
  return fc.oneof({ weight: 9, arbitrary: fitting() }, { weight: 1, arbitrary: fc.jsonValue() });
}

describe("The check of an answer's shape", () => {
  for (const [name, operation] of Object.entries(operations)) {
    if (!("response" in operation)) continue;
    const { response } = operation;
    it(`the shape of ${name} accepts the same answers as a checker of JSON Schema`, () => {
      const check = new Ajv({ strict: false }).compile(response);
      fc.assert(
        fc.property(almost(response), (answer) => {
          expect(mismatch(response, answer, "result") === undefined).to.equal(check(answer));
        }),
      );
    });
  }

  it("the check of an answer's shape names the first path with a wrong shape", () => {
    const { response } = operations.createKey;
    expect(mismatch(response, { key: { id: "a" } }, "result")).to.equal(undefined);
    expect(mismatch(response, { key: { id: "" } }, "result")).to.equal("result.key.id must not be empty");
    expect(mismatch(response, { key: [] }, "result")).to.equal("result.key must be an object");
    expect(mismatch(response, {}, "result")).to.equal('result has no member "key"');
  });
});
