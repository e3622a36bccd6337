import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { Dashboard } from "../../../../provider/hosts/dynamic/dashboard";
import { ServiceScaling } from "../../../../provider/hosts/dynamic/serviceScaling";

// For an import the engine sends no provider code, and its dynamic host fails without this code. So the dynamic provider
// refuses the option `import`.
describe("The option import of a resource of the dynamic provider", () => {
  it("the dynamic provider refuses the option import, and names the alternative", () => {
    expect(() => new Dashboard("board", { name: "Board", tiles: [] }, { import: "66f0c2d8a1b2c3d4e5f60718" }))
      .to.throw(pulumi.RunError, 'Dashboard "board": the option import works with the resource plugin only')
      .with.property("message")
      .that.includes("adoptId");
    expect(() => new ServiceScaling("scaling", { numReplicas: 3 }, { import: "s1" })).to.throw(
      "leave it out: the resource adopts the service's own",
    );
  });
});
