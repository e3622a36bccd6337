import Ajv from "ajv";
import addFormats from "ajv-formats";
import { expect } from "chai";
import fc from "fast-check";
import { declarable } from "../../../provider/resources/registry";
import { validatorOf } from "../../../provider/values/validators";
import { changed } from "../fuzz/weirdValues";
import { validInputs } from "../resources/validInputs";

describe("A validator that compiles what a value has", () => {
  const whole = new Ajv({ allErrors: true, verbose: true, strict: false, strictNumbers: true });
  addFormats.call(undefined, whole);

  for (const [type, valid] of Object.entries(validInputs)) {
    it(`finds in changed inputs of ${type} what a validator of the whole schema finds, in its order`, () => {
      const { inputs } = declarable[type as keyof typeof declarable];
      const expected = whole.compile(inputs);
      const found = validatorOf(inputs);
      expect(found(valid)).to.equal(true);
      fc.assert(
        fc.property(changed(valid), (declared) => {
          expect(found(declared)).to.equal(expected(declared));
          const errors = [found, expected].map((validator) =>
            validator.errors?.map(({ instancePath, keyword, params }) => ({ instancePath, keyword, params })),
          );
          expect(errors[0]).to.deep.equal(errors[1]);
        }),
        { numRuns: 50 },
      );
    });
  }
});
