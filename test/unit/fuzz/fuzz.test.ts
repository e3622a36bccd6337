import { expect } from "chai";
import { fuzzAnswers } from "./answers";
import { casesSoFar, oneOf } from "./cases";
import { fuzzCommands } from "./commands";
import { fuzzFunctions } from "./functions";
import { fuzzResources } from "./resources";
import { fuzzSettings } from "./settings";

describe("Fuzz tests", () => {
  fuzzResources();
  fuzzFunctions();
  fuzzSettings();
  fuzzAnswers();
  fuzzCommands();

  // Mocha runs the tests of a block before its inner blocks. The test that counts fuzzed cases must run last, so it is in an
  // inner block.
  describe("The count of fuzzed cases", () => {
    it("the fuzz tests have tried a fifth of 10,000 cases, or all of them", () => {
      expect(casesSoFar()).to.be.at.least(10_000 / oneOf);
    });
  });
});
