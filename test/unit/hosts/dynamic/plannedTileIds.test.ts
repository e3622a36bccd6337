import { expect } from "chai";
import { dashboardResource } from "../../../../provider/resources/dashboard/dashboard";

it("a plan looks at the known ids of a large dashboard as often for each tile as at those of a small one", () => {
  const looksFor = (count: number) => {
    let looks = 0;
    const names = Array.from({ length: count }, (_, index) => `Tile ${index}`);
    const tileIds = new Proxy(Object.fromEntries(names.map((name) => [name, `id of ${name}`])), {
      get(target, name: string) {
        looks += 1;
        return target[name];
      },
    });
    const planned = dashboardResource.plan({ tileIds }, { tiles: names.map((name) => ({ name })) });
    expect(planned.tileIds).to.deep.equal({ ...tileIds });
    return looks;
  };
  expect(looksFor(400)).to.be.at.most(4 * looksFor(100));
});
