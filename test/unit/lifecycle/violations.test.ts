import Ajv, { type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import { expect } from "chai";
import fc from "fast-check";
import { violations } from "../../../provider/lifecycle/violations";
import { resources, typeNames } from "../../../provider/resources/registry";
import type { TSchema } from "../../../provider/typebox";
import { changed } from "../fuzz/weirdValues";
import type { JsonObject } from "../resources/example";
import { validInputs } from "../resources/validInputs";
import { validNote } from "./arbitraries";
import { noteInputs } from "./note";

/** A pointer to a place, and whether what is wrong there is that a list has equal entries. */
type Place = readonly [pointer: string, hasEqualEntries: boolean];

/** Where a checker of JSON Schema finds violations. */
function placesByAjv(schema: TSchema): (value: unknown) => Place[] {
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormats.call(undefined, ajv);
  const check = ajv.compile(schema);
  return (value) => {
    check(value);
    const errors = check.errors ?? [];
    const unions = errors
      .filter(({ keyword }) => keyword === "anyOf")
      .map(({ instancePath }) => instancePath);
    const isInUnion = ({ instancePath, keyword }: ErrorObject) =>
      keyword !== "anyOf" && unions.some((union) => `${instancePath}/`.startsWith(`${union}/`));
    return errors
      .filter((error) => error.keyword !== "if" && !isInUnion(error))
      .map(({ keyword, instancePath, params }) => {
        const name = params.missingProperty ?? params.additionalProperty;
        return [instancePath + (name === undefined ? "" : pointerTo([name])), keyword === "uniqueItems"];
      });
  };
}

function pointerTo(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Without equal entries of lists that have entries that are not even valid. */
function compared(places: Place[]): string[] {
  const told = places.filter(
    ([list, hasEqualEntries]) => !hasEqualEntries || !places.some(([place]) => place.startsWith(`${list}/`)),
  );
  return [...new Set(told.map(([place]) => place))].sort();
}

describe("Violations of a schema are those that a checker of JSON Schema finds:", () => {
  const schemas: { readonly [title: string]: readonly [TSchema, fc.Arbitrary<JsonObject>] } = {
    ...Object.fromEntries(
      typeNames.map((type) => [type, [resources[type].inputs, fc.constant(validInputs[type])]]),
    ),
    "one with rules of every kind": [noteInputs, validNote as fc.Arbitrary<JsonObject>],
  };
  for (const [title, [schema, valid]] of Object.entries(schemas)) {
    it(title, () => {
      const expected = placesByAjv(schema);
      fc.assert(
        fc.property(valid.chain(changed), (value) => {
          // That checker takes no number with an exponent for a multiple.
          fc.pre(!/\de\+/.test(JSON.stringify(value)));
          const found = [...violations(schema, value)].map(
            ({ keys, problem }): Place => [pointerTo(keys), typeof problem === "object"],
          );
          expect(compared(found)).to.deep.equal(compared(expected(value)));
        }),
        { numRuns: 100 },
      );
    });
  }
});
