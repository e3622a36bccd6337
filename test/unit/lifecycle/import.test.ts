import { expect } from "chai";
import { declarationOf, readImportId } from "../../../provider/lifecycle/read";
import type { Resource } from "../../../provider/lifecycle/resource";
import { resources } from "../../../provider/resources/registry";
import { defaultsIn } from "../../../provider/values/compare";
import type { Data } from "../../../provider/values/data";

describe("The id of an import", () => {
  for (const [type, text, id, scope] of [
    ["Alert", "a1", "a1", {}],
    ["Alert", "o1/s1/a1", "a1", { organizationId: "o1", serviceId: "s1" }],
    ["ApiKey", "o1/k1", "k1", { organizationId: "o1" }],
    ["ServiceScaling", "s1", "s1", { serviceId: "s1" }],
    ["QueryEndpoint", "o1/s1", "s1", { organizationId: "o1", serviceId: "s1" }],
  ] as const)
    it(`the import id ${text} means one ${type}`, () => {
      expect(readImportId(resources[type], text)).to.deep.equal({ id, scope });
    });

  for (const [type, text, form] of [
    ["Alert", "s1/a1", "organizationId/serviceId/id"],
    ["Alert", "o1//a1", "organizationId/serviceId/id"],
    ["Alert", "", "organizationId/serviceId/id"],
    ["ApiKey", "o1/s1/k1", "organizationId/id"],
    ["QueryEndpoint", "o1/s1/q1", "organizationId/serviceId"],
  ] as const)
    it(`refuses the import id "${text}" for ${type} with the forms that exist`, () => {
      expect(() => readImportId(resources[type], text)).to.throw(`or "${form}"`);
    });
});

describe("The declaration of an imported object", () => {
  for (const [type, resource] of Object.entries<Resource>(resources)) {
    const defaults = Object.entries(defaultsIn(resource.inputs)).filter(([, value]) => value !== null);
    // The members that every object of its type has.
    const whole: Data = type === "Dashboard" ? { tiles: [] } : {};
    for (const [name, value] of defaults)
      it(`an import leaves out a member that has its default: ${name} of the type ${type}`, () => {
        expect(declarationOf(resource, { ...whole, [name]: value })).to.not.have.property(name);
      });
  }

  it("an import declares what differs from a default, in the order in which the type has its members", () => {
    const found = { whereLanguage: "sql", tags: [], select: "Body", where: "", orderBy: "", name: "Errors" };
    expect(Object.entries(declarationOf(resources.SavedSearch, found))).to.deep.equal([
      ["name", "Errors"],
      ["select", "Body"],
      ["whereLanguage", "sql"],
    ]);
  });
});
