import { expect } from "chai";
import fc from "fast-check";
import { type TypeName, typeNames } from "../../../provider/resources/registry";
import { useHost } from "../hosts/dynamic/hostProcess";
import type { Json } from "../resources/example";
import { pathsIn, validInputs, withChange } from "../resources/validInputs";

/** Values that programs in plain JavaScript get wrong most. */
const suspicious: readonly Json[] = [
  ...[null, "", " ", [], {}, [null], [[]], -1, 1e308, "__proto__", "[\n", { __proto__: null }],
];
const anything = fc.oneof(fc.constantFrom(...suspicious), fc.jsonValue() as fc.Arbitrary<Json>);

describe("the check of a resource with any JSON", () => {
  const host = useHost();

  async function expectPlainFailures(type: TypeName, inputs: object) {
    const { failures = [] } = await host.current[type].check({}, inputs);
    const reasons = failures.map(({ reason }) => reason);
    expect(reasons, "one failure for each property").to.deep.equal([...new Set(reasons)]);
    for (const { reason } of failures) {
      expect(reason).to.match(/(^| )(must be|is|has|contains) \S|^and \d+ more invalid propert/);
      expect(reason).not.to.match(/\[object |undefined|Symbol\(|\n|\bat .*:\d+:\d+/);
    }
    return failures;
  }

  for (const type of typeNames) {
    it(`answers any value at any place of a valid ${type}, and says which place it is`, () =>
      fc.assert(
        fc.asyncProperty(fc.constantFrom(...pathsIn(validInputs[type])), anything, async (path, value) => {
          const failures = await expectPlainFailures(type, withChange(validInputs[type], path, value));
          const [top = ""] = path.split(/[.[]/);
          // Some rules bind two properties, and then name the one that has to change. Of very many, a number is given.
          const bound = ["minTotalMemoryGb", "dashboardId", "tileId", "and"];
          for (const { reason } of failures) {
            const about = reason.split(/[ .[]/)[0] ?? "";
            expect([top, ...bound], `${path} = ${JSON.stringify(value)}`).to.include(about);
          }
        }),
        { numRuns: 500 },
      ));
  }

  it("warns in plain words", () => {
    for (const line of host.warnings) expect(line).not.to.match(/\[object |undefined|Symbol\(/);
  });
});
