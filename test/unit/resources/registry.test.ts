import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { typeNames } from "../../../provider/resources/registry";
import { examples, fileNameOf } from "./examples";

describe("every type of the registry", () => {
  it("comes before those that refer to it", () => {
    const pairs = [
      ["Dashboard", "Alert"],
      ["Connection", "Source"],
      ["Source", "Dashboard"],
      ["Source", "SavedSearch"],
      ["ApiKey", "QueryEndpoint"],
    ] as const;
    for (const [first, then] of pairs)
      expect(typeNames.indexOf(first), `${first} before ${then}`).to.be.below(typeNames.indexOf(then));
  });

  for (const type of typeNames) {
    it("has an example, by which the tests of all types know it", () => {
      expect(examples[type]).to.be.an("object");
    });

    const file = `${fileNameOf(type)}.test.ts`;
    it(`has a test of its rules: test/unit/resources/${file}`, () => {
      expect(existsSync(join(__dirname, file)), `test/unit/resources/${file} exists`).to.equal(true);
    });
  }
});
