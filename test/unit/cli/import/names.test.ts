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

describe("Variable names in a generated program", () => {
  it("variables of a generated program are named after the objects", () => {
    expect(named(object("Alert", "Slow queries (p95)"))).to.deep.equal([
      ["slow-queries-p95", "slowQueriesP95"],
    ]);
  });

  it("a variable is named after the type if the object has no name, or none in letters that a variable can have", () => {
    expect(named(object("QueryEndpoint"), object("ApiKey", "数据"), object("ApiKey", "!"))).to.deep.equal([
      ["query-endpoint", "queryEndpoint"],
      ["api-key", "apiKey"],
      ["api-key-2", "apiKey2"],
    ]);
  });

  it("variables of objects with the same name differ by the type, and then by a number", () => {
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

  it("variable names differ from keywords, globals and names that the generated program uses itself", () => {
    const words = ["class", "await", "process", "require", "pipestack", "serviceId", "Escape"];
    for (const word of words) {
      const [[, variable] = []] = named(object("Dashboard", word.replace("serviceId", "service id")));
      expect(variable).to.match(/^[a-z]+(Id)?Dashboard$/i);
    }
  });

  it("variable names have no accents, and begin with a letter", () => {
    expect(named(object("Dashboard", "Büro Zürich"), object("Dashboard", "2nd floor"))).to.deep.equal([
      ["buro-zurich", "buroZurich"],
      ["2nd-floor", "dashboard2ndFloor"],
    ]);
  });

  it("variable names are unique, valid and short for any names of objects", () => {
    const type = fc.constantFrom<TypeName[]>("ApiKey", "Dashboard", "Alert");
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom("a", "A", "a 2", "a-2", "new", "1", "alert", "a alert"),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(type, name), { maxLength: 30 }), (all) => {
        const results = nameObjects(all.map(([ofType, own]) => object(ofType, own)));
        const variables = results.map(({ variable }) => variable);
        expect(new Set(variables).size).to.equal(all.length);
        expect(new Set(results.map((result) => `${result.type} ${result.name}`)).size).to.equal(all.length);
        for (const { type: ofType, name: own, variable } of results) {
          expect(() => new Function(`"use strict"; const ${variable} = 1;`)).to.not.throw();
          expect(`const ${variable} = new pipestack.${ofType}("${own}", {`).to.have.length.at.most(100);
        }
      }),
      { numRuns: 300 },
    );
  });
});
