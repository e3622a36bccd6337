import { expect } from "chai";

describe("The selection of tests for a change", () => {
  let testsOf: (changed: readonly string[]) => Promise<readonly string[]>;
  before(async () => {
    ({ testsOf } = await import("../../../toolchain/changedTests.mjs"));
  });

  it("a changed module selects exactly the tests that import it, directly or through other files", async () => {
    const tests = await testsOf(["provider/resources/apiKey/rotation.ts"]);
    expect(tests).to.include("test/unit/resources/apiKeyRotation.test.ts");
    expect(tests).to.include("test/life/life.test.ts");
    expect(tests).to.not.include("test/unit/drawing/golden.test.ts");
  });

  it("npm test -- changed selects the tests that name a changed page, and a changed test itself", async () => {
    expect(await testsOf(["docs/resources.md"])).to.include("test/unit/documentation.test.ts");
    const own = "test/unit/descriptions.test.ts";
    expect(await testsOf([own])).to.deep.equal([own]);
    // The test composes the file name, since the tested command would select this test if it contained the whole name.
    expect(await testsOf([`nobody/${"knows"}.txt`])).to.deep.equal([]);
  });
});
