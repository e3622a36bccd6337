import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { typeNames } from "../../../provider/resources/registry";
import { programs as randomPrograms } from "../drift/outsideChanges";
import { programs as faultPrograms } from "../faults/resourceSteps";
import { validInputs } from "./validInputs";

/** What the tests know of each type, by the file that says it. */
const tables: { readonly [file: string]: object } = {
  "test/unit/resources/validInputs.ts": validInputs,
  "test/unit/faults/resourceSteps.ts": faultPrograms,
  "test/unit/drift/outsideChanges.ts": randomPrograms,
};

describe("every type of the registry", () => {
  for (const [file, table] of Object.entries(tables)) {
    it(`has an entry in ${file}`, () => {
      expect(Object.keys(table), `types in ${file}`).to.have.members(typeNames as string[]);
    });
  }

  for (const type of typeNames) {
    const file = `${type[0]?.toLowerCase()}${type.slice(1)}.test.ts`;
    it(`has a test of its rules: test/unit/resources/${file}`, () => {
      expect(existsSync(join(__dirname, file)), `test/unit/resources/${file} exists`).to.equal(true);
    });
  }
});
