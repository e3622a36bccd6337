import { expect } from "chai";
import fc from "fast-check";
import type { FoundObject } from "../../../../cli/import/discover";
import { nameObjects } from "../../../../cli/import/names";
import type { TypeName } from "../../../../provider/resources/registry";

const object = (type: TypeName, name?: string): FoundObject => ({
  ...{ type, id: "1", declared: name === undefined ? {} : { name }, state: {} },
});
const named = (...objects: FoundObject[]) =>
  nameObjects(objects).map(({ name, variable }) => [name, variable]);

/** Keywords, globals, and names that a generated program uses itself. */
const taken = ["class", "await", "process", "require", "pipestack", "escape"];

describe("Variable names in a generated program", () => {
  it("a variable is named after the type of an object without a usable name", () => {
    expect(named(object("QueryEndpoint"), object("ApiKey", "数据"), object("ApiKey", "!"))).to.deep.equal([
      ["query-endpoint", "queryEndpoint"],
      ["api-key", "apiKey"],
      ["api-key-2", "apiKey2"],
    ]);
  });

  it("the variables of objects with the same name differ by type and number", () => {
    const names = named(
      object("Dashboard", "Errors"),
      object("Alert", "Errors"),
      object("Alert", "errors!"),
      object("Alert", "ERRORS"),
    );
    expect(names).to.deep.equal([
      ["errors", "errors"],
      ["errors", "errorsAlert"],
      ["errors-2", "errorsAlert2"],
      ["errors-3", "errorsAlert3"],
    ]);
  });

  it("variable names have no accents", () => {
    expect(named(object("Dashboard", "Büro Zürich"))).to.deep.equal([["buro-zurich", "buroZurich"]]);
  });

  it("variable names begin with a letter", () => {
    expect(named(object("Dashboard", "2nd floor"))).to.deep.equal([["2nd-floor", "dashboard2ndFloor"]]);
  });

  it("variable names are unique, valid, short and no keywords or globals for any names of objects", () => {
    const type = fc.constantFrom<TypeName[]>("ApiKey", "Dashboard", "Alert");
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom("a", "A", "a 2", "a-2", "new", "1", "alert", "a alert", "service id", ...taken),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(type, name), { maxLength: 30 }), (all) => {
        const results = nameObjects(all.map(([ofType, own]) => object(ofType, own)));
        const variables = results.map(({ variable }) => variable);
        expect(new Set(variables).size).to.equal(all.length);
        expect(new Set(results.map((result) => `${result.type} ${result.name}`)).size).to.equal(all.length);
        for (const { type: ofType, name: own, variable } of results) {
          expect([...taken, "serviceId"]).to.not.include(variable);
          expect(() => new Function(`"use strict"; const ${variable} = 1;`)).to.not.throw();
          expect(`const ${variable} = new pipestack.${ofType}("${own}", {`).to.have.length.at.most(100);
        }
      }),
      { numRuns: 300 },
    );
  });
});
