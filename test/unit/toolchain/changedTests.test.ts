import { expect } from "chai";

describe("The tests of a change", () => {
  let testsOf: (changed: readonly string[]) => Promise<readonly string[]>;
  before(async () => {
    ({ testsOf } = await import("../../../toolchain/changedTests.mjs"));
  });

  it("a change selects the tests that import it through other files, and no others", async () => {
    const tests = await testsOf(["provider/resources/apiKey/rotation.ts"]);
    expect(tests).to.include("test/unit/resources/apiKeyRotation.test.ts");
    expect(tests).to.include("test/life/life.test.ts");
    expect(tests).to.not.include("test/unit/drawing/golden.test.ts");
  });

  it("a page selects the tests that name it, and a test itself", async () => {
    expect(await testsOf(["docs/resources.md"])).to.include("test/unit/documentation.test.ts");
    const own = "test/unit/descriptions.test.ts";
    expect(await testsOf([own])).to.deep.equal([own]);
    // The name must not stand here as it is.
    expect(await testsOf([`nobody/${"knows"}.txt`])).to.deep.equal([]);
  });
});
