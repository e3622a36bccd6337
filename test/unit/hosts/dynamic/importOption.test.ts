import { expect } from "chai";
import { ServiceScaling } from "../../../../provider/hosts/dynamic/serviceScaling";

// For an import the engine sends no provider code, and its dynamic host fails without this code. So the dynamic provider
// refuses the option `import`.
describe("The option import of a resource of the dynamic provider", () => {
  it("the dynamic provider refuses the option import of a singleton, and names the alternative", () => {
    expect(() => new ServiceScaling("scaling", { numReplicas: 3 }, { import: "s1" })).to.throw(
      "leave it out: the resource adopts the service's own",
    );
  });
});
