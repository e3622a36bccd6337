import { expect } from "chai";
import { fuzzAnswers } from "./answers";
import { casesSoFar } from "./cases";
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

  // Tests of a block run before the blocks in it, and this one has to come last.
  describe("the count of cases", () => {
    it("the fuzz tests have tried at least 10,000 cases", () => {
      expect(casesSoFar()).to.be.at.least(10_000);
    });
  });
});
